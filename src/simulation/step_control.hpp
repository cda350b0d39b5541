#pragma once
/// How long a step may be: by stability, and so that nothing passes through a body unnoticed. docs/deformation.md,
/// docs/contact.md.

#include "config/scene.hpp"
#include "core/error.hpp"
#include "simulation/setup/setup.hpp"

#include <limits>
#include <span>
#include <string>

namespace sunder::simulation {

/// What sets the step, over all ranks. The same on every rank.
struct GlobalLimit {
  double seconds = std::numeric_limits<double>::infinity();
  std::string kind;           ///< elastic, viscous or contact
  std::uint64_t element = 0;  ///< Low word of its id.
};

/// Of the fastest wave through a typical element of the unbroken mesh [s]: stress builds up and bodies give way in that
/// time, however small cutting makes the step. Local.
double crossing_time(const Problem& problem);

/// All it answers is the same on every rank.
class StepControl {
public:
  /// Collective. scene and problem, whose mesh is unbroken, must outlive it. Throws Error (bad_input) if time.step is
  /// above the stable limit.
  StepControl(const Comm& comm, const config::Scene& scene, const Problem& problem);

  /// What it knows from before the mesh broke, and since.
  struct State {
    GlobalLimit limit;
    double least_compliance = 0;  ///< Of any element: mesh size over lambda + 2 mu [m/Pa].
    double overlap_interval = 0;  ///< Nominal: before any halving [s].
    /// In the time between two looks at overlaps: two bodies that meet then close in by at most half the height of the
    /// lowest element of the unbroken mesh [m].
    double largest_displacement = 0;
    int halvings = 0;  ///< Of the nominal interval, so that nothing moves further.
  };
  const State& state() const noexcept { return state_; }  ///< Local.
  void restore(const State& state) { state_ = state; }    ///< Local.

  /// Collective. Elements (slots) were made or cut in step `step`: the stable limit falls if one of them asks for it.
  /// Throws Error (simulation_failed) if time.step is above it now.
  void mesh_changed(std::span<const LocalIndex> elements, std::int64_t step);

  const GlobalLimit& limit() const noexcept { return state_.limit; }  ///< Local.
  double step_size() const noexcept;                                  ///< Local. Output times aside [s].
  double overlap_interval() const noexcept;  ///< Local. Between looks at how elements overlap [s].

  /// Steps are halved no more often.
  static constexpr int most_halvings = 8;
  /// What shortens the step on a rank, besides the stable limit at rest.
  struct Motion {
    double speed = 0;       ///< The greatest [m/s].
    double stiffening = 1;  ///< element::InternalForceSums::stiffening.
  };
  /// Local. How many times the nominal interval (the longer of the nominal step and the time between looks at overlaps)
  /// exceeds what this rank allows: for what moves, the largest displacement; for deformed elements, their stable step.
  /// Elements that are nearly flat ask for no more than most_halvings gives: should that not do, they invert
  /// (time.inverted).
  double step_ratio(const Motion& motion) const noexcept;
  /// Halves step and interval so many times, for a largest ratio of 2^halvings over all ranks. Local, but collective
  /// where it throws Error: after more than most_halvings, or if time.step is too long. motion: of this rank; when: of
  /// the message.
  void set_halvings(int halvings, const Motion& motion, const std::string& when, ExitStatus status);

private:
  void update_limit(std::span<const LocalIndex> elements);
  double contact_step(LocalIndex e) const;
  double nominal_step() const noexcept;
  double nominal_interval() const noexcept;
  double ratio_of_displacement(double speed) const noexcept;
  double ratio_of_stiffening(double stiffening) const noexcept;
  void check_fixed_step(const std::string& when, ExitStatus status) const;

  Comm comm_;
  const config::Scene& scene_;
  const Problem& problem_;
  State state_;
};

}  // namespace sunder::simulation
