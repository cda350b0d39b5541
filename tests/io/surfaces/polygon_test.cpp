#include "io/surfaces/polygon.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace sunder;

double area(const std::vector<Vec3>& x, const std::array<std::uint32_t, 3>& t)
{
  return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).z() / 2;
}

}  // namespace

TEST_CASE("a polygon's triangles cover it once", "[io][surface]")
{
  const std::vector<std::pair<std::vector<Vec3>, double>> polygons{
      {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 1},                        // square
      {{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 3},  // L
      {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, 1, 0}, {0, 4, 0}}, 10},            // M
      {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 2, 0}}, 2},                        // a corner on a straight edge
      {{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, -1},                       // seen from below
  };
  for (const auto& [corners, total] : polygons) {
    const auto triangles = io::triangulate(corners);
    REQUIRE(triangles.size() == corners.size() - 2);
    double sum = 0;
    for (const auto& t : triangles) {
      CHECK(area(corners, t) * total > 0);
      sum += area(corners, t);
    }
    CHECK(sum == Approx(total));
  }
}

TEST_CASE("a triangle stays as it is, however thin", "[io][surface]")
{
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {1, 1e-12, 0}};
  CHECK(io::triangulate(corners) == std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}});
}

TEST_CASE("a polygon far from the origin is cut as at it", "[io][surface]")
{
  const std::vector<Vec3> at_origin{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  std::vector<Vec3> far;
  for (const Vec3& x : at_origin) far.push_back(x + Vec3(1e6, -1e6, 1e6));
  CHECK(io::triangulate(far) == io::triangulate(at_origin));
}

TEST_CASE("a polygon that crosses itself has none", "[io][surface]")
{
  CHECK(io::triangulate(std::vector<Vec3>{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}).empty());
}

TEST_CASE("a polygon that has a corner twice has none, nor has one without width", "[io][surface]")
{
  CHECK(io::triangulate(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}).empty());
  CHECK(io::triangulate(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1e-7, 0}, {0, 1e-7, 0}}).empty());
}
