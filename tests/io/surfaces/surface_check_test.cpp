#include "io/surfaces/surface_check.hpp"

#include "geometry/triangle_overlap.hpp"
#include "io/surfaces/surfaces.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace sunder;
using io::check_surface;
using io::TriangleSurface;

std::string only_error(const TriangleSurface& s)
{
  const auto errors = check_surface(s);
  REQUIRE(errors.size() == 1);
  return errors[0];
}

TriangleSurface flipped(TriangleSurface s)
{
  io::flip(s);
  return s;
}

}  // namespace

TEST_CASE("closed surfaces pass, nested and side by side", "[io][surface]")
{
  CHECK(check_surface(test::cube()).empty());
  CHECK(check_surface(test::sphere(40, 20)).empty());
  CHECK(check_surface(test::together(test::cube(), test::cube({3, 0, 0}))).empty());
  const TriangleSurface cavity = flipped(test::cube({0.25, 0.25, 0.25}, 0.5)),
                        kernel = test::cube({0.4, 0.4, 0.4}, 0.2);
  CHECK(check_surface(test::together(test::cube(), cavity)).empty());
  CHECK(check_surface(test::together(test::together(test::cube(), cavity), kernel)).empty());
}

TEST_CASE("each defect of a surface is named with a triangle and a place", "[io][surface]")
{
  TriangleSurface hole = test::cube();
  hole.triangles.erase(hole.triangles.begin() + 3), hole.labels.erase(hole.labels.begin() + 3);
  CHECK(only_error(hole) ==
        "edges of one triangle alone (the surface has a hole): 3; the first is of triangle 3 from "
        "(0 0 1) to (1 1 1)");

  TriangleSurface turned = test::cube();
  std::swap(turned.triangles[5][0], turned.triangles[5][1]);
  CHECK(only_error(turned).starts_with("edges whose two triangles face different ways: 3; the first is of triangle "));

  TriangleSurface twice = test::cube();
  twice.triangles.push_back(twice.triangles[7]), twice.labels.push_back(13);
  CHECK(only_error(twice).starts_with("edges of more than two triangles: 3; the first is of triangle "));

  TriangleSurface flat = test::cube();
  flat.triangles.push_back({0, 1, 1}), flat.labels.push_back(13);
  CHECK(check_surface(flat)[0] == "triangles without area: 1; the first is 13 at (0.666667 0 0)");

  CHECK(only_error(flipped(test::cube())) ==
        "the surface is inside out: it bounds a volume of -1 m^3; sunder mesh --flip turns it round");
  CHECK(only_error(test::together(test::cube(), flipped(test::cube({3, 0, 0})))) ==
        "shells that face the wrong way for where they are: 1 of 2; the first is that of triangle 13 at (3.33333 "
        "0.666667 0)");
  CHECK(
      only_error(test::together(test::cube(), test::cube({0.25, 0.25, 0.25}, 0.5)))
          .starts_with("shells that face the wrong way for where they are: 1 of 2; the first is that of triangle 13"));
  CHECK(only_error(TriangleSurface{}) == "expected a surface of triangles, got none");
}

TEST_CASE("surfaces that cross or touch themselves are found", "[io][surface]")
{
  CHECK(only_error(test::together(test::cube(), test::cube({0.5, 0.4, 0.3})))
            .starts_with("pairs of triangles that touch or cross: "));
  // face on face, edge on edge, corner on corner, an edge through a face
  for (const Vec3& at : {Vec3(1, 0.2, 0.2), Vec3(1, 1, 0.3), Vec3(1, 1, 1), Vec3(0.9, 0.9, 0.9)})
    CHECK(only_error(test::together(test::cube(), test::cube(at, 0.5))).starts_with("pairs of triangles"));
  // just not
  for (const Vec3& at : {Vec3(1 + 1e-9, 0.2, 0.2), Vec3(1 + 1e-9, 1, 0.3), Vec3(1, 1, 1 + 1e-9)})
    CHECK(check_surface(test::together(test::cube(), test::cube(at, 0.5))).empty());

  // one corner of a fine sphere pushed through the other side: its triangles cross others, and neighbours of theirs
  TriangleSurface sphere = test::sphere(40, 20);
  sphere.points[0].z() = -1.5;
  CHECK(only_error(sphere).starts_with("pairs of triangles that touch or cross: "));
}

TEST_CASE("triangles with a corner or an edge in common meet only if they cross or lie on each other", "[io][surface]")
{
  const geometry::Triangle flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const Vec3 o = Vec3::Zero();
  CHECK_FALSE(geometry::meet_beyond_corner(flat, {o, Vec3(-1, 0, 0), Vec3(0, -1, 0)}));   // same plane, opposite
  CHECK(geometry::meet_beyond_corner(flat, {o, Vec3(0.2, 0.2, 0), Vec3(0.2, 0.3, 0)}));   // same plane, inside
  CHECK(geometry::meet_beyond_corner(flat, {o, Vec3(2, 1, 0), Vec3(1, 2, 0)}));           // same plane, across
  CHECK(geometry::meet_beyond_corner(flat, {o, Vec3(0.3, 0.3, 1), Vec3(0.3, 0.3, -1)}));  // through it
  CHECK_FALSE(geometry::meet_beyond_corner(flat, {o, Vec3(-0.3, -0.3, 1), Vec3(-0.3, -0.3, -1)}));  // away from it
  CHECK_FALSE(geometry::meet_beyond_corner(flat, {o, Vec3(0.3, 0.3, 1), Vec3(0.3, 0.3, 1e-6)}));    // above it
  CHECK(geometry::folded(flat, {o, Vec3(1, 0, 0), Vec3(0.5, 0.3, 0)}));
  CHECK_FALSE(geometry::folded(flat, {o, Vec3(1, 0, 0), Vec3(0.5, -0.3, 0)}));
  CHECK_FALSE(geometry::folded(flat, {o, Vec3(1, 0, 0), Vec3(0.5, 0.3, 1e-6)}));
}

TEST_CASE("triangles are apart just when no edge of one goes through the other", "[io][surface]")
{
  int crossing = 0, separate = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    geometry::Triangle a, b;
    for (std::uint64_t i = 0; i < 3; ++i)
      a[i] = test::random_vector(1, 6 * k + i), b[i] = test::random_vector(1, 6 * k + 3 + i);
    // An edge of one goes through the other: signs of the five tetrahedra it makes.
    const auto side = [](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& x) {
      return (q - p).cross(r - p).dot(x - p) > 0;
    };
    const auto pierced = [&side](const geometry::Triangle& t, const Vec3& p, const Vec3& q) {
      if (side(t[0], t[1], t[2], p) == side(t[0], t[1], t[2], q)) return false;
      const bool s = side(p, q, t[0], t[1]);
      return s == side(p, q, t[1], t[2]) && s == side(p, q, t[2], t[0]);
    };
    bool cross = false;
    for (std::size_t i = 0; i < 3; ++i)
      cross = cross || pierced(a, b[i], b[(i + 1) % 3]) || pierced(b, a[i], a[(i + 1) % 3]);
    CHECK(geometry::apart(a, b) != cross);
    ++(cross ? crossing : separate);
  }
  CHECK(std::min(crossing, separate) > 1000);
}
