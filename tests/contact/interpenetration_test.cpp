#include "contact/narrow_phase/interpenetration.hpp"
#include "support/ball_mesh.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;

namespace {

Solid solid(mesh::MeshData mesh, const Vec3& position)
{
  for (Vec3& x : mesh.nodes) x += position;
  return {mesh.nodes, mesh.tets};
}

/// Edge 1, with inner nodes at random.
Solid cube(const Vec3& position)
{
  return solid(test::box_mesh(3, 3, 3, 1.0 / 3, 0.2, 7), position);
}

Solid ball(int n, const Vec3& position)
{
  return solid(test::ball_mesh(n, test::whole_ball()), position);
}

}  // namespace

TEST_CASE("what two cubes share is a box", "[contact]")
{
  const Vec3 position(0.9, 0.3, -0.2);
  const Interpenetration shared = cube(position).with(cube(Vec3::Zero()));
  CHECK(shared.volume == Approx(0.1 * 0.7 * 0.8));
  CHECK((shared.area - Vec3(0.7 * 0.8, 0.1 * 0.8, -0.1 * 0.7)).norm() < 1e-9);
  CHECK((shared.centre - Vec3(0.95, 0.65, 0.4)).norm() < 1e-9);
  CHECK(shared.depth() == Approx(shared.volume / shared.area.norm()));
  CHECK(cube(Vec3::Zero()).with(cube(Vec3::Zero()), position).volume == Approx(shared.volume));
}

TEST_CASE("cubes side by side touch and do not overlap, to round-off", "[contact]")
{
  const Solid here = cube(Vec3::Zero());
  for (const Vec3& beside : {Vec3(1, 0, 0), Vec3(0.3, 1, -0.1), Vec3(1, 1, 1), Vec3(1 - 1e-13, 0, 0)}) {
    CHECK_FALSE(cube(beside).meets(here));
    CHECK(cube(beside).with(here).volume == 0);
    CHECK(minimum_translation(cube(beside), here) == Vec3::Zero());
  }
  CHECK(cube(Vec3(1 - 1e-6, 0, 0)).meets(here));
}

TEST_CASE("the way out of a cube is square to the nearest side", "[contact]")
{
  const Solid here = cube(Vec3::Zero());
  CHECK((minimum_translation(cube(Vec3(0.9, 0.3, -0.2)), here) - Vec3(0.1, 0, 0)).norm() < 1e-6);
  CHECK((minimum_translation(cube(Vec3(-0.4, 0.3, -0.75)), here) - Vec3(0, 0, -0.25)).norm() < 1e-6);
}

TEST_CASE("the way out of a ball is along the line of centres, and as long as it has to be", "[contact]")
{
  const Vec3 apart(1.1, 0.9, 0.7);
  const Vec3 way = minimum_translation(ball(8, apart), ball(8, Vec3::Zero()));
  const double needed = 2 - apart.norm();
  CHECK((way - needed * apart.normalized()).norm() < 0.05 * 2);  // facets
  CHECK(way.norm() <= needed);                                   // they lie within the ball
  CHECK_FALSE(ball(8, apart + way).meets(ball(8, Vec3::Zero())));
  CHECK(ball(8, apart + 0.99 * way).meets(ball(8, Vec3::Zero())));
}

TEST_CASE("a body inside another finds a way out too", "[contact]")
{
  const Solid large = solid(test::box_mesh(3, 3, 3, 1), Vec3::Zero());
  for (const Vec3& position : {Vec3(1, 1, 1), Vec3(1.2, 0.9, 1.7)}) {
    const Vec3 way = minimum_translation(cube(position), large);
    CHECK(cube(position).with(large).volume == Approx(1));
    CHECK_FALSE(cube(position + way).meets(large));
  }
}
