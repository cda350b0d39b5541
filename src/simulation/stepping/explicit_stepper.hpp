#pragma once
/// Explicit time integration of the bodies: forces, motion, halo, failure, cracks. docs/architecture.md, the way of a
/// step.

#include "config/scene.hpp"
#include "simulation/loading/loads.hpp"
#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/contacts.hpp"
#include "simulation/stepping/failure_check.hpp"
#include "simulation/stepping/friction_check.hpp"
#include "simulation/stepping/local_steps.hpp"
#include "simulation/stepping/run_state.hpp"
#include "simulation/stepping/step_control.hpp"
#include "simulation/stepping/step_reduction.hpp"
#include "simulation/stepping/stepper.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

class ExplicitStepper final : public Stepper {
public:
  /// Collective. From the beginning. scene and state must outlive it. Throws Error (bad_input) on every rank if
  /// time.step is above the stable limit, or lets bodies pass through each other.
  ExplicitStepper(const config::Scene& scene, State& state);
  /// Collective. Goes on from what another stored.
  ExplicitStepper(const config::Scene& scene, State& state, const RunState& from,
                  std::span<const partition::PairRecord> memory);

  double step_size() const noexcept override { return control_.step_size(); }
  const StepLimit& limit() const noexcept override { return control_.limit(); }
  void compute_forces() override;
  void advance(double dt, double time_after) override;
  Account account() const override;
  bool at_sync_point() const noexcept override;
  void store(RunState& to) const override;
  std::vector<partition::PairRecord> pair_memory() const override { return contacts_.memory(); }
  void release() override;
  void rebuild(std::span<const partition::PairRecord> memory) override;
  void reset_processor_time() override;
  std::vector<double> element_costs() const override;
  LocalStepCounts local_step_counts() const override;
  ShortenedSteps shortened_steps() const override { return control_.shortened_steps(); }

  /// For a caller that takes other steps in between. Collective. Velocities that are those of the state's time, or of
  /// half a step before it, become the other. To begin drops and makes anew all that refers to the state; to end needs
  /// current forces.
  void begin_at_full_step(std::span<const partition::PairRecord> memory);
  void end_at_full_step() { kick(velocity_lag()); }

private:
  struct Unbuilt {};
  ExplicitStepper(const config::Scene& scene, State& state, Unbuilt);  // without its lists: rebuild() makes them
  void rebuild_lists();
  void update_lists(std::span<const LocalIndex> changed);
  void note_new_nodes();
  void fit_step_to_speed();
  void kick(double dt);
  void compute_unfiltered_forces();
  void add_internal_forces();
  void add_forces_of_links();
  void settle_links();
  void filter_forces(double dt);
  void move_nodes(double dt);
  void fill_reduction(double dt, double time_after);
  void exchange(double dt);
  void count_work(double dt);
  void count_work_of_loads(double dt);
  void throw_if_meaningless();
  void crack();
  void follow_loosened();
  bool add_mass_to_dust();
  WorkDone recent_work() const;
  StepControl::Demand demand() const;
  double velocity_lag() const;

  const config::Scene& scene_;
  State& state_;
  PrescribedMotion prescribed_;
  Loads loads_;
  StepControl control_;
  Contacts contacts_;
  LocalSteps local_steps_;
  FailureCheck failure_;
  FrictionCheck friction_;
  StepReduction reduction_;
  std::vector<std::uint8_t> owned_;  // (nodes) is the node this rank's
  ProcessorTime spent_;
  std::int64_t forces_computed_ = 0;   // times, while that was spent
  std::int64_t evaluated_before_ = 0;  // LocalSteps::held_evaluations() at the last reset
  WorkDone earlier_;                   // of this rank, before that
  bool forces_current_ = false;
  double viscous_power_ = 0, stiffening_ = 1;  // of elements held, when forces were last computed
  LocalIndex inverted_ = -1;                   // an element turned inside out, likewise
  bool warned_of_inversion_ = false;
  std::vector<LocalIndex> lost_links_;  // nodes of links that the last step dropped
  double prescribed_work_ = 0;          // in the ledger so far [J]
};

}  // namespace sunder::simulation
