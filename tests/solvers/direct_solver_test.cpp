#include "solvers/direct_solver.hpp"

#include "solvers/block_product.hpp"
#include "solvers/elastic_block.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

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

test::ElasticSystem one_rank_system(std::span<const test::ElasticBlock> blocks)
{
  const Comm alone(MPI_COMM_SELF);
  return assemble(alone, blocks, test::slabs(alone, test::num_nodes(blocks)));
}

}  // namespace

TEST_CASE("a direct solve leaves no residual, and nothing where nodes are fixed", "[solvers][direct]")
{
  const std::vector<test::ElasticBlock> blocks{{{6, 4, 3}}, {{1, 1, 1}, Vec3(0, 5, 0)}};
  test::ElasticSystem system = one_rank_system(blocks);
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
  const test::ElasticSystem system = one_rank_system(blocks);
  DirectSolver solver;
  solver.set_matrix(*system.layout, system.A, false);
  std::vector<double> x(system.b.size());
  const solvers::LinearResult result = solver.solve(system.b, x, 1e-6);
  CHECK_FALSE(result.converged);
  CHECK(result.reason.find("not positive definite") != std::string::npos);
}
