#pragma once
/// What a writer sees of the simulation at one instant: views, nothing owned.

#include "core/reduction.hpp"
#include "core/types.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sunder::io {

struct Frame {
  std::int64_t step = 0;
  double time = 0;
  bool reference_geometry = false;  ///< Points at rest positions instead of world positions.

  std::span<const NodeId> node_id;   ///< (nodes) every node this rank holds
  std::span<const Rank> node_owner;  ///< (nodes)
  std::span<const Vec3> X;           ///< (nodes) material positions [m]
  std::span<const Row4> p, v;        ///< (nodes) world positions [m], velocities [m/s]

  std::span<const Tet> tets;                ///< (elements) local node indices
  std::span<const ElementId> element_id;    ///< (elements) mesh::no_element: an empty slot
  std::span<const MaterialIndex> material;  ///< (elements)

  /// Elements this rank writes: those whose lowest corner owner it is, so that each element of the mesh is in exactly
  /// one rank's list. For each of them:
  std::span<const LocalIndex> written;
  std::span<const std::array<double, 6>> stress;  ///< (written) Cauchy, XX YY ZZ XY YZ XZ [Pa]
  std::span<const double> max_principal_stress;   ///< (written) [Pa]
  std::span<const double> plastic_strain;         ///< (written) Frobenius norm [-]
  std::span<const std::int64_t> fragment;         ///< (written) dense number, largest id never exceeds fragments - 1
};

/// A spherical obstacle at the instant of a frame.
struct Sphere {
  Vec3 center = Vec3::Zero();  ///< [m]
  double radius = 0;           ///< [m]
};

/// A box-shaped obstacle at the instant of a frame.
struct OrientedBox {
  Vec3 center = Vec3::Zero();                                       ///< [m]
  Vec3 size = Vec3::Zero();                                         ///< Lengths of its edges [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< Takes the box's own axes to the world's.
};

using ObstacleShape = std::variant<Sphere, OrientedBox>;

struct Energy {
  double kinetic = 0, elastic = 0, viscous = 0, plastic = 0, contact = 0, external = 0, remeshing = 0;
  double relative_error = 0;
};

/// One line of history.csv.
struct HistoryRow {
  std::int64_t step = 0;
  double time = 0, dt = 0;
  std::int64_t nodes = 0, elements = 0, fragments = 0, events = 0;
  Energy energy;
};

/// Wall time by phase [s].
struct WallSeconds {
  double total = 0, setup = 0, forces = 0, failure = 0, remesh = 0, contact = 0, halo = 0, solve = 0, output = 0;

  /// Local. Of each phase, the time of the rank that took longest, with the others of the reduction.
  void join(Reduction& all) { all.max(total, setup, forces, failure, remesh, contact, halo, solve, output); }
};

/// How a mesh is shared out among ranks.
struct Shares {
  double imbalance = 1;                      ///< Elements of the rank that holds most, over the mean.
  std::int64_t held_elements = 0;            ///< Over all ranks; more than there are: copies are computed too.
  std::int64_t shared_elements = 0;          ///< Held by more than one rank: the cut.
  std::int64_t ghosts = 0, most_ghosts = 0;  ///< Copies of other ranks' nodes: all, and of the rank that has most.
  std::int64_t messages = 0;                 ///< Of one halo exchange, all ranks.
  std::int64_t most_neighbours = 0;          ///< Ranks that one rank exchanges with.
  double work_imbalance = 1;          ///< Processor time of the busiest rank over the mean, since the last look at it.
  std::int64_t times_shared_out = 0;  ///< Work was shared out anew.
};

/// summary.json, as contracted with users' scripts; numbers already reduced over ranks.
struct Summary {
  std::string version, scene, run;  ///< run: io/run_identity.hpp
  int ranks = 1;
  std::int64_t steps = 0;
  double time = 0, dt_min = 0;
  std::int64_t nodes = 0, elements = 0, nodes_initial = 0, elements_initial = 0, fragments = 0, fracture_events = 0;
  double mass = 0;
  Vec3 momentum = Vec3::Zero();
  Energy energy;
  std::uint64_t state_hash = 0;
  WallSeconds wall;
  double ns_per_element_step = 0, halo_bytes_per_step = 0;
  Shares shares;
  std::int64_t peak_rss_bytes = 0;
  double bytes_per_element = 0;  ///< Peak memory of set-up and run above the start of the program, over elements held.
  struct StepLimit {
    std::string kind;
    std::uint64_t element = 0;  ///< Low word of its id.
    double seconds = 0;
  };
  StepLimit step_limit;  ///< What set the smallest step: elastic, viscous or contact, and which element.
  std::int64_t viscosity_capped_elements = 0;
  double added_mass = 0;  ///< By mass scaling [kg].
  std::vector<std::string> warnings;
};

}  // namespace sunder::io
