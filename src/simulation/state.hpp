#pragma once
/// What is simulated, at one instant: data without behaviour, and the halo that ranks exchange it by. A stepper
/// advances it (simulation/stepping), diagnostics read it, a checkpoint stores it, repartitioning moves it between
/// ranks.

#include "contact/law/obstacle.hpp"
#include "core/comm.hpp"
#include "element/model.hpp"
#include "partition/halo/halo.hpp"
#include "rigid/motion.hpp"
#include "simulation/energy_ledger.hpp"
#include "simulation/measurements.hpp"
#include "simulation/reactions.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sunder::simulation {

/// What option fracture.dust has done so far, over all ranks.
struct DustTotals {
  std::int64_t fragments = 0;  ///< That are dust now.
  double limit_without = 0;    ///< When mass was last added, the stable limit without any; 0: none was added [s].
  double limit_with = 0;       ///< And with it [s].
  bool warned = false;         ///< That it is much.
};

/// What option lattice.crumbs has done, over all ranks. Of the crumbs when the impact was over.
struct CrumbTotals {
  bool settled = false;          ///< It has been done.
  std::int64_t elements = 0;     ///< That became particles, or nothing.
  double mass = 0;               ///< [kg]
  Vec3 momentum = Vec3::Zero();  ///< [kg m/s]
  double kinetic = 0;            ///< [J]
};

/// Nodes and elements are those this rank holds; all else is the same on every rank, unless it says otherwise.
struct State {
  Comm comm;
  element::Model model;
  std::unique_ptr<partition::Halo> halo;
  std::vector<contact::Obstacle> obstacles;     ///< With stiffness chosen where the scene left it open.
  std::vector<rigid::Motion> obstacle_motions;  ///< (obstacles) where they are and how they move

  double mesh_size = 0;                                 ///< Mean edge length of the unbroken mesh [m].
  GlobalIndex initial_nodes = 0, initial_elements = 0;  ///< Of the unbroken mesh, over all ranks.
  GlobalIndex num_elements = 0;                         ///< Now, over all ranks.

  double time = 0;                                          ///< [s]
  double load_lag = 0;                                      ///< How far loads are behind time, for load_control [s].
  double dt = 0;                                            ///< Of the last step [s].
  double dt_min = std::numeric_limits<double>::infinity();  ///< The shortest step so far [s].
  double maximum_speed = 0;                                 ///< Of the nodes held, after the last step [m/s].
  std::int64_t steps = 0;                                   ///< Taken so far.
  std::int64_t events = 0;                                  ///< Crack events so far, over all ranks.
  std::int64_t fragments = 0;                               ///< Now, over all ranks.
  std::int64_t next_fragment = 0;                           ///< Number that the next one gets.

  DustTotals dust;
  CrumbTotals crumbs;
  EnergyLedger ledger;  ///< This rank's contribution to the work.
  Reactions reactions;  ///< This rank's, since the last row of output.
  Measurements measured;
  std::vector<std::string> warnings;   ///< Of set-up and run, for the summary.
  bool warned_of_repartition = false;  ///< That repartitioning failed.

  double load_time() const noexcept { return time - load_lag; }  ///< Local. Whose loads and prescribed motions act [s].
};

/// Local, on every rank. Logs the warning and keeps it for the summary.
void warn(State& state, const std::string& message);

}  // namespace sunder::simulation
