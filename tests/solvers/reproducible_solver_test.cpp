#include "solvers/reproducible_solver.hpp"
#include "solvers/block_product.hpp"
#include "solvers/elastic_block.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Dense>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

using namespace sunder;
using namespace sunder::solvers;
using Catch::Matchers::Contains;
using test::ElasticBlock;
using test::ElasticSystem;

namespace {

const std::vector<ElasticBlock> two_bodies{
    {.cubes = {7, 4, 3}, .size = {3.5, 2, 1.5}},
    {.cubes = {5, 5, 5}, .corner = {0.3, 0.1, 0.2}, .young = 5e6, .poisson = 0.4}};

ElasticSystem alone(const std::vector<ElasticBlock>& blocks)
{
  return test::assemble(Comm(MPI_COMM_SELF), blocks, [](std::int64_t) { return 0; });
}

struct Solved {
  LinearResult result;
  std::map<std::uint64_t, std::uint64_t> bits;  // of unknowns, by 3 id + axis; of all ranks
};

/// Collective on the layout's communicator.
Solved solve(const ElasticSystem& system, ReproducibleSolver& solver, bool same_pattern = false,
             double tolerance = 1e-9)
{
  solver.set_matrix(*system.layout, system.A, same_pattern);
  std::vector<double> x(system.b.size(), 7.0);
  const LinearResult result = solver.solve(system.b, x, tolerance);
  return {result, test::bits_of_all(system, x)};
}

Solved solve(const ElasticSystem& system)
{
  ReproducibleSolver solver;
  return solve(system, solver);
}

void check_same(const Solved& a, const Solved& b)
{
  CHECK(a.bits == b.bits);
  CHECK(a.result.converged == b.result.converged);
  CHECK(a.result.iterations == b.result.iterations);
  CHECK(std::bit_cast<std::uint64_t>(a.result.residual) == std::bit_cast<std::uint64_t>(b.result.residual));
  CHECK(a.result.reason == b.result.reason);
}

Eigen::MatrixXd dense(const ElasticSystem& system)
{
  const BlockMatrix& A = system.A;
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * system.layout->num_owned, 3 * system.layout->num_owned);
  for (Eigen::Index row = 0; row < system.layout->num_owned; ++row)
    for (auto k = static_cast<std::size_t>(A.row_begin[static_cast<std::size_t>(row)]);
         k < static_cast<std::size_t>(A.row_begin[static_cast<std::size_t>(row) + 1]); ++k)
      D.block<3, 3>(3 * row, 3 * A.columns[k]) =
          Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A.values[k].data());
  return D;
}

void scale(ElasticSystem& system, double factor)
{
  for (Block& block : system.A.values)
    for (double& value : block) value *= factor;
}

Eigen::VectorXd vector_of(const std::vector<double>& x)
{
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

}  // namespace

TEST_CASE("a solve has the same bits, whoever owns the nodes", "[solvers][reproducible][parallel]")
{
  const auto& blocks = GENERATE_REF(test::beam, two_bodies);
  const Solved expected = solve(alone(blocks));
  REQUIRE(expected.result.converged);
  const Comm comm;
  check_same(solve(test::assemble(comm, blocks, test::slabs(comm, test::num_nodes(blocks)))), expected);
  check_same(solve(test::assemble(comm, blocks, test::scattered(comm, 3))), expected);
  check_same(solve(test::assemble(comm, blocks, [&](std::int64_t) { return comm.size() / 2; })),
             expected);  // others: nothing
}

