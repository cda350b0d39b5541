#pragma once
/// How long a step may be: by stability, and so that nothing passes through a body unnoticed. docs/deformation.md,
/// docs/contact.md.

#include "config/scene.hpp"
#include "core/error.hpp"
#include "element/cohesion.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/step_limit.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Local. Time that the fastest wave takes through a typical element of the unbroken mesh [s]. Stress builds up in
/// about that time; cutting does not change it.
double crossing_time(const State& state);

/// Answers are the same on every rank, but for step_ratio() and mass_factor_for_unbroken_step().
class StepControl {
public:
  /// Collective. The mesh is unbroken, or restore() follows. scene and state must outlive it. Throws Error (bad_input)
  /// if time.step is above the stable limit.
  StepControl(const config::Scene& scene, const State& state);

  /// What it knows from before the mesh broke, and since.
  struct Stored {
    StepLimit limit;
    double least_compliance = 0;  ///< Of any element: mesh size over lambda + 2 mu [m/Pa].
    double overlap_interval = 0;  ///< Nominal: before any halving [s].
    /// The farthest that anything may move between two overlap updates: a quarter of the height of the lowest element
    /// of the unbroken mesh [m]. So two bodies close in by at most half of it.
    double largest_displacement = 0;
    double unbroken = 0;  ///< Limit of the unbroken mesh [s].
    int halvings = 0;     ///< Of the nominal interval, so that nothing moves further.
  };
  const Stored& stored() const noexcept { return stored_; }  ///< Local.
  void restore(const Stored& stored) { stored_ = stored; }   ///< Local.

  /// Local. Elements (slots) were cut or made: the step that those of this rank allow [s]. tighten_limit() must follow.
  double least_step(std::span<const LocalIndex> elements);
  /// Collective if the limit falls: two reductions. To `least`, the least of all ranks' least_step() in step `step`.
  /// Throws Error (simulation_failed) if time.step is above it now.
  void tighten_limit(double least, std::int64_t step);

  /// Collective. Of all elements anew: some allow longer steps than they did, for they were given mass.
  void renew_limit(std::int64_t step);
  /// Local. What the mass of an element must be multiplied by, a power of two, for the step of the unbroken mesh.
  double mass_factor_for_unbroken_step(LocalIndex e) const;
  /// Local. Are elements that allow only short steps stepped more often than the others? docs/local-steps.md. Then the
  /// limit is that of the others.
  bool local_steps() const noexcept { return local_steps_; }
  /// The finest level: elements there take 2^deepest_level steps in a step of the others.
  static constexpr int deepest_level = 6;
  /// The greatest (frequency x step)^2 that is allowed at a level: of the element's own oscillations at its own level,
  /// of what the filter of finer levels leaves of them at a coarser one. 4 is where central differences become
  /// unstable; at 3 an oscillation has three steps, and a force that is not linear feeds it. A level may see less than
  /// the next coarser one, so that what it leaves stays off both ends of that one's filter. docs/local-steps.md.
  static double stiffest(int level) noexcept;
  /// The longest macro step that an element of this stable limit bears, at the deepest level [s].
  static double longest_macro_step(double limit) noexcept;
  /// Local. (elements) The level of each, from its stable limit: 0 if that is the limit of the coarsest level, else the
  /// least that bears its frequency. 0 without local steps. A pure function of the element: the same on every rank.
  void levels(std::span<const LocalIndex> elements, std::span<std::uint8_t> result) const;
  /// Local. The level that a stable limit [s] asks for.
  std::uint8_t level_of(double limit) const noexcept;

  /// Collective. The limit there would be if dust had the mass of its material [s].
  double limit_without_dust() const;

  const StepLimit& limit() const noexcept { return stored_.limit; }  ///< Local.
  double step_size() const noexcept;                                 ///< Local. Output times aside [s].
  double overlap_interval() const noexcept;                          ///< Local. Between overlap updates [s].

  /// Steps are halved no more often.
  static constexpr int most_halvings = 8;
  /// What shortens the step on a rank, besides the stable limit at rest.
  struct Demand {
    double speed = 0;       ///< The greatest [m/s].
    double stiffening = 1;  ///< element::InternalForceSums::stiffening.
  };
  /// Local. The nominal interval (the longer of the nominal step and the time between overlap updates) over the
  /// longest one that this rank allows. Above 1 the step has to be halved. Two things limit it: nothing may move
  /// further than the largest displacement, and deformed elements need a stable step. Elements that are nearly flat ask
  /// for no more than most_halvings gives: should that not do, they invert (time.inverted).
  double step_ratio(const Demand& demand) const noexcept;
  /// Halves step and interval so many times, for a largest ratio of 2^halvings over all ranks. Local, but collective
  /// where it throws Error: after more than most_halvings, or if time.step is too long; bad_input before the first
  /// step, then simulation_failed. demand: of this rank.
  void set_halvings(int halvings, const Demand& demand);
  /// Local. A step of step_size() is taken.
  void count_step() noexcept;
  const ShortenedSteps& shortened_steps() const noexcept { return shortened_; }  ///< Local; ratios: of this rank.

private:
  std::vector<LocalIndex> all_slots() const;
  element::LinkLimit limit_of_links(std::span<const LocalIndex> elements) const;
  void take_limit(double least);
  double coarsest_limit() const noexcept;
  double coarsest_step() const noexcept;
  double share_of_limit() const noexcept;
  double relaxed(double limit) const noexcept;
  double nominal_step() const noexcept;
  double nominal_interval() const noexcept;
  double ratio_of_displacement(double speed) const noexcept;
  double ratio_of_stiffening(double stiffening) const noexcept;
  void check_fixed_step(const std::string& when, ExitStatus status) const;

  const config::Scene& scene_;
  /// The element of this rank that asks for the shortest step, of those that least_step() looked at last.
  struct Tightest {
    double step = std::numeric_limits<double>::infinity();
    std::uint64_t id = 0;
    std::int64_t kind = 0;
  };

  const State& state_;
  ShortenedSteps shortened_;  // ratios: of this rank
  bool local_steps_;
  Stored stored_;
  Tightest tightest_;
};

}  // namespace sunder::simulation
