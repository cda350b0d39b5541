#pragma once
/// Laws that hold for an element of whatever material, as checks that the tests of each law of elasticity share.

#include "random_element.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace sunder::element::testing {

/// Forces f on corners at p (about 0.1 m) neither push the element nor turn it.
inline void check_balance(const Mat34& p, const Mat34& f)
{
  Vec3 torque = Vec3::Zero();
  for (int a = 0; a < 4; ++a) torque += p.col(a).cross(f.col(a));
  CHECK(f.rowwise().sum().norm() <= 1e-14 * f.norm());
  CHECK(torque.norm() <= 1e-14 * f.norm());
}

/// An element that is turned, shifted and moved as a rigid body has no forces. modulus: of the material [Pa].
inline void check_rigid_motion(Random& random, const Mat34& X, const material::Material& m, double modulus)
{
  const Mat3 R = random.rotation();
  const Vec3 shift = random.vector(3), spin = random.vector(1), drift = random.vector(5);
  Mat34 p = R * X, v;
  for (int a = 0; a < 4; ++a) v.col(a) = drift + spin.cross(Vec3(p.col(a)));
  p.colwise() += shift;
  // Positions 3 m away and speeds of 5 m/s round at 1e-16 of that over heights of a few mm.
  CHECK(force_on(X, p, v, m).norm() <= 1e-12 * modulus * 0.1 * 0.1);
}

/// A patch test: in a linear field F X, with velocities Fdot X, an inner node has no force, and outer ones have that of
/// the first Piola-Kirchhoff stress P on the faces.
/// @param inner_tolerance  of the inner node's force, over that on the faces
inline void check_linear_field(const Mat3& F, const Mat3& Fdot, const Mat3& P, const material::Material& m,
                               double inner_tolerance)
{
  // A tetrahedron cut in four at an inner point: outer nodes carry -P times a third of their faces' area vectors.
  const Mat34 outer = regular_tet(0.1);
  const Vec3 inner(0.004, -0.002, 0.007);
  ElementBlocks blocks;
  blocks.resize(4);
  std::vector<Row4> p(5), v(5), f(5);
  for (int n = 0; n < 5; ++n) {
    const Vec3 X = n < 4 ? Vec3(outer.col(n)) : inner;
    p[static_cast<std::size_t>(n)].set_xyz(F * X), v[static_cast<std::size_t>(n)].set_xyz(Fdot * X);
  }
  for (LocalIndex e = 0; e < 4; ++e) {
    Tet nodes{0, 1, 2, 3};
    Mat34 X = outer;
    nodes[static_cast<std::size_t>(e)] = 4, X.col(e) = inner;
    REQUIRE(blocks.set(e, nodes, as_array(X), 0, 1, true) > 0);
  }
  add_internal_forces(blocks, std::vector{m}, p, v, f);
  const double scale = P.norm() * 0.01;
  CHECK(f[4].xyz().norm() <= inner_tolerance * scale);
  for (int a = 0; a < 4; ++a) {
    const Vec3 x = outer.col((a + 1) % 4), y = outer.col((a + 2) % 4), z = outer.col((a + 3) % 4);
    Vec3 area = (y - x).cross(z - x) / 2;  // of the face opposite to a; the faces at a sum to minus this
    if (area.dot(Vec3(outer.col(a)) - x) > 0) area = -area;
    CHECK((f[static_cast<std::size_t>(a)].xyz() - P * area / 3).norm() <= 1e-13 * scale);
  }
}

}  // namespace sunder::element::testing
