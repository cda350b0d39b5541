#pragma once
/// The run: state -> forces -> integrate -> halo -> failure -> remesh -> state. docs/architecture.md.

#include "config/scene.hpp"
#include "contact/collisions.hpp"
#include "contact/obstacle_contact.hpp"
#include "core/comm.hpp"
#include "io/bodies_file.hpp"
#include "io/frame.hpp"
#include "simulation/diagnostics/energy_ledger.hpp"
#include "simulation/loading/loads.hpp"
#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/run/balance.hpp"
#include "simulation/run/restart.hpp"
#include "simulation/step_control.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

namespace sunder::simulation {

enum class Request { nothing, checkpoint, stop };

/// One distributed simulation. Every method is collective on the communicator it was made with, unless it says
/// otherwise.
class Simulation {
public:
  /// Sets the scene up. Throws Error on every rank for bad input, a fixed step above the stable limit included.
  Simulation(const Comm& comm, config::Scene scene);
  /// Goes on where another left off; takes its nodes and elements.
  Simulation(const Comm& comm, config::Scene scene, RestartState& from);

  double time() const noexcept { return time_; }         ///< Local. [s]
  std::int64_t steps() const noexcept { return step_; }  ///< Local.
  double step_size() const noexcept
  {
    return control_.step_size();
  }  ///< Local. The step it would take now, output times aside [s].
  const GlobalLimit& limit() const noexcept { return control_.limit(); }                 ///< Local.
  const element::Model& model() const noexcept { return problem_.model; }                ///< Local.
  const partition::Halo& halo() const noexcept { return *problem_.halo; }                ///< Local.
  const Problem& problem() const noexcept { return problem_; }                           ///< Local.
  std::span<const rigid::State> obstacles() const noexcept { return obstacle_states_; }  ///< Local.

  /// Forces of the current state. To call before advance() and before anything is observed; a second call changes
  /// nothing.
  void compute_forces();

  /// One step of dt [s], the same on every rank; the clock then shows time_after, so that output times are met exactly.
  /// Throws Error (simulation_failed) on every rank if the state has become meaningless.
  void advance(double dt, double time_after);
  void advance(double dt) { advance(dt, time_ + dt); }

  /// Of the current state; forces must have been computed.
  io::HistoryRow history_row(std::int64_t fragments);
  io::Summary summary(std::int64_t fragments);
  std::int64_t events() const noexcept { return events_; }             ///< Local. Nodes parted so far, over all ranks.
  GlobalIndex num_elements() const noexcept { return num_elements_; }  ///< Local. Over all ranks.

  /// Local. Can the state be stored or moved now? At a sync point no forces have been computed since the last step, and
  /// overlaps are due to be worked out. So positions, velocities and what contact remembers are the whole state. A sync
  /// point comes every few steps, on all ranks at once.
  bool at_sync_point() const noexcept { return step_ > 0 && !forces_current_ && (!collisions_ || overlaps_due_); }
  bool is_finite() const;  ///< Every node's velocity, on every rank.
  /// At a sync point.
  io::StoredBodies checkpoint(const std::string& completed_scene);

  /// Local. Since the start, the last share_out() or since it was forgotten.
  double work_spent() const noexcept;  ///< [s of its processor]
  void forget_work_spent();            ///< Local.
  /// At a sync point. Repartitions the bodies, so that each rank gets as much work as it seems from what was spent.
  /// Nothing else changes, now or later. Returns whether it could be done: if the cut fails, nodes keep their owners,
  /// which is said once.
  bool share_out();
  bool share_out(const Cut& cut);
  int times_shared_out() const noexcept { return times_shared_out_; }  ///< Local.

  /// Local. This rank asks all for a checkpoint, or for a checkpoint and an end. They know with the next step.
  void ask(Request request) noexcept { asking_ = std::max(asking_, request); }
  Request asked() const noexcept { return asked_; }  ///< Local. The most that any rank asked for, the same on all.
  void answer() noexcept { asking_ = asked_ = Request::nothing; }  ///< Local, on every rank. It has been done.

  io::WallSeconds& wall() noexcept { return wall_; }  ///< Local. This rank's.

private:
  struct Flags;
  Simulation(const Comm& comm, config::Scene scene, RestartState* from);
  void restore(const RunState& state);
  void rebuild(partition::MigrationRecords& bodies);
  void adopt(std::span<const partition::PairRecord> memory);
  std::vector<double> element_costs() const;
  double fastest() const noexcept;
  void halve(const Flags& flags);
  void mesh_changed(std::span<const LocalIndex> elements, contact::Origins origins = {});
  void compute_contact(double dt);
  void count_work_of_loads();
  void move_obstacles(double dt);
  void fail(const Flags& flags);
  void refresh_pairs();
  void fracture();
  void warn(const std::string& message);
  double half_step() const;
  double kinetic_energy() const;
  double potential_of_gravity() const;

  Comm comm_;
  config::Scene scene_;
  io::WallSeconds wall_;
  std::int64_t memory_at_start_ = 0;  // before problem_, whose set-up it is measured against
  Problem problem_;
  PrescribedMotion prescribed_;
  Loads loads_;
  contact::ObstacleContact contact_;
  std::optional<contact::Collisions> collisions_;
  StepControl control_;
  std::vector<rigid::State> obstacle_states_;
  contact::Reactions reactions_;       // on obstacles, this rank's share of this step
  std::vector<std::uint8_t> primary_;  // (slots) does this rank count the element
  std::vector<std::uint8_t> owned_;    // (nodes) is the node this rank's
  std::vector<LocalIndex> screened_;   // owned nodes that may fail
  EnergyLedger ledger_;
  bool forces_current_ = false;
  double time_ = 0, dt_ = 0, dt_min_ = std::numeric_limits<double>::infinity(), fastest_ = 0;
  double prescribed_work_ = 0, contact_power_ = 0, viscous_power_ = 0;
  double stiffening_ = 1;                       // of elements held, when forces were last worked out
  double check_interval_ = 0, next_check_ = 0;  // of failure [s]
  double next_overlaps_ = 0;                    // of working out how elements overlap [s]
  bool overlaps_due_ = true;
  Request asking_ = Request::nothing, asked_ = Request::nothing;
  std::int64_t step_ = 0, events_ = 0, element_steps_ = 0;
  GlobalIndex num_elements_ = 0;
  LocalIndex inverted_ = -1;
  bool warned_of_inversion_ = false, warned_of_rounds_ = false, warned_of_cut_ = false;
  double loop_seconds_ = 0, halo_bytes_ = 0;
  double spent_on_elements_ = 0;          // forces, screening, obstacles, motion [s of this rank's processor]
  double spent_on_failing_ = 0;           // nodes that may fail [s of it]
  std::vector<std::uint32_t> evaluated_;  // (nodes) how often it was one of these meanwhile
  int times_shared_out_ = 0;
};

}  // namespace sunder::simulation
