#include "solvers/petsc_solver.hpp"
#include "core/error.hpp"
#include "solvers/elastic_block.hpp"
#include "solvers/reproducible_solver.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace sunder;
using namespace sunder::solvers;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::ElasticBlock;
using test::ElasticSystem;

namespace {

ElasticSystem assemble(const std::vector<ElasticBlock>& blocks)
{
  const Comm comm;
  return test::assemble(comm, blocks, test::slabs(comm, test::num_nodes(blocks)));
}

LinearResult solve(const ElasticSystem& system, std::vector<double>& x, const PetscOptionList& options = {},
                   double tolerance = 1e-9)
{
  PetscSolver solver(system.layout->comm, options);
  solver.set_matrix(*system.layout, system.A, false);
  x.assign(system.b.size(), 7.0);
  return solver.solve(system.b, x, tolerance);
}

LinearResult solve(const ElasticSystem& system, const PetscOptionList& options = {})
{
  std::vector<double> x;
  return solve(system, x, options);
}

/// |x - y| / |y| over all ranks.
double off(const ElasticSystem& system, const std::vector<double>& x, const std::vector<double>& y)
{
  double most = 0, size = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    most = std::max(most, std::abs(x[k] - y[k])), size = std::max(size, std::abs(y[k]));
  return system.layout->comm.max(most) / system.layout->comm.max(size);
}

}  // namespace

TEST_CASE("PETSc solves what the reproducible solver solves", "[solvers][petsc][parallel]")
{
  const ElasticSystem system = assemble(test::beam);
  ReproducibleSolver reproducible;
  reproducible.set_matrix(*system.layout, system.A, false);
  std::vector<double> expected(system.b.size()), x;
  REQUIRE(reproducible.solve(system.b, expected, 1e-11).converged);
  const LinearResult result = solve(system, x);
  REQUIRE(result.converged);
  CHECK(result.reason.empty());
  CHECK(result.residual <= 1e-9);
  CHECK(off(system, x, expected) < 1e-7);
  CHECK(solve(system, x, {{"pc_type", "jacobi"}}).converged);
  CHECK(off(system, x, expected) < 1e-7);
}

TEST_CASE("PETSc solves again with other values on the same pattern", "[solvers][petsc][parallel]")
{
  ElasticSystem system = assemble(test::beam);
  PetscSolver solver(system.layout->comm, {});
  std::vector<double> soft(system.b.size()), stiff(system.b.size());
  solver.set_matrix(*system.layout, system.A, false);
  REQUIRE(solver.solve(system.b, soft, 1e-10).converged);
  for (Block& block : system.A.values)
    for (double& value : block) value *= 4;
  solver.set_matrix(*system.layout, system.A, true);
  REQUIRE(solver.solve(system.b, stiff, 1e-10).converged);
  for (double& value : stiff) value *= 4;
  CHECK(off(system, stiff, soft) < 1e-8);
}

TEST_CASE("PETSc's options count for the solver they are given to, and for no other", "[solvers][petsc][parallel]")
{
  const ElasticSystem system = assemble(test::beam);
  const int usual = solve(system).iterations;
  CHECK(solve(system, {{"pc_type", "jacobi"}}).iterations > 2 * usual);
  CHECK(solve(system).iterations == usual);
}

TEST_CASE("an option that PETSc does not use is refused by name", "[solvers][petsc][error][parallel]")
{
  const ElasticSystem system = assemble(test::beam);
  CHECK_THROWS_WITH(solve(system, {{"pc_typ", "jacobi"}}), Contains("petsc.pc_typ: expected an option of PETSc"));
  CHECK_THROWS_WITH(solve(system, {{"pc_type", "jacobi"}, {"pc_gamg_threshold", "0.1"}}),
                    Contains("petsc.pc_gamg_threshold: expected an option of PETSc that counts with this solver"));
  CHECK_THROWS_AS(solve(system, {{"pc_typ", "jacobi"}}), AgreedError);
}

