#include "simulation/equilibrium/make_linear_solver.hpp"

#include "config/petsc_use.hpp"
#include "solvers/petsc_solver.hpp"
#include "solvers/reproducible_solver.hpp"

namespace sunder::simulation {

namespace {

solvers::MessageKeys petsc_keys(const config::Scene& scene)
{
  solvers::MessageKeys keys{{"petsc", config::message_key(scene, "petsc")}};
  for (const auto& option : scene.petsc) {
    const std::string path = "petsc." + option.first;
    keys[path] = config::message_key(scene, path);
  }
  return keys;
}

}  // namespace

std::unique_ptr<solvers::LinearSolver> make_linear_solver(const config::Scene& scene, const Comm& comm)
{
  if (config::leaves_solves_to_petsc(scene))
    return std::make_unique<solvers::PetscSolver>(comm, scene.petsc, petsc_keys(scene));
  return std::make_unique<solvers::ReproducibleSolver>();
}

}  // namespace sunder::simulation
