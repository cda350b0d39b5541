#pragma once
/// Barycentric coordinates of a tetrahedron. Pure.

#include "core/types.hpp"

namespace sunder::geometry {

/// A tetrahedron's barycentric coordinates as linear functions: column a of gradient is grad N_a [1/m].
struct Barycentric {
  Vec3 origin = Vec3::Zero();  ///< Corner 0.
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> gradient = Mat34::Zero();
  double volume = 0;  ///< [m^3], negative if inside out; 0 if it is flat, and gradient is not to be used.

  Eigen::Vector4d at(const Vec3& x) const
  {
    const Vec3 d = x - origin;
    return Eigen::Vector4d::UnitX() +
           (d.x() * gradient.row(0) + d.y() * gradient.row(1) + d.z() * gradient.row(2)).transpose();
  }
};

/// Local. Of the corners p.
Barycentric barycentric(const Mat34& p);

}  // namespace sunder::geometry
