#include "geometry/separating_axis.hpp"

#include "geometry/random_tets.hpp"
#include "geometry/tet_overlap.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <vector>

using namespace sunder;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

namespace {

bool gap_is_wider(SeparatingPlane plane, const Mat34& a, const Mat34& b, double least)
{
  std::array<Row4, 4> rows;
  for (int c = 0; c < 4; ++c) rows[static_cast<std::size_t>(3 - c)].set_xyz(b.col(c));
  return plane.separates(Corners(a), Corners({3, 2, 1, 0}, rows), least);
}

std::vector<SeparatingPlane> all_planes()
{
  std::vector<SeparatingPlane> planes;
  for (int k = 0; k < 4; ++k)
    planes.push_back(SeparatingPlane::face_of_first(k)), planes.push_back(SeparatingPlane::face_of_second(k));
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) planes.push_back(SeparatingPlane::edges(i, k));
  return planes;
}

}  // namespace

TEST_CASE("tetrahedra have a plane between them just when they share nothing", "[geometry]")
{
  const std::vector<SeparatingPlane> planes = all_planes();
  Random random(7);
  int apart = 0;
  for (int k = 0; k < 10000; ++k) {
    const Mat34 a = random.tet(1), b = random.tet(1).colwise() + Vec3(0.7, 0.4, 0.2);
    const SeparatingPlane plane = separating_plane(a, b, 1e-9);
    const Vec3 n = plane.normal(a, b);
    REQUIRE(are_apart(a, b, 1e-9) == !plane.none());
    REQUIRE(gap_is_wider(plane, a, b, 1e-9) == !plane.none());
    if (overlap_tets(a, b).volume == 0) {
      ++apart;
      REQUIRE(gap_along(n, a, b) > 1e-9 * n.norm());
      REQUIRE(separating_plane(b, a, 1e-9).normal(b, a).dot(n) < 0);
    } else {
      REQUIRE(n == Vec3::Zero());
      for (const SeparatingPlane& any : planes) REQUIRE(!gap_is_wider(any, a, b, 0));
    }
  }
  CHECK(apart > 1000);
  CHECK(apart < 9000);
}

TEST_CASE("a plane between elements turns with them, and a gap is as wide as it is told", "[geometry]")
{
  Random random(11);
  int turned = 0;
  for (int k = 0; k < 2000; ++k) {
    const Mat34 a = random.tet(1), b = random.tet(1).colwise() + Vec3(0.9, 0.6, 0.3);
    const SeparatingPlane plane = separating_plane(a, b, 1e-3);
    if (plane.none()) continue;
    ++turned;
    const Mat3 R = random.rotation();
    REQUIRE(gap_is_wider(plane, R * a, R * b, 1e-3 * (1 - 1e-9)));
    const Vec3 n = plane.normal(a, b);
    const double gap = gap_along(n, a, b) / n.norm();
    REQUIRE(gap_is_wider(plane, a, b, gap * (1 - 1e-9)));
    REQUIRE(!gap_is_wider(plane, a, b, gap * (1 + 1e-9)));
    REQUIRE((R * n - plane.normal(R * a, R * b)).norm() < 1e-12);
  }
  CHECK(turned > 500);
}

TEST_CASE("the widest gap at a face is that of the face that has it", "[geometry]")
{
  const Mat34 tet = regular_tet(), below = tet.colwise() + Vec3(0, 0, -1);
  const FacePlanes of_tet(tet), of_below(below);
  const SeparatingPlane plane = FaceGaps(tet, of_tet, below, of_below).widest();
  REQUIRE(!plane.none());
  CHECK((plane.normal(tet, below).normalized() - Vec3(0, 0, -1)).norm() < 1e-12);
  CHECK(FaceGaps(tet, of_tet, tet, of_tet).widest().none());
}

TEST_CASE("a face that keeps two elements apart does so wherever they go within their skin", "[geometry]")
{
  const Vec3 still = Vec3::Zero(), below(0, 0, -1);  // its top then is less than 0.2 under the face of the other
  const Mat34 tet = regular_tet(), under = tet.colwise() + below;
  const FacePlanes of_tet(tet), of_under(under);
  const FaceGaps gaps(tet, of_tet, under, of_under), swapped(under, of_under, tet, of_tet);
  const auto uniform = [](const Vec3& v) -> Mat34 { return v.replicate<1, 4>(); };
  const auto apart = [&](const Vec3& v_of_under, double time, double skin) {
    const bool lasts = !gaps.lasting(uniform(still), uniform(v_of_under), time, skin).none();
    CHECK(lasts == !swapped.lasting(uniform(v_of_under), uniform(still), time, skin).none());
    return lasts;
  };
  CHECK(apart(still, 1, 0.1));
  CHECK(!apart(still, 1, 0.5));
  CHECK(!apart(-below, 1, 0.1));  // it comes up
  CHECK(apart(-below, 0.01, 0.1));
  CHECK(apart(below, 1, 0.1));
}
