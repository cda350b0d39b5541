#pragma once
/// What a writer sees of the simulation at one instant.

#include "core/types.hpp"
#include "geometry/closed_surface.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sunder::io {

/// A named array: for each row (a node or an element) so many numbers.
struct Field {
  using Values = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int32_t>>;

  std::string name;  ///< As in the file.
  std::string unit;  ///< SI; empty: a pure number.
  int components = 1;
  Values values;  ///< (rows x components)

  std::span<const char* const> component_names() const;  ///< Local. Of a symmetric tensor; else there are none.
  std::size_t bytes_a_row() const;                       ///< Local. In the file, before compression.
  Field empty_like() const;                              ///< Local. Without rows.
  /// Local. Appends some rows of a field like this one.
  void append(const Field& other, std::span<const std::size_t> rows);
};

inline constexpr LocalIndex no_corner = -1;

/// Local. Nodes of an element of a frame: 4 of a tetrahedron, 3 of a triangle, 2 of a line; no_corner follows.
template <class Index>
std::size_t num_corners(const std::array<Index, 4>& corners)
{
  std::size_t count = 4;
  while (count > 0 && corners[count - 1] == no_corner) --count;
  return count;
}

/// Nodes and elements are those this rank holds.
struct Frame {
  double time = 0;  ///< [s]

  std::vector<NodeId> node_id;
  std::vector<Rank> node_owner;
  std::vector<Vec3> points;        ///< (nodes) where they are drawn [m]
  std::vector<Field> node_fields;  ///< (nodes)

  std::vector<ElementId> element_id;
  std::vector<Tet> corners;           ///< (elements) local node indices, see num_corners()
  std::vector<Field> element_fields;  ///< (elements)
};

/// Local. The rank that writes the element: the lowest owner of a corner, so that each element is written once.
Rank writer_of(const Frame& frame, std::size_t element);

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

/// A cylinder, or a capsule with hemispheres beyond the ends of its length, at the instant of a frame.
struct RoundBar {
  bool capsule = false;
  Vec3 center = Vec3::Zero();                                       ///< [m]
  double radius = 0, length = 0;                                    ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< Takes z to its axis.
};

/// A solid with a surface of triangles, at the instant of a frame.
struct TriangleSolid {
  Vec3 center = Vec3::Zero();  ///< Of mass [m].
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  std::shared_ptr<const geometry::ClosedSurface> surface;  ///< In its own frame.
};

using ObstacleShape = std::variant<Sphere, OrientedBox, RoundBar, TriangleSolid>;

}  // namespace sunder::io
