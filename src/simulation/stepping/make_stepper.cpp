#include "simulation/stepping/make_stepper.hpp"

#include "simulation/equilibrium/initial_equilibrium.hpp"
#include "simulation/loading/contradictions.hpp"
#include "simulation/stepping/adaptive_stepper.hpp"
#include "simulation/stepping/equilibrium_stepper.hpp"
#include "simulation/stepping/explicit_stepper.hpp"
#include "simulation/stepping/hybrid_stepper.hpp"
#include "simulation/stepping/lattice_stepper.hpp"

namespace sunder::simulation {

std::unique_ptr<Stepper> make_stepper(const config::Scene& scene, State& state, const RunState* from,
                                      std::span<const partition::PairRecord> memory)
{
  using config::Method;
  const Method method = scene.solver.method;
  if (method != Method::explicit_dynamics && method != Method::lattice && method != Method::hybrid)
    refuse_contradictions(state.comm, scene.boundary, state.model.mesh, scene.time.end);
  if (!from && scene.solver.initial_equilibrium) find_initial_equilibrium(scene, state);
  switch (method) {
    case Method::explicit_dynamics:
      break;
    case Method::static_equilibrium:
    case Method::implicit_dynamics:
      return std::make_unique<EquilibriumStepper>(scene, state, from, memory);
    case Method::adaptive_dynamics:
      return std::make_unique<AdaptiveStepper>(scene, state, from, memory);
    case Method::lattice:
      return std::make_unique<LatticeStepper>(scene, state, from);
    case Method::hybrid:
      return std::make_unique<HybridStepper>(scene, state, from);
  }
  if (from) return std::make_unique<ExplicitStepper>(scene, state, *from, memory);
  return std::make_unique<ExplicitStepper>(scene, state);
}

}  // namespace sunder::simulation
