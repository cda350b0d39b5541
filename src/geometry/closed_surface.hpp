#pragma once
/// A closed surface of triangles around a solid: its mass properties, and the signed distance of a point. Local.

#include "geometry/box_tree.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::geometry {

using TriangleCorners = std::array<std::uint32_t, 3>;

/// Distance to a surface, and the direction in which it grows.
struct SignedDistance {
  double metres = 0;           ///< Negative inside.
  Vec3 normal = Vec3::Zero();  ///< Unit, out of the solid; that of the nearest face for a point on the surface.
};

/// Stands in a frame of its own: the centre of mass is the origin, and the axes are those of inertia.
class ClosedSurface {
public:
  /// Local. The surface must be closed and face outward (io/surfaces/surface_check.hpp). Corners: positions in points.
  ClosedSurface(std::vector<Vec3> points, std::vector<TriangleCorners> triangles);

  double volume() const noexcept { return volume_; }  ///< [m^3]
  /// Where the origin of the own frame is in the frame that the points were given in, and the columns of the axes.
  const Vec3& centre() const noexcept { return centre_; }
  const Mat3& axes() const noexcept { return axes_; }
  /// Of a solid of uniform density, about the own axes, for each kilogram [m^2]. By the divergence theorem.
  const Vec3& inertia() const noexcept { return inertia_; }
  double radius() const noexcept { return radius_; }  ///< Of the farthest point from the centre of mass [m].
  const Box& box() const noexcept { return box_; }
  /// Area A such that springs of k n n^T all over the surface make a frequency of at most sqrt(k A / mass) [m^2].
  double spring_area() const noexcept { return spring_area_; }

  std::span<const Vec3> points() const noexcept { return points_; }  ///< In the own frame.
  std::span<const TriangleCorners> triangles() const noexcept { return triangles_; }

  /// Local. x in the own frame. The sign is that of the normal at the nearest point: of a face, of the two faces of an
  /// edge, or of the faces around a corner, weighted with their angles (Baerentzen and Aanaes 2005). About a
  /// microsecond, and more for large surfaces.
  SignedDistance distance(const Vec3& x) const;

private:
  /// Outward, not unit: of the face, of the edges (a, b), (b, c), (c, a), of the corners.
  struct Normals {
    Vec3 face;
    std::array<Vec3, 3> edges, corners;
  };
  void find_frame();
  void find_normals();
  void find_spring_area();

  std::vector<Vec3> points_;
  std::vector<TriangleCorners> triangles_;
  std::vector<Normals> normals_;
  BoxTree tree_;
  Box box_;
  double volume_ = 0, radius_ = 0, spring_area_ = 0;
  Vec3 centre_ = Vec3::Zero(), inertia_ = Vec3::Zero();
  Mat3 axes_ = Mat3::Identity();
};

}  // namespace sunder::geometry
