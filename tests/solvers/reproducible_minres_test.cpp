#include "solvers/reproducible_minres.hpp"
#include "solvers/block_product.hpp"
#include "solvers/elastic_block.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <map>
#include <numeric>

using namespace sunder;
using namespace sunder::solvers;
using test::ElasticSystem;

namespace {

/// A less a share of its diagonal, which turns the soft motions of a slender body over and leaves the stiff ones.
BlockMatrix less_diagonal(const ElasticSystem& system, double share)
{
  BlockMatrix A = system.A;
  for (std::size_t row = 0; row + 1 < A.row_begin.size(); ++row)
    for (auto k = static_cast<std::size_t>(A.row_begin[row]); k < static_cast<std::size_t>(A.row_begin[row + 1]); ++k)
      for (const std::size_t axis : {0, 1, 2})
        if (static_cast<std::size_t>(A.columns[k]) == row && !A.fixed[3 * row + axis])
          A.values[k][4 * axis] *= 1 - share;
  return A;
}

struct Solution {
  LinearResult result;
  double energy = 0;                            // x . A x, of one rank
  std::map<std::uint64_t, std::uint64_t> bits;  // of unknowns, by 3 id + axis; of all ranks
};

/// Collective on the layout's communicator.
Solution solve(const ElasticSystem& system, const BlockMatrix& A, double tolerance)
{
  ReproducibleMinres solver;
  solver.set_definite(*system.layout, system.A, false);
  std::vector<double> x(system.b.size(), 7.0);
  const LinearResult result = solver.solve(A, system.b, x, tolerance);
  return {result, std::inner_product(x.begin(), x.end(), system.b.begin(), 0.0), test::bits_of_all(system, x)};
}

ElasticSystem alone()
{
  return test::assemble(Comm(MPI_COMM_SELF), test::beam, [](std::int64_t) { return 0; });
}

}  // namespace

TEST_CASE("minimal residuals solve with an indefinite matrix, to the residual asked for", "[solvers][reproducible]")
{
  const ElasticSystem system = alone();
  const BlockMatrix A = less_diagonal(system, 0.02);
  for (const double tolerance : {1e-3, 1e-6, 1e-10}) {
    const Solution solved = solve(system, A, tolerance);
    CAPTURE(tolerance, solved.result.iterations, solved.result.residual, solved.result.reason);
    CHECK(solved.result.converged);
    CHECK(solved.result.residual <= tolerance);
    CHECK(solved.energy < 0);  // so the matrix is not definite
    CHECK(solved.result.iterations < 400);
  }
  CHECK(solve(system, system.A, 1e-8).energy > 0);
}

TEST_CASE("minimal residuals have the same bits, whoever owns the nodes", "[solvers][reproducible][parallel]")
{
  const ElasticSystem whole = alone();
  const Solution expected = solve(whole, less_diagonal(whole, 0.02), 1e-9);
  REQUIRE(expected.result.converged);
  const Comm comm;
  for (const auto& owner : {test::slabs(comm, test::num_nodes(test::beam)), test::scattered(comm, 3)}) {
    const ElasticSystem system = test::assemble(comm, test::beam, owner);
    const Solution found = solve(system, less_diagonal(system, 0.02), 1e-9);
    CHECK(found.bits == expected.bits);
    CHECK(found.result.iterations == expected.result.iterations);
    CHECK(std::bit_cast<std::uint64_t>(found.result.residual) ==
          std::bit_cast<std::uint64_t>(expected.result.residual));
  }
}

TEST_CASE("minimal residuals say why they do not solve", "[solvers][reproducible]")
{
  ElasticSystem system = alone();
  ReproducibleMinres::Options options;
  options.max_iterations = 3;
  ReproducibleMinres limited(options);
  limited.set_definite(*system.layout, system.A, false);
  std::vector<double> x(system.b.size());
  const LinearResult result = limited.solve(system.A, system.b, x, 1e-10);
  CHECK_FALSE(result.converged);
  CHECK(result.iterations == 3);
  CHECK_THAT(result.reason, Catch::Contains("limit of iterations"));
  system.b[0] = std::nan("");
  CHECK_THAT(limited.solve(system.A, system.b, x, 1e-10).reason, Catch::Contains("not finite"));
}
