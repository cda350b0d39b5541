#include "geometry/tet_overlap.hpp"
#include "contact/law/pair_force.hpp"
#include "geometry/convex.hpp"
#include "geometry/random_tets.hpp"
#include "support/worst.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <vector>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

namespace {

Enumerated enumerate(const Mat34& a, const Mat34& b)
{
  std::vector<Plane> planes;
  add_planes(a, planes), add_planes(b, planes);
  return testing::enumerate(planes);
}

/// Enough for a quick run; SUNDER_PAIRS asks for more.
int num_pairs()
{
  const char* asked = std::getenv("SUNDER_PAIRS");
  return asked ? std::atoi(asked) : 20000;
}

Mat34 moved(const Mat34& p, const Vec3& by)
{
  return p.colwise() + by;
}

}  // namespace

TEST_CASE("the region two tetrahedra share agrees with enumerated half-spaces", "[geometry]")
{
  Random random(1);
  int touching = 0;
  double worst = 0, worst_centre = 0;
  for (int k = 0; k < num_pairs(); ++k) {
    const double size = std::pow(10, random.uniform(-2, 0));
    const Mat34 a = random.tet(1), b = moved(random.tet(size), random.vector(0.6));
    const TetOverlap overlap = overlap_tets(a, b);
    const Enumerated expected = enumerate(a, b);
    const double larger = std::max(std::abs(volume_of(a)), std::abs(volume_of(b)));
    test::keep_worst(worst, std::abs(overlap.volume - static_cast<double>(expected.volume)) / larger);
    if (!(overlap.volume > 1e-6 * larger)) continue;
    ++touching;
    const Vec3 centre = expected.centre.cast<double>();
    worst_centre =
        std::max({worst_centre, (a * overlap.weights_a - centre).norm(), (b * overlap.weights_b - centre).norm()});
    REQUIRE(overlap.weights_a.minCoeff() >= 0);
    REQUIRE(overlap.weights_b.sum() == Approx(1).epsilon(1e-14));
  }
  CAPTURE(touching);
  CHECK(touching > num_pairs() / 10);
  CHECK(worst < 1e-12);
  CHECK(worst_centre < 1e-9);
}

TEST_CASE("swapping the tetrahedra or their corners changes nothing but names", "[geometry]")
{
  Random random(2);
  for (int k = 0; k < 2000; ++k) {
    const Mat34 a = random.tet(1), b = moved(random.tet(0.7), random.vector(0.5));
    const TetOverlap ab = overlap_tets(a, b), ba = overlap_tets(b, a);
    REQUIRE(ab.volume == ba.volume);
    REQUIRE(ab.weights_a == ba.weights_b);
    REQUIRE(ab.area == -ba.area);
    Mat34 turned = b;
    turned.col(1) = b.col(2), turned.col(2) = b.col(1);
    const TetOverlap inverted = overlap_tets(a, turned);
    REQUIRE(inverted.volume == Approx(ab.volume).margin(1e-13));
    REQUIRE((inverted.area - ab.area).norm() < 1e-12);
  }
}

TEST_CASE("the volume's rate of change is the area between", "[geometry]")
{
  Random random(3);
  constexpr double h = 1e-5;
  int touching = 0;
  for (int k = 0; k < 1000; ++k) {
    const Mat34 a = random.tet(1), b = moved(random.tet(0.8), random.vector(0.5));
    const TetOverlap here = overlap_tets(a, b);
    if (here.volume < 1e-3) continue;
    ++touching;
    const Vec3 d = random.direction();
    const double ahead = overlap_tets(moved(a, h * d), b).volume;
    const double behind = overlap_tets(moved(a, -h * d), b).volume;
    CHECK((ahead - behind) / (2 * h) == Approx(-here.area.dot(d)).margin(2e-4));
  }
  CHECK(touching > 100);
}