TEST_CASE("a solve is that of a dense factor", "[solvers][reproducible]")
{
  const ElasticSystem system = alone(GENERATE_REF(test::beam, two_bodies));
  ReproducibleSolver solver;
  solver.set_matrix(*system.layout, system.A, false);
  std::vector<double> x(system.b.size());
  const LinearResult result = solver.solve(system.b, x, 1e-11);
  CHECK(result.converged);
  CHECK(result.reason.empty());
  CHECK(result.iterations > 3);
  CHECK(result.residual <= 1e-11);
  const Eigen::MatrixXd A = dense(system);
  const Eigen::VectorXd expected = A.llt().solve(vector_of(system.b));
  CHECK((vector_of(x) - expected).norm() < 1e-7 * expected.norm());
  CHECK(result.residual ==
        Approx((vector_of(system.b) - A * vector_of(x)).norm() / vector_of(system.b).norm()).margin(1e-12));
}

TEST_CASE("other values on the same pattern are solved as by a new solver", "[solvers][reproducible][parallel]")
{
  const Comm comm;
  ElasticSystem system = test::assemble(comm, two_bodies, test::scattered(comm, 5));
  ReproducibleSolver solver;
  const Solved first = solve(system, solver);
  scale(system, 3.7);
  check_same(solve(system, solver, true), solve(system));
  const double before = system.A.values.empty() ? 0 : std::exchange(system.A.values[0][0], std::nan(""));
  CHECK_FALSE(solve(system, solver, true).result.converged);
  if (!system.A.values.empty()) system.A.values[0][0] = before;
  check_same(solve(system, solver, true), solve(system));
  ReproducibleSolver begun;  // with a matrix that it had to refuse
  if (!system.A.values.empty()) system.A.values[0][0] = std::nan("");
  CHECK_FALSE(solve(system, begun, false).result.converged);
  if (!system.A.values.empty()) system.A.values[0][0] = before;
  check_same(solve(system, begun, true), solve(system));
  const ElasticSystem other = test::assemble(comm, test::beam, test::scattered(comm, 5));
  check_same(solve(other, solver, false), solve(other));
}

TEST_CASE("the preconditioner is symmetric and positive definite on the residuals it is given",
          "[solvers][reproducible]")
{
  const ElasticSystem system = alone(two_bodies);
  TwoLevelPreconditioner preconditioner;
  REQUIRE_FALSE(preconditioner.set_matrix(*system.layout, system.A, false));
  const auto n = static_cast<Eigen::Index>(system.b.size());
  const Eigen::MatrixXd A = dense(system);
  const auto apply = [&](const Eigen::VectorXd& r) {
    std::vector<double> in(r.data(), r.data() + n), out(in.size());
    preconditioner.apply(in, out);
    return vector_of(out);
  };
  const auto residual = [&](unsigned seed) {  // of conjugate gradients: nothing is left of it on the cells' motions
    std::srand(seed);
    const Eigen::VectorXd b = Eigen::VectorXd::Random(n);
    std::vector<double> in(b.data(), b.data() + n), x(in.size());
    preconditioner.start(in, x);
    return Eigen::VectorXd(b - A * vector_of(x));
  };
  for (unsigned seed = 1; seed < 20; seed += 2) {
    const Eigen::VectorXd x = residual(seed), y = residual(seed + 1), Mx = apply(x), My = apply(y);
    const double size = std::sqrt(x.dot(Mx) * y.dot(My));
    CHECK(x.dot(Mx) > 0);
    CHECK(std::abs(x.dot(My) - y.dot(Mx)) < 1e-10 * size);
  }
}

TEST_CASE("the coarse space solves for the rigid motions of a cell exactly", "[solvers][reproducible]")
{
  // A force A Z y, from a rigid motion of all nodes of one cell that has no fixed node.
  const ElasticSystem system = alone(test::beam);
  TwoLevelPreconditioner preconditioner;
  REQUIRE_FALSE(preconditioner.set_matrix(*system.layout, system.A, false));
  const auto& coarse = preconditioner.coarse_space();
  REQUIRE(coarse.num_cells() > 4);
  std::vector<double> y(6 * coarse.num_cells(), 0.0), motion(system.b.size(), 0.0), force(motion), x(motion);
  for (std::size_t m = 0; m < 6; ++m) y[6 * (coarse.num_cells() - 1) + m] = 1 + static_cast<double>(m);
  coarse.add_motions(y, motion);
  multiply(system.A, motion, force);
  preconditioner.start(force, x);
  CHECK((vector_of(x) - vector_of(motion)).norm() < 1e-9 * vector_of(motion).norm());
}

