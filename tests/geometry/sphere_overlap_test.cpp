#include "geometry/random_tets.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace sunder;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;
using std::numbers::pi;

namespace {

Reference sphere_by_columns(const Mat34& p, const Vec3& centre, double radius, int n)
{
  return by_columns(p, n, [&](double x, double y, Chord& chord) {
    const double left = radius * radius - (x - centre.x()) * (x - centre.x()) - (y - centre.y()) * (y - centre.y());
    const double half = left > 0 ? std::sqrt(left) : 0;
    chord.low = std::max(chord.low, centre.z() - half);
    chord.high = std::min(chord.high, centre.z() + half);
  });
}

double ball(double radius)
{
  return 4.0 / 3 * pi * radius * radius * radius;
}

}  // namespace

TEST_CASE("sphere overlap has the volume and centre that vertical lines measure", "[geometry][overlap]")
{
  Random random(1);
  int partial = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 centre = random.vector(1.5);
    const double radius = random.uniform(0.2, 2);
    const Overlap overlap = overlap_sphere(p, centre, radius);
    const Reference reference = sphere_by_columns(p, centre, radius, 400);
    CAPTURE(trial, centre.transpose(), radius, overlap.volume, reference.volume);
    CHECK(overlap.volume == Approx(reference.volume).epsilon(3e-3).margin(2e-5));
    if (reference.volume > 1e-2) CHECK((overlap.centre - reference.centre).norm() < 3e-3);
    partial += overlap.volume > 0 && overlap.volume < 0.99 * std::abs(volume_of(p));
  }
  CHECK(partial > 15);
}

TEST_CASE("the vertical lines approach the closed form as they get denser", "[geometry][overlap]")
{
  Random random(5);
  const Mat34 p = random.tet(1);
  const Vec3 centre = p.col(0) + Vec3(0.1, 0.2, -0.1);
  const double exact = overlap_sphere(p, centre, 0.9).volume;
  REQUIRE(exact > 0.01);
  const double coarse = std::abs(sphere_by_columns(p, centre, 0.9, 100).volume - exact);
  const double fine = std::abs(sphere_by_columns(p, centre, 0.9, 1600).volume - exact);
  CAPTURE(exact, coarse, fine);
  CHECK(fine < coarse / 16);
  CHECK(fine < 1e-5 * exact);
}

TEST_CASE("the overlap's volume changes by minus its area vector times the motion", "[geometry][overlap][derivative]")
{
  Random random(2);
  int tested = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 centre = random.vector(1.2), d = random.direction();
    const double radius = random.uniform(0.3, 2), h = 1e-4;
    auto volume = [&](double s) { return overlap_sphere(p.colwise() + s * d, centre, radius).volume; };
    const Overlap overlap = overlap_sphere(p, centre, radius);
    if (overlap.volume == 0) continue;
    CAPTURE(trial, overlap.volume, overlap.area.transpose());
    CHECK((volume(h) - volume(-h)) / (2 * h) == Approx(-overlap.area.dot(d)).margin(1e-6));
    ++tested;
  }
  CHECK(tested > 100);
}

