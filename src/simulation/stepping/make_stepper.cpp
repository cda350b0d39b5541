#include "simulation/stepping/make_stepper.hpp"

#include "simulation/equilibrium/initial_equilibrium.hpp"
#include "simulation/loading/contradictions.hpp"
#include "simulation/stepping/adaptive_stepper.hpp"
#include "simulation/stepping/equilibrium_stepper.hpp"
#include "simulation/stepping/explicit_stepper.hpp"
#include "simulation/stepping/lattice_stepper.hpp"

namespace sunder::simulation {

std::unique_ptr<Stepper> make_stepper(const config::Scene& scene, State& state, const RunState* from,
                                      std::span<const partition::PairRecord> memory)
{
  if (scene.solver.method != config::Method::explicit_dynamics && scene.solver.method != config::Method::lattice)
    refuse_contradictions(state.comm, scene.boundary, state.model.mesh, scene.time.end);
  if (!from && scene.solver.initial_equilibrium) find_initial_equilibrium(scene, state);
  switch (scene.solver.method) {
    case config::Method::explicit_dynamics:
      break;
    case config::Method::static_equilibrium:
    case config::Method::implicit_dynamics:
      return std::make_unique<EquilibriumStepper>(scene, state, from);
    case config::Method::adaptive_dynamics:
      return std::make_unique<AdaptiveStepper>(scene, state, from, memory);
    case config::Method::lattice:
      return std::make_unique<LatticeStepper>(scene, state);
  }
  if (from) return std::make_unique<ExplicitStepper>(scene, state, *from, memory);
  return std::make_unique<ExplicitStepper>(scene, state);
}

}  // namespace sunder::simulation
