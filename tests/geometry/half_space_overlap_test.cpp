#include "geometry/random_tets.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

TEST_CASE("half-space overlap has the volume and centre that vertical lines measure", "[geometry][overlap]")
{
  Random random(11);
  int measured = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 point = random.vector(0.5), n = random.direction();
    const Overlap overlap = overlap_half_space(p, point, n);
    const Reference reference = by_columns(
        p, 300, [&](double x, double y, Chord& chord) { chord.keep(n.z(), n.dot(point) - n.x() * x - n.y() * y); });
    CAPTURE(trial, overlap.volume, reference.volume);
    CHECK(overlap.volume == Approx(reference.volume).epsilon(3e-3).margin(2e-5));
    if (reference.volume <= 1e-2) continue;  // lines are too few for its centre
    ++measured;
    CHECK((overlap.centre - reference.centre).norm() < 4e-3);
  }
  CHECK(measured > 10);
}

TEST_CASE("the two sides of a plane share the whole tetrahedron", "[geometry][overlap]")
{
  Random random(12);
  int cut = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 point = random.vector(0.5), n = random.direction();
    const Overlap below = overlap_half_space(p, point, n), above = overlap_half_space(p, point, -n);
    CHECK(below.volume + above.volume == Approx(std::abs(volume_of(p))).epsilon(1e-13));
    const Vec3 middle = (below.volume * below.centre + above.volume * above.centre) / std::abs(volume_of(p));
    CHECK((middle - p.rowwise().mean()).norm() < 1e-13);
    CHECK((below.area + above.area).norm() < 1e-13);
    if (below.volume > 0) CHECK((p * below.weights - below.centre).norm() < 1e-14);
    cut += below.volume > 0 && above.volume > 0;
  }
  CHECK(cut > 100);
}

TEST_CASE("half-space overlap changes by minus its cut's area times the motion", "[geometry][overlap][derivative]")
{
  Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    const Mat34 p = random.tet(1);
    const Vec3 point = random.vector(0.5), n = random.direction(), d = random.direction();
    auto volume = [&](double s) { return overlap_half_space(p.colwise() + s * d, point, n).volume; };
    const double h = 1e-5;
    const Overlap overlap = overlap_half_space(p, point, n);
    CHECK((volume(h) - volume(-h)) / (2 * h) == Approx(-overlap.area.dot(d)).margin(1e-7));
  }
}

TEST_CASE("a sliver of overlap keeps its accuracy", "[geometry][overlap]")
{
  const Mat34 p = regular_tet();
  const Vec3 up = Vec3::UnitZ();
  for (const double depth : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const double rest = 1 - depth / p(2, 3), V = volume_of(p);
    const Overlap face_down = overlap_half_space(p, Vec3(0, 0, depth), up);
    CHECK(face_down.volume == Approx(V * (1 - rest * rest * rest)).epsilon(1e-15 / depth + 1e-12));
    CHECK(face_down.centre.z() == Approx(depth / 2).epsilon(3 * depth));
    const Overlap tip = overlap_half_space(p, Vec3(0, 0, p(2, 3) - depth), -up);
    CHECK(tip.volume == Approx(V * std::pow(depth / p(2, 3), 3)).epsilon(1e-15 / depth + 1e-12));
  }
}

TEST_CASE("a half-space shares nothing with what stands on it, and half of what its plane halves, inverted or not",
          "[geometry][overlap]")
{
  const Mat34 p = regular_tet();
  const Vec3 up = Vec3::UnitZ();
  CHECK(overlap_half_space(p, Vec3::Zero(), up).volume == 0);  // stands on it
  CHECK(overlap_half_space(p, Vec3::Zero(), -up).volume == Approx(volume_of(p)).epsilon(1e-14));
  const Vec3 through_edge = (p.col(0) - p.col(1)).cross(p.col(2) / 2 + p.col(3) / 2 - p.col(0)).normalized();
  const Overlap half = overlap_half_space(p, p.col(0), through_edge);  // two corners on the plane
  CHECK(half.volume == Approx(volume_of(p) / 2).epsilon(1e-12));

  Mat34 flat = p;
  flat.row(2).setConstant(-1);
  CHECK(overlap_half_space(flat, Vec3::Zero(), up).volume == 0);
  Mat34 inverted = p;
  inverted.col(0).swap(inverted.col(1));
  CHECK(overlap_half_space(inverted, Vec3(0, 0, 0.3), up).volume ==
        Approx(overlap_half_space(p, Vec3(0, 0, 0.3), up).volume).epsilon(1e-14));
}
