#include "contact/obstacle_contact.hpp"

#include "contact/overlap.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace {

using namespace sunder;
using contact::Motion;
using contact::Obstacle;
using contact::ObstacleState;
using contact::Shape;

Obstacle floor_with_friction(double still, double moving)
{
  Obstacle o;
  o.shape = Shape::half_space;
  o.response = {.stiffness = 1e6, .damping = 0, .friction_static = still, .friction_dynamic = moving, .slip_speed = 1e-3};
  return o;
}

Obstacle ball(double radius)
{
  Obstacle o;
  o.radius = radius;
  o.response.stiffness = 1e6;
  return o;
}

Mat34 unit_tet()
{
  Mat34 x;
  x << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  return 0.1 * x;
}

/// A rigid tetrahedron of four equal masses that only moves, never turns; forces are those of contact.
struct Slider {
  Vec3 position, velocity;
  double mass;
  Obstacle obstacle;
  ObstacleState state;

  Vec3 force() const
  {
    const Mat34 v = velocity.replicate<1, 4>();
    return contact::element_contact(obstacle, state, unit_tet().colwise() + position, v).forces.rowwise().sum();
  }
  void step(double dt, const Vec3& gravity)
  {
    velocity += dt * (force() / mass + gravity);
    position += dt * velocity;
  }
};

/// Relative gain of kinetic energy in a bounce off the obstacle.
double bounce_error(const Obstacle& obstacle, const Vec3& begin, const Vec3& velocity, double dt)
{
  Slider s{begin, velocity, 1, obstacle, contact::prescribed_state(obstacle, 0)};
  bool touched = false;
  for (int k = 0; k < 2000000; ++k) {
    s.step(dt, Vec3::Zero());
    const bool touching = !s.force().isZero();
    touched |= touching;
    if (touched && !touching) break;
  }
  REQUIRE(touched);
  return std::abs(s.velocity.squaredNorm() / velocity.squaredNorm() - 1);
}

}  // namespace

TEST_CASE("a tetrahedron that bounces off a plane keeps its energy", "[contact][response]")
{
  const double plane = bounce_error(floor_with_friction(0, 0), {0, 0, 0.01}, {0, 0, -1}, 1e-5);
  CHECK(plane < 1e-3);
}

TEST_CASE("a sliding block slows down by mu g and one inside the friction cone stays", "[contact][friction]")
{
  const double g = 9.81, mu = 0.3, dt = 1e-5;
  // Rest depth: k V = m g with the corner tetrahedron's face down.
  Slider s{{0, 0, 0}, {1, 0, 0}, 0.05, floor_with_friction(0.5, mu), {}};
  s.position.z() = -s.mass * g / (s.obstacle.response.stiffness * 0.005);
  for (int k = 0; k < 20000; ++k) s.step(dt, {0, 0, -g});
  CHECK(1 - s.velocity.x() == Approx(mu * g * 0.2).epsilon(0.02));

  const double angle = std::atan(0.4);  // below the static cone of 0.5
  Slider still{s.position, Vec3::Zero(), 0.05, floor_with_friction(0.5, mu), {}};
  still.position.x() = 0;
  for (int k = 0; k < 20000; ++k) still.step(dt, {g * std::sin(angle), 0, -g * std::cos(angle)});
  CHECK(still.velocity.x() < still.obstacle.response.slip_speed);
}

TEST_CASE("what contact gives the element it takes from the obstacle, at one point", "[contact][momentum]")
{
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Mat34 x = unit_tet(), v;
    for (int a = 0; a < 4; ++a) {
      x.col(a) += 0.02 * test::random_vector(seed, static_cast<std::uint64_t>(a));
      v.col(a) = test::random_vector(seed + 1, static_cast<std::uint64_t>(a));
    }
    Obstacle o = ball(0.2);
    o.response.damping = 10, o.response.friction_static = 0.4, o.response.friction_dynamic = 0.2;
    const ObstacleState state{Vec3(-0.1, 0.03, 0.02), Vec3(0.1, 0, 0)};
    const auto c = contact::element_contact(o, state, x, v);
    REQUIRE(c.overlap > 0);
    const auto common = contact::overlap_ball(x, state.position, o.radius);
    const Vec3 force = c.forces.rowwise().sum();
    Vec3 moment = Vec3::Zero();
    for (int a = 0; a < 4; ++a) moment += Vec3(x.col(a) - common.centre).cross(Vec3(c.forces.col(a)));
    REQUIRE(moment.norm() < 1e-12 * force.norm());
    REQUIRE(force.dot(common.out) >= 0);
  }
}

TEST_CASE("the kept list of elements that may touch changes no bit", "[contact][candidates]")
{
  const mesh::MeshData box = test::box_mesh(4, 4, 2, 0.1, 0.2);
  std::vector<Tet> tets;
  for (const auto& t : box.tets) tets.push_back({static_cast<LocalIndex>(t[0]), static_cast<LocalIndex>(t[1]), static_cast<LocalIndex>(t[2]), static_cast<LocalIndex>(t[3])});
  const std::vector<std::uint8_t> counted(tets.size(), 1);
  const std::vector<Obstacle> obstacles{ball(0.15), floor_with_friction(0.3, 0.2)};
  contact::ObstacleContact kept(obstacles), fresh(obstacles);

  double touched = 0;
  for (int step = 0; step < 60; ++step) {
    std::vector<Row4> p(box.nodes.size()), v(box.nodes.size());
    const double t = 0.002 * step;
    const Vec3 drift(0, 0, -1);
    for (std::size_t n = 0; n < p.size(); ++n) p[n].set_xyz(box.nodes[n] + t * drift), v[n].set_xyz(drift);
    const std::vector<ObstacleState> states{{Vec3(0.2, 0.2, 0.36 - 2 * t), Vec3(0, 0, -2)}, {Vec3(0, 0, -0.02), Vec3::Zero()}};
    std::vector<Row4> f(p.size()), g(p.size());
    std::vector<ReproducibleSum3> on_kept(2), on_fresh(2);
    fresh.mesh_changed();
    const double a = kept.add_forces(tets, counted, p, v, 1, 0.002, states, f, on_kept);
    const double b = fresh.add_forces(tets, counted, p, v, 1, 0.002, states, g, on_fresh);
    REQUIRE(a == b);
    for (std::size_t n = 0; n < f.size(); ++n) REQUIRE(f[n].xyz() == g[n].xyz());
    REQUIRE(on_kept[0].value() == on_fresh[0].value());
    touched += on_kept[0].value().norm();
  }
  CHECK(touched > 0);
}

TEST_CASE("an obstacle on a path is where its waypoints say", "[contact][path]")
{
  Obstacle o;
  o.motion = Motion::path;
  o.path = {{1, Vec3(0, 0, 0)}, {3, Vec3(4, 0, 0)}};
  CHECK(contact::prescribed_state(o, 0).position == Vec3(0, 0, 0));
  CHECK(contact::prescribed_state(o, 2).position == Vec3(2, 0, 0));
  CHECK(contact::prescribed_state(o, 2).velocity == Vec3(2, 0, 0));
  CHECK(contact::prescribed_state(o, 9).position == Vec3(4, 0, 0));
  CHECK(contact::prescribed_state(o, 9).velocity == Vec3(0, 0, 0));
}