TEST_CASE("the polynomial's eigenvalue is below its margin", "[solvers][reproducible]")
{
  const ElasticSystem system = alone(GENERATE_REF(test::beam, two_bodies));
  NodeBlockChebyshev polynomial(3, 10);
  REQUIRE_FALSE(polynomial.set_matrix(*system.layout, system.A));
  const Eigen::MatrixXd A = dense(system);
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(A.rows(), A.cols());
  for (Eigen::Index k = 0; k < A.rows(); k += 3) D.block<3, 3>(k, k) = A.block<3, 3>(k, k);
  const double largest =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(A, D, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  CHECK(polynomial.largest_eigenvalue() <= largest * (1 + 1e-10));
  CHECK(1.1 * polynomial.largest_eigenvalue() > largest);
}

TEST_CASE("a body that nothing holds is named", "[solvers][reproducible][parallel]")
{
  auto blocks = two_bodies;
  blocks[1].clamped = false;
  const Comm comm;
  const Solved solved = solve(test::assemble(comm, blocks, test::scattered(comm, 1)));
  CHECK_FALSE(solved.result.converged);
  CHECK_THAT(solved.result.reason, Contains("component 11") && Contains("nothing holds it"));
  check_same(solved, solve(alone(blocks)));
}

TEST_CASE("a body held at all its nodes, or of one cube, is solved for", "[solvers][reproducible][parallel]")
{
  std::vector<ElasticBlock> blocks = test::beam;
  blocks.push_back({.cubes = {1, 1, 1}, .corner = {20, 0, 0}});
  const Comm comm;
  ElasticSystem system = test::assemble(comm, blocks, test::scattered(comm, 2));
  for (std::size_t n = 0; n < system.layout->ids.size(); ++n) {
    if (system.layout->component[n] != 11) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) system.A.fixed[3 * n + axis] = 1;
    if (n >= static_cast<std::size_t>(system.layout->num_owned)) continue;
    for (auto k = static_cast<std::size_t>(system.A.row_begin[n]);
         k < static_cast<std::size_t>(system.A.row_begin[n + 1]); ++k) {
      const bool diagonal = system.A.columns[k] == static_cast<LocalIndex>(n);
      system.A.values[k] = diagonal ? Block{2, 0, 0, 0, 2, 0, 0, 0, 2} : Block{};
    }
    for (std::size_t axis = 0; axis < 3; ++axis) system.b[3 * n + axis] = 6;
  }
  const Solved solved = solve(system);
  CHECK(solved.result.converged);
  for (std::uint64_t id = static_cast<std::uint64_t>(test::num_nodes(test::beam));
       id < static_cast<std::uint64_t>(test::num_nodes(blocks)); ++id)
    CHECK(std::bit_cast<double>(solved.bits.at(3 * id)) == Approx(3));
}

TEST_CASE("splinters that only their mass holds cost no iterations", "[solvers][reproducible][parallel]")
{
  std::vector<ElasticBlock> blocks = test::beam;
  for (std::size_t k = 0; k < 60; ++k)
    blocks.push_back(
        {.cubes = {2, 1, 1}, .corner = {0.1 * static_cast<double>(k), 1, 1}, .size = {1, 0.5, 0.5}, .clamped = false});
  const auto add_mass = [](ElasticSystem system) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(system.layout->num_owned); ++row)
      for (auto k = static_cast<std::size_t>(system.A.row_begin[row]);
           k < static_cast<std::size_t>(system.A.row_begin[row + 1]); ++k)
        if (system.A.columns[k] == static_cast<LocalIndex>(row))
          for (std::size_t axis = 0; axis < 3; ++axis) system.A.values[k][4 * axis] += 1e-6 * 1e9;
    return system;
  };
  const Comm comm;
  const Solved solved = solve(add_mass(test::assemble(comm, blocks, test::scattered(comm, 6))));
  CHECK(solved.result.converged);
  CHECK(solved.result.iterations <= solve(alone(test::beam)).result.iterations + 3);
  check_same(solved, solve(add_mass(alone(blocks))));
}

