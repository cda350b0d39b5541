#include "simulation/stepping/make_stepper.hpp"

#include "simulation/stepping/explicit_stepper.hpp"

namespace sunder::simulation {

std::unique_ptr<Stepper> make_stepper(const config::Scene& scene, State& state, const RunState* from,
                                      std::span<const partition::PairRecord> memory)
{
  if (from) return std::make_unique<ExplicitStepper>(scene, state, *from, memory);
  return std::make_unique<ExplicitStepper>(scene, state);
}

}  // namespace sunder::simulation
