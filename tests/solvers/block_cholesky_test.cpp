#include "solvers/block_cholesky.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <numeric>
#include <random>

using namespace sunder::solvers;

namespace {

/// Blocks of a matrix that is diagonally dominant, so positive definite, on a pattern that is not that of a band.
template <std::size_t size>
struct Sparse {
  std::vector<BlockPosition> pattern;
  std::vector<SquareBlock<size>> values;
  Eigen::MatrixXd dense;
};

template <int size>
Sparse<size> random_matrix(std::int32_t rows, unsigned seed)
{
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Sparse<size> A;
  A.dense = Eigen::MatrixXd::Zero(size * rows, size * rows);
  for (std::int32_t r = 0; r < rows; ++r)
    for (std::int32_t c = 0; c <= r; ++c) {
      if (r != c && engine() % 5 != 0) continue;
      Eigen::Matrix<double, size, size, Eigen::RowMajor> block;
      for (double& value : std::span(block.data(), size * size)) value = number(engine);
      if (r == c) {
        block = (block + block.transpose()).eval();
        block.diagonal().array() += 2 * size * rows;
      }
      A.pattern.push_back({r, c});
      std::copy_n(block.data(), size * size, A.values.emplace_back().begin());
      A.dense.template block<size, size>(size * r, size * c) = block;
      A.dense.template block<size, size>(size * c, size * r) = block.transpose();
    }
  return A;
}

std::vector<std::int32_t> shuffled(std::int32_t rows, unsigned seed)
{
  std::vector<std::int32_t> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("a sparse factor solves what a dense one solves, in any order of elimination",
                       "[solvers][cholesky]", ((int size), size), 3, 6)
{
  const std::int32_t rows = GENERATE(1, 2, 9, 23);
  const unsigned seed = GENERATE(1u, 2u, 3u);
  const Sparse<size> A = random_matrix<size>(rows, seed);
  BlockCholesky<size> factor(shuffled(rows, seed), A.pattern);
  REQUIRE_FALSE(factor.factor(A.values));
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(size * rows, -1, 2);
  Eigen::VectorXd x = b;
  factor.solve(std::span(x.data(), static_cast<std::size_t>(x.size())));
  CHECK((A.dense * x - b).norm() < 1e-12 * b.norm());
}

TEST_CASE("a pivot that is lost or negative is found, with its row", "[solvers][cholesky]")
{
  Sparse<6> A = random_matrix<6>(9, 4);
  const bool negative = GENERATE(false, true);
  for (std::size_t k = 0; k < A.pattern.size(); ++k)
    if (A.pattern[k].row == 5 || A.pattern[k].column == 5) {
      // Row and column 3 of block 5: those of the unit matrix, times 0 or -1.
      for (std::size_t m = 0; m < 6; ++m) {
        if (A.pattern[k].row == 5) A.values[k][6 * 3 + m] = 0;
        if (A.pattern[k].column == 5) A.values[k][6 * m + 3] = 0;
      }
      if (A.pattern[k].row == A.pattern[k].column) A.values[k][7 * 3] = negative ? -1 : 0;
    }
  BlockCholesky<6> factor(shuffled(9, 4), A.pattern);
  const auto bad = factor.factor(A.values);
  REQUIRE(bad);
  CHECK(bad->row == 5);
}
