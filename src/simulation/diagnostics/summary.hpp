#pragma once
/// summary.json: what a run did, for scripts.

#include "config/scene.hpp"
#include "simulation/diagnostics/crack_surface.hpp"
#include "simulation/diagnostics/partition_statistics.hpp"
#include "simulation/energy_ledger.hpp"
#include "simulation/measurements.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sunder::simulation {

/// summary.json, as contracted with users' scripts; numbers already reduced over ranks.
struct Summary {
  std::string version, scene, run;  ///< run: io/run_files/run_identity.hpp
  int ranks = 1;
  std::int64_t steps = 0;
  double time = 0, dt_min = 0;
  std::int64_t nodes = 0, elements = 0, nodes_initial = 0, elements_initial = 0, fragments = 0, fracture_events = 0;
  double mass = 0;
  Vec3 momentum = Vec3::Zero();
  Energy energy;
  CrackTotals cracks;
  std::int64_t cracking_checks = 0, rounds = 0;  ///< As Measurements has them.
  double largest_crack = 0;                      ///< Area of one side [m^2].
  double released_energy = 0;                    ///< fracture::released_energy() of all events [J].
  bool cohesive = false;                         ///< Do links hold young cracks together?
  std::int64_t links = 0, broken_links = 0;
  double linked_surface = 0, broken_surface = 0;  ///< G_c times the area of all links so far, and of broken ones [J].
  double taken_by_broken = 0;                     ///< What broken ones have taken [J].
  std::uint64_t state_hash = 0;
  WallSeconds wall;
  double ns_per_element_step = 0, halo_bytes_per_step = 0;
  PartitionStatistics partition;
  double work_imbalance = 1;  ///< Processor time of the busiest rank over the mean, since it was last checked.
  std::int64_t num_repartitions = 0;
  std::int64_t peak_rss_bytes = 0;
  double bytes_per_element = 0;  ///< Peak memory of set-up and run above the start of the program, over the most
                                 ///< elements that the rank has held; of the rank with most.
  std::string solver;            ///< As in a scene.
  SolveCounts solves;            ///< Of static and implicit solvers.
  BondCounts bonds;              ///< Of a lattice.
  CrumbTotals crumbs;            ///< Likewise.
  std::int64_t impacts = 0;      ///< That the hybrid solver has analysed since the run was started or restarted.
  ImpactSeconds impact_seconds;  ///< Of all ranks.
  StepLimit step_limit;          ///< Of the smallest step.
  ShortenedSteps shortened;
  std::int64_t viscosity_capped_elements = 0;
  double added_mass = 0;  ///< By mass scaling, and to dust [kg].
  LocalStepCounts local_steps;
  DustTotals dust;
  std::int64_t dust_elements = 0;
  double dust_mass = 0;  ///< Added to dust [kg].
  std::vector<std::string> warnings;
};

/// Collective. Of the run up to now; forces must have been computed. `version` and `run` are left empty.
Summary summary(const config::Scene& scene, State& state, const Stepper& stepper);

/// Local. Keys in the order of the struct; state_hash as 16 hex digits, because JSON numbers lose bits above 2^53.
std::string to_json(const Summary& summary);

/// Local; one rank calls it. Whole or not there (io/files/atomic_file.hpp).
void write_summary(const std::filesystem::path& path, const Summary& summary);

}  // namespace sunder::simulation
