#pragma once
/// Steps at whose end all forces balance, found by Newton's method: static equilibrium under loads that grow with time,
/// and implicit dynamics, where inertia is one of the forces. docs/equilibrium.md.

#include "config/scene.hpp"
#include "simulation/equilibrium/equilibrium.hpp"
#include "simulation/loading/loads.hpp"
#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/failure_check.hpp"
#include "simulation/stepping/run_state.hpp"
#include "simulation/stepping/stepper.hpp"
#include "solvers/linear_solver.hpp"

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Local. A static or an implicit step is no longer: a tenth of the scene's length, where that does not say [s].
inline double longest_step(const config::Scene& scene)
{
  return scene.time.step > 0 ? scene.time.step : scene.time.end / 10;
}

/// Static: a step is a load step. Velocities are zero, and so are kinetic energy and viscous stress; impulses of the
/// state's reactions are those of the forces at the end of the last step, over that step. After nodes have failed,
/// equilibrium is found again under the same load, or under less (SolverOptions::load_control), until none fails.
/// Along a path (load_control: arc_length) the clock measures the path's length, such that the loads' time begins to
/// run with it; from there load_lag says how far that is behind. Implicit: the step is as long as the error of the
/// integration allows. After nodes have failed, steps are short. Both take a step again that is too long: where no
/// balance is found, or where nodes would have failed in the middle that had not failed when it began.
class EquilibriumStepper final : public Stepper {
public:
  /// What is done about nodes that fail at the end of a step.
  enum class Cracks { followed, left_to_caller };

  /// Collective. From the beginning, or going on from what another stored, with the memory of pairs. scene and state
  /// must outlive it.
  EquilibriumStepper(const config::Scene& scene, State& state, const RunState* from,
                     std::span<const partition::PairRecord> memory, Cracks cracks = Cracks::followed);

  /// A little more than its length, so that what divides by it does not get one step more for round-off.
  double step_size() const noexcept override { return (1 + 1e-9) * limit_.seconds; }
  const StepLimit& limit() const noexcept override { return limit_; }
  void compute_forces() override;
  void advance(double dt, double time_after) override;
  Account account() const override;
  bool at_sync_point() const noexcept override { return state_.steps > 0; }
  void store(RunState& to) const override { to.next_step = limit_.seconds, to.path_rate = path_rate_; }
  std::vector<partition::PairRecord> pair_memory() const override { return equilibrium_.pair_memory(); }
  void release() override { equilibrium_.release(); }
  void rebuild(std::span<const partition::PairRecord> memory) override;
  void reset_processor_time() override { spent_ = 0; }
  std::vector<double> element_costs() const override;

  /// For a caller that takes other steps in between. Collective. The state is another one, whose velocities are those
  /// of its time: finds its accelerations. first: the step to try first [s]. memory: of pairs.
  void begin(double first, std::span<const partition::PairRecord> memory);
  /// Local. To try next [s].
  void set_step(double seconds) { limit_.seconds = std::min(seconds, longest_step(scene_)); }
  /// Collective. Part of advance(): tries a step towards time_after. If it is too long the clock still shows the same,
  /// and step_size() is shorter.
  void try_step(double time_after);
  bool found_failing() const noexcept { return found_failing_; }  ///< Local. Do nodes of any rank fail now?

private:
  void list_conditions();
  void take_step(double time);
  bool too_long(double dt, double ratio, double error);
  double error_allowed() const;
  double shortest_step() const;
  solvers::NewtonResult solve(double load_time);
  solvers::NewtonResult find_end(double time);
  solvers::NewtonResult follow_path(double dt);
  solvers::NewtonResult dissipate(double dt);
  void count(const solvers::NewtonResult& result);
  void halve(const solvers::NewtonResult& result, double dt);
  void fit_step(double dt, const solvers::NewtonResult& result, double error);
  void limit_by_contact();
  std::vector<LocalIndex> failing_already();
  double failing_ratio(std::span<const LocalIndex> but = {});
  void crack();
  void unload(std::span<const LocalIndex> but);
  void find_equilibrium_again(double load_time);
  void settle_links();
  bool split_nodes();
  std::string step_name() const;

  const config::Scene& scene_;
  State& state_;
  PrescribedMotion prescribed_;
  Loads loads_;
  FailureCheck failure_;
  Equilibrium equilibrium_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  solvers::PathSolver path_solver_;
  const bool dynamic_;
  const config::LoadControl control_;  // time, if dynamic
  const bool follows_path_;            // loads go where equilibrium takes them
  const Cracks cracks_;
  bool found_failing_ = false;  // at the end of the last step
  StepLimit limit_;             // the step to take next
  solvers::PathResult path_;    // of the last step along the path
  double path_rate_ = 0;        // length of a step over its time [m/s]; 0: not yet known
  double spent_ = 0;
};

}  // namespace sunder::simulation