TEST_CASE("what cannot be solved is said in plain words, alike on all ranks", "[solvers][reproducible][parallel]")
{
  const Comm comm;
  ElasticSystem system = test::assemble(comm, test::beam, test::scattered(comm, 4));
  ReproducibleSolver::Options options;
  SECTION("negative definite")
  {
    scale(system, -1);
    CHECK_THAT(solve(system).result.reason, Contains("node 0 at (0, 0, 0) m") && Contains("not positive definite"));
  }
  SECTION("indefinite")
  {
    // Coupling of neighbours far stronger than what holds each of them.
    for (std::size_t row = 0; row + 1 < system.A.row_begin.size(); ++row)
      for (auto k = static_cast<std::size_t>(system.A.row_begin[row]);
           k < static_cast<std::size_t>(system.A.row_begin[row + 1]); ++k)
        if (system.A.columns[k] != static_cast<LocalIndex>(row))
          for (double& value : system.A.values[k]) value *= 3;
    CHECK_THAT(solve(system).result.reason, Contains("not positive definite"));
  }
  SECTION("not a number in the matrix")
  {
    for (std::size_t n = 0; n < static_cast<std::size_t>(system.layout->num_owned); ++n)
      if (system.layout->ids[n].low == 17)
        system.A.values[static_cast<std::size_t>(system.A.row_begin[n])][4] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(solve(system).result.reason, Contains("node 17 at (") && Contains("not finite"));
  }
  SECTION("not a number in the right-hand side")
  {
    if (!system.b.empty()) system.b.back() = std::numeric_limits<double>::infinity();
    CHECK_THAT(solve(system).result.reason, Contains("right-hand side") && Contains("not finite"));
  }
  SECTION("too few iterations")
  {
    options.max_iterations = 5;
    ReproducibleSolver solver(options);
    const Solved solved = solve(system, solver);
    CHECK(solved.result.iterations == 5);
    CHECK(solved.result.residual < 1);
    CHECK_THAT(solved.result.reason, Contains("limit of iterations") && Contains("after 5 iterations"));
  }
}

TEST_CASE("a tolerance beyond round-off is met as far as round-off allows", "[solvers][reproducible][parallel]")
{
  const Comm comm;
  ReproducibleSolver solver, serial;
  const Solved solved = solve(test::assemble(comm, two_bodies, test::scattered(comm, 4)), solver, false, 1e-18);
  CHECK(solved.result.converged);
  CHECK(solved.result.residual > 1e-18);
  CHECK(solved.result.residual < 1e-11);
  check_same(solved, solve(alone(two_bodies), serial, false, 1e-18));
}

TEST_CASE("without load nothing moves", "[solvers][reproducible][parallel]")
{
  const Comm comm;
  ElasticSystem system = test::assemble(comm, test::beam, test::scattered(comm, 4));
  std::fill(system.b.begin(), system.b.end(), 0);
  const Solved solved = solve(system);
  CHECK(solved.result.converged);
  CHECK(solved.result.iterations == 0);
  CHECK(solved.result.residual == 0);
  for (const auto& [unknown, bits] : solved.bits) CHECK(std::bit_cast<double>(bits) == 0);
}

TEST_CASE("iterations grow with the sixth root of the number of unknowns at most", "[solvers][reproducible]")
{
  const auto iterations = [](std::int64_t n) { return solve(alone({{.cubes = {n, n, n}}})).result.iterations; };
  const int small = iterations(6),
            large = iterations(12);  // 8 times the unknowns: sixth root 1.41, and 2 without cells
  CAPTURE(small, large);
  CHECK(large < 1.45 * small + 1);
}
