#pragma once
/// The seam for solvers: what a run needs of whatever advances a state. docs/how-to-add.md tells how to add one.

#include "core/comm.hpp"
#include "core/error.hpp"
#include "partition/migration/migration_records.hpp"
#include "simulation/energy_ledger.hpp"
#include "simulation/stepping/step_limit.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

struct RunState;

/// What local time steps do. docs/local-steps.md.
struct LocalStepCounts {
  bool on = false;
  std::array<std::int64_t, 7> elements{};  ///< Of each level, now.
  std::int64_t evaluations = 0;            ///< Of elements, besides one a step, since the run was started or restarted.
  double a_step = 0;                       ///< Evaluations of elements, that one included, in a step as levels are now.
};

/// What every rank throws at the same place where no step can be taken. The state is the last good one, and at a sync
/// point.
class StepFailed : public AgreedError {
public:
  explicit StepFailed(const std::string& message) : AgreedError(message, ExitStatus::simulation_failed) {}
};

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

  /// Local. The step it would take now, output times aside [s]. Time is what the scene's loads and motions are given
  /// over: for a static solver it is their parameter, and a step a load step.
  virtual double step_size() const noexcept = 0;
  /// Local. What limits that step.
  virtual const StepLimit& limit() const noexcept = 0;

  /// Makes forces and what account() reads those of the present state, and books the work of loads up to now where that
  /// is booked by halves of steps. The loop calls it before a row of output; advance() does not rely on it. A second
  /// call in the same state changes nothing.
  virtual void compute_forces() = 0;
  /// One step of dt [s], the same on every rank; the clock then shows time_after, so that output times are met exactly.
  /// A solver that finds the step too long takes a shorter one, and the clock shows less.
  /// Throws Error (simulation_failed) on every rank if the state has become meaningless.
  virtual void advance(double dt, double time_after) = 0;

  /// Local. This rank's contribution to the energies, forces being current.
  virtual Account account() const = 0;

  /// Local. Can the state be stored or moved now? At such a *sync point* the State, the memory of pairs and what
  /// store() writes are all that counts. One comes every few steps, on all ranks at once.
  virtual bool at_sync_point() const noexcept = 0;
  /// Local, at a sync point. Writes what the stepper knows besides the State: with it, a new one goes on to the same
  /// bits.
  virtual void store(RunState& to) const = 0;
  /// Local, at a sync point. What pairs of elements remember of their contact: a record for each of the two that
  /// is held here, since this rank adds their forces to its nodes.
  virtual std::vector<partition::PairRecord> pair_memory() const = 0;

  /// Local. Drops all that refers to the mesh and can be made anew: the state is about to be moved between ranks.
  virtual void release() = 0;
  /// The model and its halo are new, with the memory of their pairs: the state has been moved.
  virtual void rebuild(std::span<const partition::PairRecord> memory) = 0;

  virtual void reset_processor_time() = 0;  ///< Local.
  /// Collective. (slots) What each element held has cost this rank since the start or the last reset_processor_time(),
  /// at the rates of all ranks together [s of a processor].
  virtual std::vector<double> element_costs() const = 0;

  /// Local. Of the elements that this rank counts.
  virtual LocalStepCounts local_step_counts() const { return {}; }
  /// Local. Ratios are those of this rank.
  virtual ShortenedSteps shortened_steps() const { return {}; }

  /// Local. This rank asks all for a checkpoint, or for a checkpoint and an end. They know with the next step.
  void ask(Request request) noexcept { asking_ = std::max(asking_, request); }
  Request asked() const noexcept { return asked_; }  ///< Local. The most that any rank asked for, the same on all.
  void answer() noexcept { asking_ = asked_ = Request::nothing; }  ///< Local, on every rank. It has been done.

protected:
  // advance() has to bring what any rank asks to all, or no request is ever answered: asking() goes into its reduction,
  // and all_ask() takes what comes out, on every rank.
  Request asking() const noexcept { return asking_; }
  void all_ask(Request request) noexcept { asked_ = std::max(asked_, request); }
  /// Collective. The same at once, by a reduction of its own.
  void exchange_requests(const Comm& comm)
  {
    all_ask(static_cast<Request>(comm.max(static_cast<std::int64_t>(asking_))));
  }

private:
  Request asking_ = Request::nothing, asked_ = Request::nothing;
};

}  // namespace sunder::simulation