TEST_CASE("degenerate pairs share what they share, and no number is NaN", "[geometry]")
{
  const Mat34 unit = regular_tet();
  const double volume = std::abs(volume_of(unit));
  const auto check = [](const Mat34& a, const Mat34& b, double expected) {
    const TetOverlap overlap = overlap_tets(a, b);
    REQUIRE(overlap.volume == Approx(expected).margin(1e-13));
    REQUIRE(overlap.area.allFinite());
    REQUIRE(overlap.weights_a.allFinite());
    REQUIRE(overlap.weights_b.allFinite());
  };
  check(unit, unit, volume);  // every face coplanar, every corner shared
  Random random(4);
  for (int k = 0; k < 3000; ++k) {
    const Mat34 a = random.tet(1);
    const double whole = std::abs(volume_of(a));
    check(a, a, whole);
    Mat34 mirrored = a;  // back to back on a face, an edge, a corner
    const Vec3 n = (a.col(1) - a.col(0)).cross(a.col(2) - a.col(0)).normalized();
    mirrored.col(3) = a.col(3) - 2 * n * n.dot(a.col(3) - a.col(0));
    check(a, mirrored, 0);
    const Vec3 opposite = (a.col(0) + a.col(1) - a.col(2) - a.col(3)) / 2;
    check(a, moved(a, a.col(0) - a.col(1)), 0);
    Mat34 half = a;  // a cut element's child: two faces coplanar with the whole's
    half.col(1) = a.col(0) + random.uniform(0.1, 0.9) * (a.col(1) - a.col(0));
    check(a, half, std::abs(volume_of(half)));
    Mat34 other_half = a;
    other_half.col(0) = half.col(1);
    check(half, other_half, 0);
    Mat34 flat = a;
    flat.col(3) = (a.col(0) + a.col(1) + a.col(2)) / 3;
    check(a, flat, 0);
    check(flat, flat, 0);
    Mat34 inner = 0.5 * a;  // shares a corner and three faces' planes
    inner.colwise() += 0.5 * a.col(0);
    check(a, inner, whole / 8);
    Mat34 through = a;  // an edge through an edge of a
    through.col(0) = (a.col(0) + a.col(1)) / 2 + opposite * 0.1;
    through.col(1) = (a.col(0) + a.col(1)) / 2 - opposite * 0.1;
    const TetOverlap cut = overlap_tets(a, through);
    REQUIRE(cut.volume >= 0);
    REQUIRE(cut.volume <= whole * (1 + 1e-12));
    Mat34 bad = a;
    bad(1, 2) = std::nan("");
    REQUIRE(overlap_tets(a, bad).volume == 0);
    // nearly coplanar faces, round-off apart
    Mat34 jittered = a;
    for (int c = 0; c < 4; ++c) jittered.col(c) += random.vector(3e-16);
    REQUIRE(overlap_tets(a, jittered).volume == Approx(whole).epsilon(1e-12));
  }
}

TEST_CASE("two that share no more than round-off do not touch", "[geometry]")
{
  Random random(11);
  Mat34 a, b;
  a << 0, 0, 0, 1, 0, 1, 0, 0.3, 0, 0, 1, 0.3;
  b = a;
  b(0, 3) = -1;  // on the other side of the face they have in common
  b.col(1).swap(b.col(2));
  for (int k = 0; k < 100; ++k) {
    const Mat3 turn = random.rotation();
    const auto volume_at_depth = [&](double depth) {
      return overlap_of_elements(Side(turn * a), Side(turn * (b.colwise() + Vec3(depth, 0, 0)))).volume;
    };
    REQUIRE(volume_at_depth(0) == 0);
    REQUIRE(volume_at_depth(2e-13) == 0);
    REQUIRE(volume_at_depth(1e-9) == Approx(0.5e-9).epsilon(1e-4));
  }
}

