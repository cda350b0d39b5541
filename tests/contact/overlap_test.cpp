#include "contact/overlap.hpp"

#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

namespace {

using namespace sunder;
using contact::Overlap;

Mat34 random_tet(std::uint64_t seed, double size)
{
  Mat34 x;
  for (int a = 0; a < 4; ++a) x.col(a) = size * test::random_vector(seed, static_cast<std::uint64_t>(a));
  return x;
}

double volume(const Mat34& x)
{
  return std::abs((x.col(1) - x.col(0)).cross(x.col(2) - x.col(0)).dot(x.col(3) - x.col(0)) / 6);
}

/// Volume and centre of the points of the tetrahedron for which inside() holds, by cutting it into n^3 pieces' worth of
/// evenly spread barycentric samples.
Overlap sampled(const Mat34& x, const std::function<bool(const Vec3&)>& inside, int n)
{
  double count = 0, all = 0;
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; i + j < n; ++j)
      for (int k = 0; i + j + k < n; ++k) {
        Eigen::Vector4d b(i + 0.25, j + 0.25, k + 0.25, 0);
        b[3] = n - 0.25 - b.sum() + 0.25;
        b /= n;
        b[3] = 1 - b[0] - b[1] - b[2];
        const Vec3 y = x * b;
        ++all;
        if (inside(y)) ++count, sum += y;
      }
  return {volume(x) * count / all, count > 0 ? Vec3(sum / count) : Vec3(Vec3::Zero()), Vec3::Zero()};
}

}  // namespace

TEST_CASE("overlap with a ball agrees with sampling", "[contact][overlap]")
{
  int touching = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Mat34 x = random_tet(seed, 1);
    const Vec3 centre = test::random_vector(seed + 1000, 0);
    const double radius = 0.6 + 0.4 * test::random_number(seed, 99);
    const Overlap exact = contact::overlap_ball(x, centre, radius);
    const Overlap rough = sampled(x, [&](const Vec3& y) { return (y - centre).norm() < radius; }, 80);
    CAPTURE(seed, exact.volume, rough.volume);
    REQUIRE(exact.volume == Approx(rough.volume).margin(0.02 * volume(x)));
    if (rough.volume > 0.1 * volume(x)) REQUIRE((exact.centre - rough.centre).norm() < 0.04);
    touching += exact.volume > 0;
  }
  CHECK(touching > 20);
}

TEST_CASE("a ball inside a tetrahedron and a tetrahedron inside a ball", "[contact][overlap]")
{
  Mat34 x;
  x << 0, 10, 0, 0, 0, 0, 10, 0, 0, 0, 0, 10;
  const Overlap ball = contact::overlap_ball(x, {2, 2, 2}, 0.5);
  CHECK(ball.volume == Approx(4.0 / 3 * M_PI * 0.125).epsilon(1e-12));
  CHECK((ball.centre - Vec3(2, 2, 2)).norm() < 1e-12);
  const Overlap tet = contact::overlap_ball(x, {1, 2, 3}, 50);
  CHECK(tet.volume == Approx(volume(x)).epsilon(1e-10));
  CHECK((tet.centre - x.rowwise().mean()).norm() < 1e-9);
  CHECK(tet.out.dot((x.rowwise().mean() - Vec3(1, 2, 3)).normalized()) == Approx(1).epsilon(1e-6));
}

TEST_CASE("a ball's cap through a face has the spherical cap's volume and pushes along the face", "[contact][overlap]")
{
  Mat34 x;  // a large tetrahedron with a face in z = 0, above it
  x << -30, 30, 0, 0, -20, -20, 40, 0, 0, 0, 0, 50;
  for (const double depth : {0.01, 0.3, 0.9}) {
    const Overlap cap = contact::overlap_ball(x, {0, 0, depth - 1}, 1);
    CHECK(cap.volume == Approx(M_PI * depth * depth * (3 - depth) / 3).epsilon(1e-9));
    CHECK((cap.out - Vec3::UnitZ()).norm() < 1e-12);
    const double above = 3 * std::pow(2 - depth, 2) / (4 * (3 - depth)) - (1 - depth);  // centroid of a cap
    CHECK((cap.centre - Vec3(0, 0, above)).norm() < 1e-8);
  }
}