TEST_CASE(
    "limits: tetrahedron in the ball, ball in the tetrahedron, half "
    "balls and caps",
    "[geometry][overlap]")
{
  const Mat34 p = regular_tet();
  const double V = volume_of(p);
  const Vec3 middle = p.rowwise().mean();

  const Overlap swallowed = overlap_sphere(p, middle + Vec3(0.1, 0, 0), 1);
  CHECK(swallowed.volume == Approx(V).epsilon(1e-14));
  CHECK((swallowed.centre - middle).norm() < 1e-15);
  CHECK(swallowed.area.norm() == 0);

  const Overlap enclosed = overlap_sphere(p, middle, 0.1);
  CHECK(enclosed.volume == Approx(ball(0.1)).epsilon(1e-12));
  CHECK((enclosed.centre - middle).norm() < 1e-13);
  CHECK(enclosed.area.norm() < 1e-14);

  const Overlap half = overlap_sphere(p, Vec3(0, 0, 0), 0.1);  // centre on the bottom face
  CHECK(half.volume == Approx(ball(0.1) / 2).epsilon(1e-12));
  CHECK((half.centre - Vec3(0, 0, 3.0 / 8 * 0.1)).norm() < 1e-12);
  CHECK((half.area - Vec3(0, 0, pi * 0.01)).norm() < 1e-13);

  const double dihedral = std::acos(1.0 / 3), solid = 3 * dihedral - pi;
  const Vec3 on_edge = (p.col(0) + p.col(1)) / 2;
  CHECK(overlap_sphere(p, on_edge, 0.1).volume == Approx(ball(0.1) * dihedral / (2 * pi)).epsilon(1e-12));
  for (int a = 0; a < 4; ++a)
    CHECK(overlap_sphere(p, p.col(a), 0.1).volume == Approx(ball(0.1) * solid / (4 * pi)).epsilon(1e-12));

  const double depth = 0.01, R = 0.2;
  const Overlap cap = overlap_sphere(p, Vec3(0, 0, depth - R), R);
  CHECK(cap.volume == Approx(pi * depth * depth * (R - depth / 3)).epsilon(1e-9));
  CHECK((cap.area - Vec3(0, 0, pi * depth * (2 * R - depth))).norm() < 1e-13);
}

TEST_CASE("nothing is shared, exactly, where nothing touches", "[geometry][overlap]")
{
  Random random(3);
  int near = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 centre = random.vector(2);
    // The nearest of many points of the tetrahedron bounds its distance from above.
    double nearest = 1e9;
    for (int k = 0; k < 200; ++k) {
      Eigen::Vector4d w;
      for (int a = 0; a < 4; ++a) w[a] = -std::log(random.uniform(1e-9, 1));
      if (k % 2 == 0) w[k / 2 % 4] = 0;
      if (k % 3 == 0) w[k / 3 % 4] = 0;
      nearest = std::min(nearest, (p * (w / w.sum()) - centre).norm());
    }
    const double volume = overlap_sphere(p, centre, 0.5 * nearest).volume;
    const double twice = overlap_sphere(p, centre, 0.25 * nearest).volume;
    CHECK(twice <= volume);
    CHECK((volume == 0 || volume > 1e-9));
    near += volume == 0;
  }
  CHECK(near > 1000);
}

TEST_CASE("overlap moves along with translation, rotation, scale and relabelling", "[geometry][overlap]")
{
  Random random(4);
  int touching = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 centre = random.vector(1), shift = random.vector(3);
    const double radius = random.uniform(0.3, 1.5), scale = random.uniform(0.1, 10);
    const Mat3 Q = random.rotation();
    const Overlap a = overlap_sphere(p, centre, radius);
    const Mat34 moved = (scale * Q * p).colwise() + shift;
    const Overlap b = overlap_sphere(moved, scale * Q * centre + shift, scale * radius);
    CHECK(b.volume == Approx(scale * scale * scale * a.volume).epsilon(1e-10).margin(1e-11));
    CHECK((b.area - scale * scale * Q * a.area).norm() < 1e-10 * scale * scale);
    if (a.volume > 1e-3) CHECK((b.centre - scale * Q * a.centre - shift).norm() < 1e-9 * scale);

    Mat34 relabelled = p;
    relabelled.col(1).swap(relabelled.col(3));  // the other orientation
    const Overlap c = overlap_sphere(relabelled, centre, radius);
    CHECK(c.volume == Approx(a.volume).epsilon(1e-11).margin(1e-13));
    CHECK((c.area - a.area).norm() < 1e-12);
    if (a.volume > 1e-3) CHECK((c.centre - a.centre).norm() < 1e-10);
    touching += a.volume > 1e-3;
  }
  CHECK(touching > 50);
}

