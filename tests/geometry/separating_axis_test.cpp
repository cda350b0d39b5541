#include "geometry/separating_axis.hpp"

#include "geometry/random_tets.hpp"
#include "geometry/tet_overlap.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

TEST_CASE("tetrahedra have an axis that separates them just when they share nothing", "[geometry]")
{
  Random random(7);
  int apart = 0;
  for (int k = 0; k < 10000; ++k) {
    const Mat34 a = random.tet(1), b = random.tet(1).colwise() + Vec3(0.7, 0.4, 0.2);
    const Vec3 axis = separating_axis(a, b, 1e-9);
    REQUIRE(are_apart(a, b, 1e-9) == !axis.isZero(0));
    if (overlap_tets(a, b).volume == 0) {
      ++apart;
      REQUIRE(axis.norm() == Approx(1));
      REQUIRE(gap_along(axis, a, b) > 1e-9);
      REQUIRE(separating_axis(b, a, 1e-9).dot(axis) < 0);
    } else {
      REQUIRE(axis == Vec3::Zero());
    }
  }
  CHECK(apart > 1000);
  CHECK(apart < 9000);
}

TEST_CASE("a face that keeps two elements apart does so wherever they go within their skin", "[geometry]")
{
  const Mat34 tet = regular_tet();
  const auto motion = [&tet](const Vec3& from, const Vec3& to) {
    return LinearMotion{tet.colwise() + from, tet.colwise() + to};
  };
  const LinearMotion still = motion(Vec3::Zero(), Vec3::Zero());
  const Vec3 below(0, 0, -1);  // its top then is less than 0.2 under the face of the other
  CHECK(!separating_face(still, motion(below, below), 0.1).isZero());
  CHECK(separating_face(still, motion(below, below), 0.5).isZero());
  CHECK(separating_face(still, motion(below, Vec3::Zero()), 0.1).isZero());
  const LinearMotion away = motion(below, 2 * below);
  CHECK(!separating_face(still, away, 0.1).isZero());
  CHECK(!separating_face(away, still, 0.1).isZero());
}
