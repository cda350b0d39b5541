#include "geometry/convex.hpp"
#include "geometry/random_tets.hpp"
#include "support/worst.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

namespace {

struct Solid {
  Vec3 centre, half;
  Mat3 axes;

  Overlap with(const Mat34& p) const { return overlap_box(p, centre, axes, half); }
  Vec3 at(double x, double y, double z) const { return centre + axes * Vec3(x, y, z).cwiseProduct(half); }
};

Solid random_box(Random& random)
{
  const Vec3 half(random.uniform(0.05, 0.8), random.uniform(0.05, 0.8), random.uniform(0.05, 0.8));
  return {random.vector(0.6), half, random.rotation()};
}

Enumerated enumerate(const Mat34& p, const Solid& box)
{
  std::vector<Plane> planes;
  add_planes(p, planes);
  for (int k = 0; k < 3; ++k)
    for (const Real side : {-1.0L, 1.0L}) {
      const RVec normal = side * box.axes.col(k).cast<Real>();
      planes.push_back({normal, normal.dot(box.centre.cast<Real>()) + static_cast<Real>(box.half[k])});
    }
  return testing::enumerate(planes);
}

}  // namespace

TEST_CASE("the region a tetrahedron shares with a box agrees with enumerated half-spaces", "[geometry][overlap]")
{
  Random random(61);
  int touching = 0;
  double worst = 0, worst_centre = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const Mat34 p = random.tet(std::pow(10, random.uniform(-1, 0.3)));
    const Solid box = random_box(random);
    const Overlap overlap = box.with(p);
    const Enumerated expected = enumerate(p, box);
    const double volume = std::abs(volume_of(p));
    test::keep_worst(worst, std::abs(overlap.volume - static_cast<double>(expected.volume)) / volume);
    if (!(overlap.volume > 1e-6 * volume)) continue;
    ++touching;
    test::keep_worst(worst_centre, (overlap.centre - expected.centre.cast<double>()).norm());
    REQUIRE(overlap.weights.minCoeff() >= 0);
    REQUIRE(overlap.weights.sum() == Approx(1).epsilon(1e-14));
    REQUIRE((p * overlap.weights - overlap.centre).norm() < 1e-14);
  }
  CHECK(touching > 1500);
  CHECK(worst < 1e-12);
  CHECK(worst_centre < 1e-9);
}

TEST_CASE("box overlap changes by minus its area times the motion", "[geometry][overlap][derivative]")
{
  Random random(62);
  constexpr double h = 1e-5;
  int touching = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Mat34 p = random.tet(1);
    const Solid box = random_box(random);
    const Overlap here = box.with(p);
    if (here.volume < 1e-3) continue;
    ++touching;
    const Vec3 d = random.direction();
    const double ahead = box.with(p.colwise() + h * d).volume, behind = box.with(p.colwise() - h * d).volume;
    CHECK((ahead - behind) / (2 * h) == Approx(-here.area.dot(d)).margin(2e-4));
    Mat34 inverted = p;
    inverted.col(1).swap(inverted.col(2));
    const Overlap same = box.with(inverted);
    CHECK(same.volume == Approx(here.volume).epsilon(1e-12));
    CHECK((same.area - here.area).norm() < 1e-12);
    CHECK((same.centre - here.centre).norm() < 1e-12);
  }
  CHECK(touching > 200);
}

TEST_CASE("two boxes that share a face share with a tetrahedron what one box would", "[geometry][overlap]")
{
  Random random(63);
  for (int trial = 0; trial < 500; ++trial) {
    const Mat34 p = random.tet(1);
    const Solid whole = random_box(random);
    Solid left = whole, right = whole;
    const double cut = random.uniform(-0.9, 0.9);
    left.half.x() *= (1 + cut) / 2, right.half.x() *= (1 - cut) / 2;
    left.centre = whole.at((cut - 1) / 2, 0, 0), right.centre = whole.at((1 + cut) / 2, 0, 0);
    const Overlap a = left.with(p), b = right.with(p), both = whole.with(p);
    CHECK(a.volume + b.volume == Approx(both.volume).margin(1e-14));
    CHECK((a.volume * a.centre + b.volume * b.centre - both.volume * both.centre).norm() < 1e-13);
    CHECK((a.area + b.area - both.area).norm() < 1e-13);
  }
}

TEST_CASE(
    "a box shares nothing with a tetrahedron that stands on it, all of one it swallows, itself with one that swallows "
    "it",
    "[geometry][overlap]")
{
  const Mat34 p = regular_tet();  // stands on z = 0
  const double volume = volume_of(p), height = p(2, 3);
  const Solid floor{Vec3(0, 0, -1), Vec3(5, 5, 1), Mat3::Identity()};
  CHECK(floor.with(p).volume == 0);
  CHECK(floor.with(p.colwise() - Vec3(0, 0, 9)).volume == 0);

  // Deep inside one face alone, a box is a half-space: a sliver is as accurate.
  for (const double depth : {1e-3, 1e-6, 1e-9}) {
    const Overlap sliver = floor.with(p.colwise() - Vec3(0, 0, depth));
    CHECK(sliver.volume == Approx(volume * (1 - std::pow(1 - depth / height, 3))).epsilon(1e-15 / depth + 1e-12));
    CHECK((sliver.area.normalized() - Vec3::UnitZ()).norm() < 1e-12);
  }

  const Solid room{Vec3::Zero(), Vec3(5, 5, 5), Mat3::Identity()};
  const Overlap swallowed = room.with(p);
  CHECK(swallowed.volume == Approx(volume).epsilon(1e-14));
  CHECK(swallowed.area == Vec3::Zero());
  CHECK((swallowed.centre - p.rowwise().mean()).norm() < 1e-15);

  const Solid grain{p.rowwise().mean(), Vec3(0.01, 0.02, 0.03), Mat3::Identity()};
  const Overlap around = grain.with(p);  // the element swallows the box
  CHECK(around.volume == Approx(8 * 6e-6).epsilon(1e-12));
  CHECK(around.area.norm() < 1e-15);

  Mat34 flat = p;
  flat.row(2).setConstant(-0.5);
  CHECK(floor.with(flat).volume == 0);
  Mat34 bad = p;
  bad(1, 1) = std::nan("");
  CHECK(room.with(bad).volume == 0);
}
