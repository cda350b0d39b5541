#pragma once
/// What a writer sees of the simulation at one instant: views, nothing owned.

#include "core/types.hpp"

#include <cstdint>
#include <span>
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

}  // namespace sunder::io
