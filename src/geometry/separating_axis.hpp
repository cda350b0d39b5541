#pragma once
/// Planes between two elements, now or for a while. Pure.

#include "core/four.hpp"
#include "core/types.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace sunder::geometry {

/// Local. Width of the gap between a and b along the axis, times the length of the axis [m]. Positive if all of b is
/// beyond all of a; negative if the two overlap along the axis.
inline double gap_along(const Vec3& axis, const Mat34& a, const Mat34& b)
{
  const auto along = [&axis](const Mat34& p) -> Eigen::Array4d {
    return axis.x() * p.row(0).transpose() + axis.y() * p.row(1).transpose() + axis.z() * p.row(2).transpose();
  };
  return along(b).minCoeff() - along(a).maxCoeff();
}

/// Coordinates of an element's corners, each of all four in one register [m].
struct Corners {
  Four x{}, y{}, z{};

  Corners() = default;
  explicit Corners(const Mat34& p)
    : x{p(0, 0), p(0, 1), p(0, 2), p(0, 3)},
      y{p(1, 0), p(1, 1), p(1, 2), p(1, 3)},
      z{p(2, 0), p(2, 1), p(2, 2), p(2, 3)}
  {
  }
  /// @param nodes  positions in p
  Corners(const std::array<int, 4>& nodes, std::span<const Row4> p)
  {
    const auto row = [p](int node) { return four(p[static_cast<std::size_t>(node)]); };
    const std::array<Four, 4> rows = transposed(row(nodes[0]), row(nodes[1]), row(nodes[2]), row(nodes[3]));
    x = rows[0], y = rows[1], z = rows[2];
  }

  Four corner(std::size_t k) const { return Four{x[k], y[k], z[k], 0}; }
};

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
  bool separates(const Corners& a, const Corners& b, double least) const;

private:
  explicit SeparatingPlane(int code) : code_(static_cast<std::uint8_t>(code)) {}

  std::uint8_t code_ = 0;
};

/// The planes of a tetrahedron's faces, plane k opposite corner k.
class FacePlanes {
public:
  FacePlanes() = default;
  explicit FacePlanes(const Mat34& p);

  Vec3 normal(int face) const { return normals_.col(face); }  ///< Out of the tetrahedron.
  double length(int face) const { return lengths_[face]; }    ///< Of its normal.
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
  Eigen::Vector4d lengths_ = Eigen::Vector4d::Zero(), offsets_ = Eigen::Vector4d::Zero();
};

/// How far apart two elements are across the planes of their faces.
class FaceGaps {
public:
  /// Refers to all of these.
  FaceGaps(const Mat34& a, const FacePlanes& of_a, const Mat34& b, const FacePlanes& of_b)
    : a_(a), b_(b), of_a_(of_a), of_b_(of_b), beyond_a_(of_a.gaps(b)), beyond_b_(of_b.gaps(a))
  {
  }

  /// The face across which they have the widest gap; none if they have none across any.
  SeparatingPlane widest() const;
  /// A face across which there is a gap wider than skin [m] for so long [s] while corners move straight with v_a and
  /// v_b [m/s]; none if there is none. A gap is a concave function of time: it is enough to look at both ends.
  SeparatingPlane lasting(const Mat34& v_a, const Mat34& v_b, double time, double skin) const;

  /// Calls visit(gap times length of normal, length of normal, plane) for all eight.
  template <class Visit>
  void for_each(Visit&& visit) const
  {
    for (int face = 0; face < 4; ++face) {
      visit(beyond_a_[face], of_a_.length(face), SeparatingPlane::face_of_first(face));
      visit(beyond_b_[face], of_b_.length(face), SeparatingPlane::face_of_second(face));
    }
  }

private:
  const Mat34 &a_, &b_;
  const FacePlanes &of_a_, &of_b_;
  Eigen::Vector4d beyond_a_, beyond_b_;  // b beyond the faces of a, a beyond those of b
};

/// Local. A plane across which the gap between a and b is wider than `least` [m]; none if there is none. It is that of
/// the face with the widest gap, or else the one along two edges with the widest gap.
SeparatingPlane separating_plane(const Mat34& a, const Mat34& b, double least);

/// Local. Is there a separating_plane()? It stops at the first that will do, so it takes less time.
bool are_apart(const Mat34& a, const Mat34& b, double least);

}  // namespace sunder::geometry
