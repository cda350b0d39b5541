#include "geometry/closed_surface.hpp"

#include "geometry/level_set_overlap.hpp"
#include "support/cube_mesh.hpp"
#include "support/solids.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace sunder;
using geometry::ClosedSurface;
using geometry::Overlap;

namespace {

Mat3 turn()
{
  return Eigen::AngleAxisd(0.7, Vec3(1, 2, -2) / 3).toRotationMatrix();
}

/// Of a point in a box about the origin.
double distance_to_box(const Vec3& half, const Vec3& x)
{
  const Vec3 q = x.cwiseAbs() - half;
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
}

Mat34 some_tet(std::uint64_t seed, double size)
{
  Mat34 p;
  const Vec3 at = 1.2 * test::random_vector(seed, 9);
  for (int a = 0; a < 4; ++a) p.col(a) = at + size * test::random_vector(seed, static_cast<std::uint64_t>(a));
  return p;
}

}  // namespace

TEST_CASE("a closed surface knows the mass, the centre and the inertia of its solid, wherever it stands",
          "[geometry][closed_surface]")
{
  const Vec3 size(2, 3, 5), at(10, -20, 30);
  test::Solid brick = test::brick(size);
  for (Vec3& x : brick.points) x = at + turn() * x;
  const ClosedSurface s(brick.points, brick.triangles);
  CHECK(s.volume() == Approx(30).epsilon(1e-10));
  CHECK((s.centre() - at).norm() < 1e-10);
  Vec3 exact = (Vec3::Constant(size.squaredNorm()) - size.cwiseAbs2()) / 12, found = s.inertia();
  std::sort(exact.begin(), exact.end()), std::sort(found.begin(), found.end());
  CHECK((found - exact).norm() < 1e-9);
  CHECK(s.radius() == Approx(size.norm() / 2));
  CHECK(s.axes().determinant() == Approx(1));
  // Back to where the points were.
  for (std::size_t n = 0; n < 8; ++n) CHECK((s.centre() + s.axes() * s.points()[n] - brick.points[n]).norm() < 1e-10);
}

TEST_CASE("the signed distance to a brick is the exact one, inside and outside, at faces, edges and corners",
          "[geometry][closed_surface]")
{
  const Vec3 size(2, 1, 0.5);
  const ClosedSurface s(test::brick(size).points, test::brick(size).triangles);
  int inside = 0;
  for (std::uint64_t k = 0; k < 3000; ++k) {
    const Vec3 x = 1.3 * test::random_vector(3, k);
    const Vec3 in_given = x;  // a brick about the origin keeps its frame
    const auto found = s.distance(in_given);
    const double exact = distance_to_box(size / 2, x);
    CAPTURE(k, x.transpose());
    CHECK(found.metres == Approx(exact).margin(1e-12));
    inside += exact < 0;
    const double h = 1e-6;  // the normal is the gradient
    CHECK((distance_to_box(size / 2, x + h * found.normal) - exact) / h == Approx(1).epsilon(1e-3));
  }
  CHECK(inside > 50);
}

TEST_CASE("a sharp star has the right sign near its tips and in its notches", "[geometry][closed_surface]")
{
  // Radii that alternate: the nearest point is often a sharp corner or a notch, where a face's normal alone would lie.
  std::vector<std::pair<double, double>> rows{{0, -1}, {1, -0.02}, {0.05, 0}, {1, 0.02}, {0, 1}};
  const test::Solid solid = test::turned(rows, 12);
  const ClosedSurface s(solid.points, solid.triangles);
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const Vec3 x = 1.2 * test::random_vector(7, k);
    double angle = 0;  // A. van Oosterom and J. Strackee (1983)
    for (const auto& t : s.triangles()) {
      const Vec3 a = s.points()[t[0]] - x, b = s.points()[t[1]] - x, c = s.points()[t[2]] - x;
      const double na = a.norm(), nb = b.norm(), nc = c.norm();
      angle += 2 * std::atan2(a.cross(b).dot(c), na * nb * nc + a.dot(b) * nc + b.dot(c) * na + c.dot(a) * nb);
    }
    const auto found = s.distance(x);
    if (std::abs(found.metres) < 1e-9) continue;
    CHECK((found.metres < 0) == (angle > 2 * std::numbers::pi));
  }
}

TEST_CASE("the overlap with a plane known by its distance is exact", "[geometry][level_set]")
{
  const Vec3 normal = Vec3(1, 2, 3).normalized(), point(0.1, 0, 0);
  for (std::uint64_t k = 0; k < 200; ++k) {
    const Mat34 p = some_tet(k, 0.8);
    const Overlap exact = geometry::overlap_half_space(p, point, normal);
    const Overlap found = geometry::overlap_level_set(p, 2, [&](const Vec3& x) { return normal.dot(x - point); });
    CAPTURE(k);
    CHECK(found.volume == Approx(exact.volume).margin(1e-13));
    if (!(exact.volume > 1e-9)) continue;
    CHECK((found.centre - exact.centre).norm() < 1e-9);
    CHECK((found.weights - exact.weights).norm() < 1e-9);
    CHECK((found.area - exact.area).norm() < 1e-9);
    CHECK(found.weights.minCoeff() >= 0);
    CHECK((p * found.weights - found.centre).norm() < 1e-12);
  }
}

TEST_CASE("the overlap with a ball known by its distance comes nearer to the exact one with each level, by four",
          "[geometry][level_set]")
{
  std::array<double, 3> error{};
  for (std::uint64_t k = 0; k < 300; ++k) {
    const Mat34 p = some_tet(k, 0.3);
    const double exact = geometry::overlap_sphere(p, Vec3::Zero(), 1).volume;
    for (int levels = 1; levels <= 3; ++levels) {
      const double found = geometry::overlap_level_set(p, levels, [](const Vec3& x) { return x.norm() - 1; }).volume;
      CHECK(found <= exact * (1 + 1e-9) + 1e-15);  // a convex solid seems smaller
      error[static_cast<std::size_t>(levels - 1)] += exact - found;
    }
  }
  CHECK(error[0] / error[1] == Approx(4).epsilon(0.25));
  CHECK(error[1] / error[2] == Approx(4).epsilon(0.25));
}
