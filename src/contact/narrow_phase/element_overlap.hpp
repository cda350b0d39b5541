#pragma once
/// How two elements overlap: all that their contact force needs. Pure.

#include "contact/broad_phase/contact_surface.hpp"
#include "geometry/tet_overlap.hpp"

namespace sunder::contact {

/// One of the two elements. Columns are corners.
struct Side {
  Side() = default;
  explicit Side(const Mat34& positions, FreeFaces free_faces = 0)
    : p(positions), coordinates(geometry::barycentric(positions)), free(free_faces)
  {
  }

  bool inverted() const { return coordinates.volume < 0; }

  Mat34 p = Mat34::Zero();  ///< [m]
  geometry::Barycentric coordinates;
  FreeFaces free = 0;  ///< Free faces; only overlap_by_nodes() uses them.
};

/// The overlap of elements a and b. pair_force() extrapolates it while the two move by little.
struct ElementOverlap {
  double volume = 0;           ///< [m^3]; 0: no overlap.
  Vec3 area = Vec3::Zero();    ///< TetOverlap::area [m^2]
  Vec3 normal = Vec3::Zero();  ///< Direction of the force on a, out of b: unit, or shorter (overlap_of_elements()).
  Eigen::Vector4d weights_a = Eigen::Vector4d::Zero(), weights_b = Eigen::Vector4d::Zero();
};

/// of_slope: with the bits that slope_of_overlap() has, as geometry::overlap_as_slope().
enum class Arithmetic { fast, of_slope };

/// Local. Forces act at the overlap's centre, so neither momentum nor angular momentum changes. Their direction is the
/// one in which the overlap shrinks fastest (T 5.4). Any other direction, such as the normal of the free surface alone,
/// would make springs that pump energy into debris. An element inside the other has no such direction, and there
/// the normal shrinks to zero. There is no overlap if an element is inverted, as it has no outside, or if the two share
/// no more than 1e-12 of the larger one's volume.
ElementOverlap overlap_of_elements(const Side& a, const Side& b, Arithmetic arithmetic = Arithmetic::fast);

/// How an overlap changes with the corners of both elements; columns as of geometry::Slope.
struct ElementOverlapSlope {
  ElementOverlap overlap;
  geometry::Slope<1> volume = geometry::Slope<1>::Zero();
  geometry::Slope<3> normal = geometry::Slope<3>::Zero();
  geometry::Slope<4> weights_a = geometry::Slope<4>::Zero(), weights_b = geometry::Slope<4>::Zero();
};

/// Local. Of overlap_of_elements(), exact.
ElementOverlapSlope slope_of_overlap(const Side& a, const Side& b);

}  // namespace sunder::contact
