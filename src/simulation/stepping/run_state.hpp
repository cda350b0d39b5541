#pragma once
/// What a run remembers besides its bodies: with them, all it takes to go on to the same bits.

#include "rigid/motion.hpp"
#include "simulation/energy_ledger.hpp"
#include "simulation/hybrid/stored_bodies.hpp"
#include "simulation/measurements.hpp"
#include "simulation/probes.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/step_control.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// The same on every rank; sums are over all ranks.
struct RunState {
  std::string scene;        ///< Completed, as in scene.yaml.
  Rank ranks = 1;           ///< That wrote it.
  std::string fingerprint;  ///< Of the program and the nodes that wrote it; empty in files of before there was one.

  double mesh_size = 0;                                 ///< Of the unbroken mesh [m].
  GlobalIndex initial_nodes = 0, initial_elements = 0;  ///< Likewise.
  StepControl::Stored control;
  double next_step = 0;  ///< Of a static or implicit solver: the step to take next [s].
  double load_lag = 0;   ///< As State::load_lag [s].
  double path_rate = 0;  ///< Of arc lengths: that of a step over its time [m/s]; 0: no step was taken yet.
  /// Of the adaptive solver.
  struct Phase {
    bool implicit = true;
    double since = 0;                 ///< Its first step began then [s].
    double wait = 0, next_trial = 0;  ///< Between two trials of an implicit step; the time of the next one [s].
  } phase;

  double time = 0, dt = 0, dt_min = 0;  ///< [s]
  double maximum_speed = 0;             ///< [m/s]
  double next_check = 0;                ///< Of failure [s].
  std::int64_t steps = 0, events = 0, element_steps = 0;
  std::int64_t fragments = 0, next_fragment = 0;
  std::uint32_t rounds = 0;
  GlobalIndex num_elements = 0;  ///< Now.
  bool warned_of_inversion = false, warned_of_rounds = false;

  std::vector<rigid::Motion> obstacles;
  std::vector<StoredBody> bodies;       ///< Of the hybrid solver.
  std::vector<StoredImpulse> impulses;  ///< Likewise.
  /// Of each obstacle that is a triangle mesh its measures, to know the surface again; of others none.
  std::vector<std::vector<double>> surfaces;
  Work work;
  double released = 0;            ///< As EnergyLedger::released, over all ranks [J].
  std::int64_t broken_links = 0;  ///< As in EnergyLedger, over all ranks.
  double broken_surface = 0;      ///< Likewise [J].
  SolveCounts solves;
  std::int64_t impacts = 0;
  BondCounts bonds;
  EnergyLedger::Baseline baseline;
  Reactions reactions;  ///< Over all ranks.
  DustTotals dust;
  CrumbTotals crumbs;
  std::vector<StoredPoint> points;  ///< Of probes.
  WallSeconds wall;                 ///< Of the slowest rank, so far.
  double loop_seconds = 0, halo_bytes = 0;
  std::vector<std::string> warnings;
};

/// Local. Text, with every double to its last bit.
std::string to_json(const RunState& state);

/// Local. Throws Error that names `file` if the text is not of this version of the program.
RunState run_state_from_json(const std::string& text, const std::string& file);

}  // namespace sunder::simulation
