#pragma once
/// The seam for solvers: what a run needs of whatever advances a state. docs/how-to-add.md tells how to add one.

#include "partition/migration_records.hpp"
#include "simulation/diagnostics/energy_ledger.hpp"
#include "simulation/stepping/step_limit.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sunder::simulation {

struct RunState;

/// What any rank may ask of all while a run goes on; the greater one wins.
enum class Request { nothing, checkpoint, stop };

/// Advances a State, which it was made with and which outlives it. Every method is collective on the state's
/// communicator, unless it says otherwise.
class Stepper {
public:
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// Local. The step it would take now, output times aside [s].
  virtual double step_size() const noexcept = 0;
  /// Local. What sets that step.
  virtual const StepLimit& limit() const noexcept = 0;

  /// Forces of the current state: before advance() and before energies are read. A second call changes nothing.
  virtual void compute_forces() = 0;
  /// One step of dt [s], the same on every rank; the clock then shows time_after, so that output times are met exactly.
  /// Throws Error (simulation_failed) on every rank if the state has become meaningless.
  virtual void advance(double dt, double time_after) = 0;

  /// Local. This rank's share of the energies, forces being current.
  virtual Account account() const = 0;

  /// Local. Can the state be stored or moved now? Then positions, velocities and what pairs remember are all of it. A
  /// sync point comes every few steps, on all ranks at once.
  virtual bool at_sync_point() const noexcept = 0;
  /// Local, at a sync point. Writes what the stepper knows besides the State: with it, a new one goes on to the same
  /// bits.
  virtual void store(RunState& to) const = 0;
  /// Local, at a sync point. What pairs of elements remember of their contact, of the elements this rank counts.
  virtual std::vector<partition::PairRecord> pair_memory() const = 0;

  /// Local. Drops all that refers to the mesh and can be made anew: the state is about to be moved between ranks.
  virtual void release() = 0;
  /// The model and its halo are new, with the memory of their pairs: the state has been moved.
  virtual void rebuild(std::span<const partition::PairRecord> memory) = 0;

  /// Local. What this rank has done since it was last forgotten [s of its processor].
  virtual double work_spent() const noexcept = 0;
  virtual void forget_work_spent() = 0;  ///< Local.
  /// What of all ranks' work went into each element held (slots) [s].
  virtual std::vector<double> element_costs() const = 0;

  /// Local. This rank asks all for a checkpoint, or for a checkpoint and an end. They know with the next step.
  void ask(Request request) noexcept { asking_ = std::max(asking_, request); }
  Request asked() const noexcept { return asked_; }  ///< Local. The most that any rank asked for, the same on all.
  void answer() noexcept { asking_ = asked_ = Request::nothing; }  ///< Local, on every rank. It has been done.

protected:
  Request asking() const noexcept { return asking_; }
  void all_ask(Request request) noexcept { asked_ = std::max(asked_, request); }

private:
  Request asking_ = Request::nothing, asked_ = Request::nothing;
};

}  // namespace sunder::simulation
