#include "simulation/equilibrium/make_linear_solver.hpp"

#include "config/petsc_use.hpp"
#include "solvers/petsc_solver.hpp"
#include "solvers/reproducible_solver.hpp"

namespace sunder::simulation {

std::unique_ptr<solvers::LinearSolver> make_linear_solver(const config::Scene& scene, const Comm& comm)
{
  if (config::leaves_solves_to_petsc(scene)) return std::make_unique<solvers::PetscSolver>(comm, scene.petsc);
  return std::make_unique<solvers::ReproducibleSolver>();
}

}  // namespace sunder::simulation