TEST_CASE("forces of a pair keep momentum and angular momentum and vary continuously", "[geometry]")
{
  Random random(5);
  const Response full{
      .stiffness = 1e6, .damping = 1e3, .friction_static = 0.4, .friction_dynamic = 0.3, .slip_speed = 0.1};
  int touching = 0;
  for (int k = 0; k < 160; ++k) {
    const Side a(upright(random.tet(1)));
    const Mat34 v_a = random.tet(1), v_b = random.tet(1);
    const Side b0(upright(random.tet(0.8)));
    const Vec3 way = random.direction();
    Vec3 last = Vec3::Zero();
    double largest = 0, jump = 0;
    constexpr int steps = 12000;
    for (int step = 0; step < steps; ++step) {  // b moves through a
      const Side b(moved(b0.p, (3.0 * step / steps - 1.5) * way));
      const ElementOverlap t = overlap_of_elements(a, b);
      const Vec3 force = pair_force(t, full, full.stiffness, 0, a.p, v_a, b.p, v_b);
      largest = std::max(largest, force.norm());
      if (t.volume > 0) {
        REQUIRE(t.weights_a.sum() == Approx(1).epsilon(1e-14));
        REQUIRE(t.weights_b.sum() == Approx(1).epsilon(1e-14));
        REQUIRE((a.p * t.weights_a - b.p * t.weights_b).norm() < 1e-9);  // both shares act at one point
      }
      if (step > 0) test::keep_worst(jump, (force - last).norm());
      last = force;
    }
    if (largest > 0) ++touching;
    CAPTURE(k, largest, jump);
    CHECK(jump <= 0.25 * largest);
  }
  CHECK(touching > 100);
}

TEST_CASE("the slope of an overlap is the derivative of its volume, area and centre", "[geometry][derivative]")
{
  Random random(17);
  int touching = 0, second_order = 0;
  double worst = 0;  // of all but kinks, at the finer step
  while (touching < 200) {
    const Mat34 a = upright(random.tet(1)), b = upright(moved(random.tet(touching % 2 == 0 ? 1 : 0.4), random.vector(0.5)));
    const Barycentric in_a = barycentric(a), in_b = barycentric(b);
    const TetOverlapSlope slope = overlap_slope(a, in_a, b, in_b);
    const TetOverlap here = overlap_tets(a, in_a, b, in_b);
    CHECK(slope.overlap.volume == Approx(here.volume).epsilon(1e-14).margin(1e-15 * std::max(in_a.volume, in_b.volume)));
    if (!(here.volume > 0.02 * std::min(in_a.volume, in_b.volume))) continue;
    ++touching;
    CHECK((slope.overlap.area - here.area).norm() <= 1e-14 * (1 + here.area.norm()));
    Eigen::Matrix<double, 24, 1> direction;
    for (int c = 0; c < 8; ++c) direction.segment<3>(3 * c) = random.vector(1);
    const auto values = [&](double s) {
      const Mat34 to_a = s * Mat34::Map(direction.data()),
                  to_b = s * Mat34::Map(direction.data() + 12);
      const TetOverlap o = overlap_tets(a + to_a, b + to_b);
      Eigen::Matrix<double, 12, 1> all;
      all << o.volume, o.area, o.weights_a, o.weights_b;
      return all;
    };
    Eigen::Matrix<double, 12, 1> exact;
    exact << slope.volume * direction, slope.area * direction, slope.weights_a * direction, slope.weights_b * direction;
    const auto error = [&](double h) -> double { return ((values(h) - values(-h)) / (2 * h) - exact).norm() / exact.norm(); };
    const double coarse = error(2e-4), fine = error(1e-4);
    const bool smooth = coarse / fine > 3.8 && coarse / fine < 4.2;
    second_order += smooth;
    if (smooth) test::keep_worst(worst, fine);
  }
  CAPTURE(touching, second_order, worst);
  CHECK(second_order > 0.9 * touching);
  CHECK(worst < 1e-3);
}
