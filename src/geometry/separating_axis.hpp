#pragma once
/// Does a plane keep two elements apart, now or for a while? Pure.

#include "core/types.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace sunder::geometry {

/// Motion of an element's corners during a window of time: each moves straight from start to end.
struct LinearMotion {
  Mat34 start, end;
};

/// Local. Width of the gap between a and b along the axis, times the length of the axis [m]. Positive if all of b is
/// beyond all of a; negative if the two overlap along the axis.
inline double gap_along(const Vec3& axis, const Mat34& a, const Mat34& b)
{
  const auto along = [&axis](const Mat34& p) -> Eigen::Array4d {
    return axis.x() * p.row(0).transpose() + axis.y() * p.row(1).transpose() + axis.z() * p.row(2).transpose();
  };
  return along(b).minCoeff() - along(a).maxCoeff();
}

/// A plane between two elements: parallel to a face of one of them, or to an edge of each. Two convex polyhedra that
/// are apart have a plane of one of these kinds between them. It turns with the elements. One byte.
class SeparatingPlane {
public:
  SeparatingPlane() = default;  ///< None.
  static SeparatingPlane face_of_first(int opposite_corner) { return SeparatingPlane(1 + opposite_corner); }
  static SeparatingPlane face_of_second(int opposite_corner) { return SeparatingPlane(5 + opposite_corner); }
  static SeparatingPlane edges(int of_first, int of_second) { return SeparatingPlane(9 + 6 * of_first + of_second); }

  bool none() const noexcept { return code_ == 0; }
  /// From the middle of a to that of b, of any length; zero if there is none.
  Vec3 normal(const Mat34& a, const Mat34& b) const;
  /// Is the gap between a and b across it wider than `least` [m]? False if there is none.
  /// @param a, b  corners, positions in p [m]
  bool separates(const std::array<int, 4>& a, const std::array<int, 4>& b, std::span<const Row4> p, double least) const;

private:
  template <class Corners>
  Vec3 across(const Corners& a, const Corners& b) const;

  explicit SeparatingPlane(int code) : code_(static_cast<std::uint8_t>(code)) {}

  std::uint8_t code_ = 0;
};

/// Local. Is there a gap along the axis wider than skin [m] throughout the motion? Corners move straight, so the gap is
/// a concave function of time, and it is enough to look at both ends of the motion. False if the axis is zero.
bool keeps_apart(const Vec3& axis, const LinearMotion& a, const LinearMotion& b, double skin);

/// The planes of a tetrahedron's faces, plane k opposite corner k.
class FacePlanes {
public:
  FacePlanes() = default;
  explicit FacePlanes(const Mat34& p);

  Vec3 normal(int face) const { return normals_.col(face); }  ///< Out of the tetrahedron, of any length.
  /// By how much all of p is beyond each face, times the length of the normal; not positive where some is not.
  Eigen::Vector4d gaps(const Mat34& p) const
  {
    Eigen::Vector4d nearest = along_normals(p.col(0));
    for (int a = 1; a < 4; ++a) nearest = nearest.cwiseMin(along_normals(p.col(a)));
    return nearest - offsets_;
  }

private:
  Eigen::Vector4d along_normals(const Vec3& x) const
  {
    return (x.x() * normals_.row(0) + x.y() * normals_.row(1) + x.z() * normals_.row(2)).transpose();
  }

  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> normals_ = Mat34::Zero();
  Eigen::Vector4d offsets_ = Eigen::Vector4d::Zero();
};

/// Local. A face at the start of the motion along whose normal there is such a gap throughout; none if there is none.
/// @param of_a, of_b  of a.start and b.start
SeparatingPlane separating_face(const LinearMotion& a, const FacePlanes& of_a, const LinearMotion& b,
                                const FacePlanes& of_b, double skin);
inline SeparatingPlane separating_face(const LinearMotion& a, const LinearMotion& b, double skin)
{
  return separating_face(a, FacePlanes(a.start), b, FacePlanes(b.start), skin);
}

/// Local. The face across which a and b have the widest gap; none if they have none across any face.
SeparatingPlane widest_gap_at_a_face(const Mat34& a, const FacePlanes& of_a, const Mat34& b, const FacePlanes& of_b);

/// Local. A plane across which the gap between a and b is wider than `least` [m]; none if there is none. It is that of
/// the face with the widest gap, or else the one along two edges with the widest gap.
SeparatingPlane separating_plane(const Mat34& a, const Mat34& b, double least);

/// Local. Is there a separating_plane()? It stops at the first that will do, so it takes less time.
bool are_apart(const Mat34& a, const Mat34& b, double least);

}  // namespace sunder::geometry
