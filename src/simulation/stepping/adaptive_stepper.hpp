#pragma once
/// Dynamics by long implicit steps while nothing much happens, and by explicit ones while something does: cracks,
/// impacts, waves. docs/equilibrium.md.

#include "config/scene.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/equilibrium_stepper.hpp"
#include "simulation/stepping/explicit_stepper.hpp"
#include "simulation/stepping/run_state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Begins with implicit steps. It goes over to explicit ones where a node is about to fail, and where accuracy or
/// contact asks for implicit steps that are not worth their cost. Some time after the last crack it tries an implicit
/// step, and goes on with those if that is accurate enough; else it waits twice as long. Every decision is made of the
/// state, never of clocks, and is in the log.
///
/// Explicit velocities live at half steps: to go over, each free node is kicked for half an explicit step, back or
/// forth, and so is each free obstacle. Nothing else of the state changes.
class AdaptiveStepper final : public Stepper {
public:
  /// Collective. From the beginning, or going on from what another stored. scene and state must outlive it.
  AdaptiveStepper(const config::Scene& scene, State& state, const RunState* from,
                  std::span<const partition::PairRecord> memory);

  double step_size() const noexcept override;
  const StepLimit& limit() const noexcept override { return active().limit(); }
  void compute_forces() override { active().compute_forces(); }
  void advance(double dt, double time_after) override;
  Account account() const override { return active().account(); }
  bool at_sync_point() const noexcept override { return active().at_sync_point(); }
  void store(RunState& to) const override;
  std::vector<partition::PairRecord> pair_memory() const override { return active().pair_memory(); }
  void release() override { active().release(); }
  void rebuild(std::span<const partition::PairRecord> memory) override { active().rebuild(memory); }
  void reset_processor_time() override { active().reset_processor_time(); }
  std::vector<double> element_costs() const override { return active().element_costs(); }
  ShortenedSteps shortened_steps() const override { return explicit_.shortened_steps(); }

private:
  Stepper& active() noexcept { return phase_.implicit ? static_cast<Stepper&>(implicit_) : explicit_; }
  const Stepper& active() const noexcept
  {
    return phase_.implicit ? static_cast<const Stepper&>(implicit_) : explicit_;
  }

  double shortest_implicit_step() const noexcept;
  bool trial_due() const noexcept;
  bool try_implicit(double time_after);
  bool implicit_step_taken(double time_after);
  void advance_implicit(double time_after);
  void advance_explicit(double time_after);
  void go_explicit(const std::string& why);
  void log_phase(const std::string& steps, const std::string& why) const;

  const config::Scene& scene_;
  State& state_;
  ExplicitStepper explicit_;
  EquilibriumStepper implicit_;
  RunState::Phase phase_;
};

}  // namespace sunder::simulation