TEST_CASE("a tetrahedron cut in two shares what the whole shares", "[geometry][overlap]")
{
  Random random(6);
  int both = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 centre = trial % 3 == 0 ? Vec3(p.col(0)) : random.vector(1);
    const double radius = random.uniform(0.3, 1.5), t = random.uniform(0.05, 0.95);
    Mat34 first = p, second = p;
    first.col(1) = second.col(0) = (1 - t) * p.col(0) + t * p.col(1);
    const Overlap whole = overlap_sphere(p, centre, radius);
    const Overlap a = overlap_sphere(first, centre, radius), b = overlap_sphere(second, centre, radius);
    CHECK(a.volume + b.volume == Approx(whole.volume).epsilon(1e-10).margin(1e-13));
    CHECK((a.area + b.area - whole.area).norm() < 1e-12);
    const Vec3 moments = a.volume * a.centre + b.volume * b.centre;
    if (whole.volume > 1e-6) CHECK((moments - whole.volume * whole.centre).norm() < 1e-12);
    both += a.volume > 1e-6 && b.volume > 1e-6;
  }
  CHECK(both > 50);
}

TEST_CASE("overlap is continuous through every special position", "[geometry][overlap]")
{
  Random random(7);
  const Mat34 p = random.tet(1);
  const Vec3 middle = p.rowwise().mean(), face = (p.col(0) + p.col(1) + p.col(2)) / 3;
  const Vec3 edge = (p.col(0) + p.col(1)) / 2, corner = p.col(0);
  const Vec3 beyond_edge = 1.5 * p.col(0) - 0.5 * p.col(1), in_plane = corner + 0.7 * (edge - face);
  for (const Vec3& centre : {middle, face, edge, corner, beyond_edge, in_plane})
    for (const double radius : {0.05, 0.3, (p.col(1) - centre).norm(), (edge - centre).norm() + 1e-300, 1.1, 5.0}) {
      if (!(radius > 1e-3)) continue;
      const Overlap here = overlap_sphere(p, centre, radius);
      CHECK(std::isfinite(here.volume));
      CHECK(here.area.allFinite());
      CHECK(here.centre.allFinite());
      for (int k = 0; k < 30; ++k) {
        const double step = std::pow(10.0, -4 - k % 12);
        const Overlap there = overlap_sphere(p, centre + step * random.direction(), radius);
        CAPTURE(centre.transpose(), radius, step, here.volume, there.volume);
        CHECK(std::abs(there.volume - here.volume) < 10 * step * (1 + radius) + 1e-13);
        CHECK((there.area - here.area).norm() < 40 * step * (1 + radius) + 1e-12);
      }
    }
}

TEST_CASE("flat tetrahedra share nothing, slivers their share", "[geometry][overlap]")
{
  Random random(8);
  Mat34 p = random.tet(1);
  p.col(3) = 0.2 * p.col(0) + 0.3 * p.col(1) + 0.5 * p.col(2);
  const Vec3 centre = p.rowwise().mean(), up = (p.col(1) - p.col(0)).cross(p.col(2) - p.col(0)).normalized();
  CHECK(overlap_sphere(p, centre, 0.3).volume == 0);
  Mat34 line = p, point = p;
  line.col(2) = (p.col(0) + p.col(1)) / 2;
  for (int a = 0; a < 4; ++a) point.col(a) = centre;
  CHECK(overlap_sphere(line, centre, 0.3).volume == 0);
  CHECK(overlap_sphere(point, centre, 0.3).volume == 0);
  for (const double height : {1e-2, 1e-4, 1e-6}) {
    p.col(3) += height * up;
    const Overlap sliver = overlap_sphere(p, centre, 0.3);
    CHECK(sliver.volume > 0);
    CHECK(sliver.volume <= std::abs(volume_of(p)));
    CHECK(sliver.weights.minCoeff() >= 0);
    CHECK(sliver.weights.sum() == Approx(1));
  }
}

TEST_CASE("a very large ball is a half-space", "[geometry][overlap]")
{
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 n = random.direction(), at = p * Eigen::Vector4d(0.4, 0.3, 0.2, 0.1);
    const Overlap plane = overlap_half_space(p, at, n);
    const Overlap round = overlap_sphere(p, at - 2000 * n, 2000);
    CHECK(round.volume == Approx(plane.volume).margin(2e-3));
    CHECK((round.area - plane.area).norm() < 2e-3);
    CHECK((round.volume * round.centre - plane.volume * plane.centre).norm() < 2e-3);
  }
}