TEST_CASE("what PETSc refuses is named as in the scene file", "[solvers][petsc][error][parallel]")
{
  const ElasticSystem system = assemble(test::beam);
  const MessageKeys keys{{"petsc.pc_type", "bar.yaml:3:18: petsc.pc_type"},
                         {"petsc.pc_typ", "bar.yaml:4:18: petsc.pc_typ"}};
  const auto solve_with = [&](const PetscOptionList& options) {
    PetscSolver solver(system.layout->comm, options, keys);
    solver.set_matrix(*system.layout, system.A, false);
    std::vector<double> x(system.b.size());
    solver.solve(system.b, x, 1e-9);
  };
  CHECK_THROWS_WITH(solve_with({{"pc_type", "jacob"}}), StartsWith("bar.yaml:3:18: petsc.pc_type: expected values"));
  CHECK_THROWS_WITH(solve_with({{"pc_typ", "jacobi"}}), StartsWith("bar.yaml:4:18: petsc.pc_typ: expected an option"));
}

TEST_CASE("methods of PETSc that know the preconditioned norm alone solve too", "[solvers][petsc][parallel]")
{
  const ElasticSystem system = assemble(test::beam);
  CHECK(solve(system, {{"ksp_type", "minres"}}).converged);
  CHECK(solve(system, {{"ksp_type", "symmlq"}}).converged);
  CHECK_THROWS_AS(solve(system, {{"ksp_type", "minres"}, {"ksp_norm_type", "unpreconditioned"}}), AgreedError);
}

TEST_CASE("a value that PETSc refuses is refused with its option", "[solvers][petsc][error][parallel]")
{
  const ElasticSystem system = assemble(test::beam);
  const PetscOptionList wrong{{"pc_type", "jacob"}};
  CHECK_THROWS_WITH(solve(system, wrong),
                    Contains("petsc.pc_type: expected values that PETSc accepts, got {pc_type: jacob}") &&
                        Contains("Unable to find requested PC type jacob"));
  CHECK_THROWS_AS(solve(system, wrong), AgreedError);
  // What PETSc looks at only when it sets the solver up.
  for (const PetscOptionList& later : {PetscOptionList{{"mg_levels_pc_type", "jacob"}},
                                       PetscOptionList{{"pc_type", "lu"}, {"pc_factor_mat_solver_type", "pastix"}}}) {
    CHECK_THROWS_WITH(solve(system, later), Contains("expected values that PETSc accepts"));
    CHECK_THROWS_AS(solve(system, later), AgreedError);
  }
  CHECK(solve(system).converged);
}

TEST_CASE("why PETSc found no solution is said in words", "[solvers][petsc][error][parallel]")
{
  ElasticSystem system = assemble(test::beam);
  const LinearResult early = solve(system, {{"ksp_max_it", "2"}});
  CHECK_FALSE(early.converged);
  CHECK(early.iterations == 2);
  CHECK(early.residual > 1e-9);
  CHECK(early.reason == "no convergence in the iterations allowed (petsc.ksp_max_it)");

  auto blocks = test::beam;
  blocks.push_back({.cubes = {5, 5, 5}, .corner = {20, 0, 0}});
  system = assemble(blocks);
  const auto turn = [&](std::size_t row) {
    for (auto k = system.A.row_begin[row]; k < system.A.row_begin[row + 1]; ++k)
      for (double& value : system.A.values[static_cast<std::size_t>(k)]) value = -value;
  };
  for (std::size_t n = 0; n < static_cast<std::size_t>(system.layout->num_owned); ++n)
    if (system.layout->component[n] != 10) turn(n);
  const LinearResult negative = solve(system, {{"pc_type", "none"}});
  CHECK_FALSE(negative.converged);
  CHECK(negative.reason == "the matrix is not positive definite");
}

TEST_CASE("a body that nothing holds is no solution, and the matrix is said to be singular", "[solvers][petsc][error]")
{
  std::vector<ElasticBlock> blocks = test::beam;
  blocks[0].clamped = false;
  const ElasticSystem system = assemble(blocks);
  const LinearResult result = solve(system);
  INFO(result.reason);
  CHECK_FALSE(result.converged);
  CHECK_FALSE(result.reason.empty());
}
