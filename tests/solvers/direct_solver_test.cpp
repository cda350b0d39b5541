#include "solvers/direct_solver.hpp"

#include "solvers/block_product.hpp"
#include "solvers/elastic_block.hpp"
#include "support/all_gather.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace sunder;
using solvers::DirectSolver;

namespace {

double norm(std::span<const double> a)
{
  double sum = 0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

std::vector<double> product(const solvers::BlockMatrix& A, std::span<const double> x)
{
  std::vector<double> y(x.size());
  multiply(A, x, y);
  return y;
}

/// Collective. The solution by id, from all ranks.
std::map<NodeId, std::array<double, 3>> solution(const Comm& comm, std::span<const test::ElasticBlock> blocks,
                                                 const test::OwnerRule& owner)
{
  const test::ElasticSystem system = assemble(comm, blocks, owner);
  DirectSolver solver;
  solver.set_matrix(*system.layout, system.A, false);
  std::vector<double> x(system.b.size());
  CHECK(solver.solve(system.b, x, 1e-10).converged);
  struct Entry {
    NodeId id;
    std::array<double, 3> x;
  };
  std::vector<Entry> mine;
  for (std::size_t n = 0; 3 * n < x.size(); ++n)
    mine.push_back({system.layout->ids[n], {x[3 * n], x[3 * n + 1], x[3 * n + 2]}});
  std::map<NodeId, std::array<double, 3>> all;
  for (const Entry& e : test::all_gather(comm, mine)) all[e.id] = e.x;
  return all;
}

}  // namespace

TEST_CASE("a direct solution has the same bits whoever owns the nodes", "[solvers][direct][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const std::vector<test::ElasticBlock> blocks{{{5, 3, 3}}, {{1, 2, 1}, Vec3(0, 5, 0)}};
  const auto expected = solution(alone, blocks, test::slabs(alone, test::num_nodes(blocks)));
  REQUIRE(std::ssize(expected) == test::num_nodes(blocks));
  CHECK(solution(world, blocks, test::slabs(world, test::num_nodes(blocks))) == expected);
  for (const std::uint64_t seed : {1u, 2u}) CHECK(solution(world, blocks, test::scattered(world, seed)) == expected);
}

TEST_CASE("a direct solve leaves no residual, and nothing where nodes are fixed", "[solvers][direct]")
{
  const std::vector<test::ElasticBlock> blocks{{{6, 4, 3}}, {{1, 1, 1}, Vec3(0, 5, 0)}};
  const Comm alone(MPI_COMM_SELF);
  test::ElasticSystem system = assemble(alone, blocks, test::slabs(alone, test::num_nodes(blocks)));
  DirectSolver solver;
  std::vector<double> x(system.b.size(), 7);
  for (const double scale : {1.0, 3.0}) {  // the second time with the pattern of the first
    for (solvers::Block& block : system.A.values)
      for (double& value : block) value *= scale;
    solver.set_matrix(*system.layout, system.A, scale != 1);
    const solvers::LinearResult result = solver.solve(system.b, x, 1e-10);
    REQUIRE(result.converged);
    CHECK(result.iterations == 1);
    std::vector<double> rest = product(system.A, x);
    for (std::size_t k = 0; k < x.size(); ++k) rest[k] = system.A.fixed[k] ? x[k] : system.b[k] - rest[k];
    CHECK(norm(rest) < 1e-10 * norm(system.b));
  }
}

TEST_CASE("a body that nothing holds has no direct solution, which is said", "[solvers][direct]")
{
  const std::vector<test::ElasticBlock> blocks{{.cubes = {3, 2, 2}, .clamped = false}};
  const Comm world;
  const test::ElasticSystem system = assemble(world, blocks, test::scattered(world, 1));
  DirectSolver solver;
  solver.set_matrix(*system.layout, system.A, false);
  std::vector<double> x(system.b.size());
  const solvers::LinearResult result = solver.solve(system.b, x, 1e-6);
  CHECK_FALSE(result.converged);
  CHECK(result.reason.find("not positive definite") != std::string::npos);
}
