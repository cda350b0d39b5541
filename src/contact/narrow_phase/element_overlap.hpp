#pragma once
/// How two elements overlap: all that the forces they put on each other need. Pure.

#include "contact/broad_phase/surface.hpp"
#include "geometry/tet_overlap.hpp"

namespace sunder::contact {

/// One of the two, columns are corners.
struct Side {
  Side() = default;
  explicit Side(const Mat34& positions, FaceSet free_faces = 0)
    : p(positions), coordinates(geometry::barycentric(positions)), free(free_faces)
  {
  }

  bool inverted() const { return coordinates.volume < 0; }

  Mat34 p = Mat34::Zero();  ///< [m]
  geometry::Barycentric coordinates;
  FaceSet free = 0;  ///< Faces that belong to this element alone; for overlap_by_nodes().
};

/// How elements a and b overlap: all that their forces need, good for as long as they move by little.
struct ElementOverlap {
  double volume = 0;           ///< [m^3]; 0: they do not.
  Vec3 area = Vec3::Zero();    ///< TetOverlap::area [m^2]
  Vec3 normal = Vec3::Zero();  ///< Out of b; see overlap_of_elements().
  Eigen::Vector4d weights_a = Eigen::Vector4d::Zero(), weights_b = Eigen::Vector4d::Zero();
};

/// Local. Forces act at the overlap's centre, so that neither momentum nor angular momentum changes, in the direction
/// in which the overlap shrinks fastest (T 5.4): any other, such as the normal of the free surface alone, makes springs
/// that pump energy into debris. Where an element is swallowed whole there is no such direction, and the normal shrinks
/// to nothing. An inverted element overlaps nothing: it has lost its outside. Nor do two that share no more
/// than 1e-12 of the larger.
ElementOverlap overlap_of_elements(const Side& a, const Side& b);

}  // namespace sunder::contact