TEST_CASE("overlaps of the parts of a tetrahedron add up to that of the whole", "[contact][overlap]")
{
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Mat34 x = random_tet(seed, 1);
    Mat34 one = x, two = x;
    one.col(1) = two.col(0) = x.col(0) + 0.3 * (x.col(1) - x.col(0));
    const Vec3 centre = test::random_vector(seed + 7, 1), normal = test::random_vector(seed + 8, 2).normalized();
    CAPTURE(seed);
    const auto ball = [&](const Mat34& t) { return contact::overlap_ball(t, centre, 0.8).volume; };
    REQUIRE(ball(x) == Approx(ball(one) + ball(two)).epsilon(1e-9).margin(1e-13));
    const auto half = [&](const Mat34& t) { return contact::overlap_half_space(t, centre, normal); };
    REQUIRE(half(x).volume == Approx(half(one).volume + half(two).volume).epsilon(1e-12).margin(1e-15));
    if (half(x).volume > 0.01)
      REQUIRE((half(x).volume * half(x).centre - half(one).volume * half(one).centre - half(two).volume * half(two).centre)
                .norm() < 1e-14);
    const double other = contact::overlap_half_space(x, centre, -normal).volume;
    REQUIRE(half(x).volume + other == Approx(volume(x)).epsilon(1e-12));
  }
}

TEST_CASE("overlap does not depend on the order of corners, nor on where the origin is", "[contact][overlap]")
{
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Mat34 x = random_tet(seed, 1);
    Mat34 turned = x;
    turned.col(0).swap(turned.col(2));
    const Vec3 centre = test::random_vector(seed, 5), shift = 10 * test::random_vector(seed, 6);
    const Overlap a = contact::overlap_ball(x, centre, 0.7), b = contact::overlap_ball(turned, centre, 0.7);
    const Overlap c = contact::overlap_ball(x.colwise() + shift, centre + shift, 0.7);
    CAPTURE(seed);
    REQUIRE(a.volume == Approx(b.volume).epsilon(1e-9).margin(1e-13));
    REQUIRE(a.volume == Approx(c.volume).epsilon(1e-8).margin(1e-12));
    if (a.volume < 1e-3) continue;
    REQUIRE((a.out - b.out).norm() < 1e-8);
    REQUIRE((a.centre + shift - c.centre).norm() < 1e-8);
  }
}

TEST_CASE("touching and flat configurations give finite numbers", "[contact][overlap]")
{
  Mat34 x;
  x << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  Mat34 flat = x;
  flat.col(3) = Vec3(0.3, 0.3, 0);
  for (const Vec3& centre : {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(0.2, 0.2, 0), Vec3(0, 0, -1), Vec3(-1, 0, 0)})
    for (const double radius : {0.25, 0.5, 1.0, 2.0})
      for (const Mat34& t : {x, flat}) {
        const Overlap o = contact::overlap_ball(t, centre, radius);
        CAPTURE(centre.transpose(), radius);
        REQUIRE(std::isfinite(o.volume));
        REQUIRE(o.volume >= 0);
        REQUIRE(o.volume <= volume(t) * (1 + 1e-9) + 1e-12);
        REQUIRE(o.centre.allFinite());
        REQUIRE(o.out.allFinite());
      }
}

TEST_CASE("barycentric shares put a force where it belongs", "[contact][overlap]")
{
  const Mat34 x = random_tet(3, 1);
  const Vec3 y(0.1, -0.2, 0.3);
  const Eigen::Vector4d b = contact::barycentric(x, y);
  CHECK(b.sum() == Approx(1));
  CHECK((x * b - y).norm() < 1e-12);
}
