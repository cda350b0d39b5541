#pragma once
/// The forces two overlapping elements put on each other, T 5.3. Pure.

#include "contact/response.hpp"
#include "contact/surface.hpp"
#include "contact/tet_overlap.hpp"

namespace sunder::contact {

/// One of the two, columns are corners.
struct Side {
  Side() = default;
  explicit Side(const Mat34& positions, FaceSet free_faces = 0)
    : p(positions), coordinates(barycentric(positions)), free(free_faces)
  {
  }

  bool inside_out() const { return coordinates.volume < 0; }

  Mat34 p = Mat34::Zero();  ///< [m]
  Barycentric coordinates;
  FaceSet free = 0;  ///< Faces that belong to this element alone; touch_by_nodes() wants to know.
};

/// How elements a and b overlap: all that their forces need, good for as long as they move by little.
struct Touch {
  double volume = 0;           ///< [m^3]; 0: they do not.
  Vec3 area = Vec3::Zero();    ///< TetOverlap::area [m^2]
  Vec3 normal = Vec3::Zero();  ///< Out of b; see touch().
  Eigen::Vector4d weights_a = Eigen::Vector4d::Zero(), weights_b = Eigen::Vector4d::Zero();
};

/// Local. Forces act at the overlap's centre, so that neither momentum nor angular momentum changes, in the direction
/// in which the overlap shrinks fastest (T 5.4): any other, such as the normal of the free surface alone, makes springs
/// that pump energy into debris. Where an element is swallowed whole there is no such direction, and the normal shrinks
/// to nothing. An element turned inside out touches nothing: it has lost its outside. Nor do two that share no more
/// than 1e-12 of the larger.
Touch touch(const Side& a, const Side& b);

/// Local. Force on a [N], to be shared among its corners by weights_a, and minus it among b's by weights_b. p, v:
/// corners now. The overlap has changed by -area times the way its centre in a has gone from its centre in b since
/// touch(); `forgiven` [m^3] of it does not count. stiffness [N/m^3] stands in place of r's.
Vec3 force_of(const Touch& touch, const Response& r, double stiffness, double forgiven, const Mat34& p_a,
              const Mat34& v_a, const Mat34& p_b, const Mat34& v_b);

}  // namespace sunder::contact
