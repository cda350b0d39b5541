#pragma once
/// What a run measures of itself while it goes on.

#include "core/reduction.hpp"

#include <cstdint>

namespace sunder::simulation {

/// Wall time by phase [s].
struct WallSeconds {
  double total = 0, setup = 0, forces = 0, failure = 0, remesh = 0, contact = 0, halo = 0, solve = 0, output = 0;

  /// Local. Of each phase, the time of the rank that took longest, with the others of the reduction.
  void join(Reduction& all) { all.max(total, setup, forces, failure, remesh, contact, halo, solve, output); }
};

/// The effort of solves, the same on every rank.
struct SolveCounts {
  std::int64_t newton_iterations = 0, linear_iterations = 0;
  std::int64_t switches = 0;  ///< Between implicit and explicit steps.
};

/// Processor time of the analyses of impacts on rigid bodies [s].
struct ImpactSeconds {
  double gather = 0;    ///< Bringing bodies to the ranks that analyse them, and making models of them there.
  double assembly = 0;  ///< Forces and stiffness of their elements.
  double solve = 0;     ///< Linear solves and what else Newton's method does.
  double fracture = 0;  ///< Stress, and parting along planes.

  double sum() const noexcept { return gather + assembly + solve + fracture; }
  void add(const ImpactSeconds& other)
  {
    gather += other.gather, assembly += other.assembly, solve += other.solve, fracture += other.fracture;
  }
  void join(Reduction& all) { all.sum(gather, assembly, solve, fracture); }  ///< Local. Sums over ranks.
};

/// Of a lattice, the same on every rank.
struct BondCounts {
  std::int64_t count = 0, broken = 0, ties = 0;  ///< Ties: as lattice::StepResult, of all steps.
};

/// Of this rank.
struct Measurements {
  WallSeconds wall;
  double making_stepper = 0;       ///< Processor time of set-up that a repartition takes, too [s].
  double loop_seconds = 0;         ///< In steps alone [s].
  double halo_bytes = 0;           ///< Sent to ghosts in all steps.
  std::int64_t element_steps = 0;  ///< Elements over all ranks, added up over steps.
  SolveCounts solves;
  BondCounts bonds;
  /// Failure checks in which nodes were split, and rounds of all checks. Since the run was started or restarted, the
  /// same on every rank.
  std::int64_t cracking_checks = 0, rounds = 0;
  std::int64_t impacts = 0;           ///< That the hybrid solver has analysed, over all ranks.
  ImpactSeconds impact_seconds;       ///< On this rank.
  std::int64_t memory_at_start = 0;   ///< Before set-up [bytes].
  std::int64_t num_repartitions = 0;  ///< Since the run was started or restarted.
  LocalIndex most_elements_held = 0;  ///< By this rank, when it gave some to others.
};

}  // namespace sunder::simulation
