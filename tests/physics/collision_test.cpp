#include "core/error.hpp"
#include "support/ball_mesh.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

std::string scene_of(const std::string& mesh, const std::string& second, const std::string& collisions)
{
  return fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000}}
bodies:
  - {{name: a, mesh: {{file: {0}}}, material: rubber, velocity: [1, 0, 0]}}
  - {{name: b, mesh: {{file: {0}}}, material: rubber, velocity: [-2, 0, 0], {1}}}
collisions: {2}
fracture: {{enabled: false}}
time: {{end: 0.1}}
)",
                     mesh, second, collisions);
}

struct Result {
  simulation::Totals before, after;
  double kinetic_before = 0, kinetic_after = 0, deepest_contact = 0, contact_after = 0;
  test::Body left, right;  // after
  std::uint64_t hash = 0;
};

/// cut: the bodies are left and right of it at the start [m].
Result collide(const Comm& comm, const std::string& text, double cut = 0.1)
{
  test::Simulation simulation(comm, test::scene(text));
  Result result;
  simulation.compute_forces();
  result.before = simulation::totals(simulation.model(), comm);
  result.kinetic_before = simulation.history_row().energy.kinetic;
  while (simulation.state.time < 0.04) {
    simulation.advance(simulation.step_size());
    simulation.compute_forces();
    if (simulation.state.steps % 10 == 0)
      result.deepest_contact = std::max(result.deepest_contact, simulation.history_row().energy.contact);
  }
  result.after = simulation::totals(simulation.model(), comm);
  const auto energy = simulation.history_row().energy;
  result.kinetic_after = energy.kinetic + energy.elastic, result.contact_after = energy.contact;
  result.left = test::body_of(simulation, comm, [cut](const Vec3& X) { return X.x() < cut; });
  result.right = test::body_of(simulation, comm, [cut](const Vec3& X) { return X.x() > cut; });
  result.hash = simulation::state_hash(simulation.model(), comm);
  return result;
}

}  // namespace

TEST_CASE("bodies that collide keep momentum and, undamped, energy, the same on any number of ranks",
          "[physics][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const std::string cube = test::mesh_file("collision_cube", test::box_mesh(3, 3, 3, 0.1 / 3, 0.2, 5));
  // Corner first and off centre: linear and angular momentum both change hands.
  const std::string oblique = "position: [0.2, 0.06, 0.05], rotation: {axis: [1, 2, 3], angle: 0.7}";
  const Result elastic = collide(world, scene_of(cube, oblique, "{damping: 0}"));
  CHECK(elastic.deepest_contact > 0.1 * elastic.kinetic_before);  // they did meet
  const double momentum = elastic.before.mass * 3, turn = momentum * 0.1;
  CHECK((elastic.after.momentum - elastic.before.momentum).norm() < 1e-10 * momentum);
  CHECK((elastic.after.angular_momentum - elastic.before.angular_momentum).norm() < 1e-8 * turn);
  CHECK(std::abs(elastic.kinetic_after - elastic.kinetic_before) < 0.01 * elastic.kinetic_before);

  CHECK(elastic.hash == collide(alone, scene_of(cube, oblique, "{damping: 0}")).hash);

  const Result damped = collide(world, scene_of(cube, oblique, "{friction: 0.5}"));
  CHECK(damped.contact_after > 0.01 * damped.kinetic_before);
  CHECK((damped.after.momentum - damped.before.momentum).norm() < 1e-10 * momentum);

  const Result by_nodes = collide(world, scene_of(cube, oblique, "{criterion: nodes, damping: 0}"));
  CHECK(by_nodes.deepest_contact > 0.1 * by_nodes.kinetic_before);
  CHECK((by_nodes.after.momentum - by_nodes.before.momentum).norm() < 1e-10 * momentum);
  CHECK((by_nodes.after.angular_momentum - by_nodes.before.angular_momentum).norm() < 1e-8 * turn);
  CHECK(by_nodes.hash != elastic.hash);
  CHECK(by_nodes.hash == collide(alone, scene_of(cube, oblique, "{criterion: nodes, damping: 0}")).hash);

  const Result through = collide(world, scene_of(cube, oblique, "{enabled: false}"));
  CHECK(through.deepest_contact == 0);
}

namespace {

constexpr double diameter = 0.1;
const Vec3 closing(3, 0, 0);  // velocity of the first sphere as the second sees it [m/s]

/// Two spheres, the second one turned, so that their facets do not mirror each other, and off the first one's line of
/// flight by so much. n: elements a radius.
Result collide_spheres(const Comm& comm, int n, double aside, const std::string& collisions)
{
  mesh::MeshData ball = test::ball_mesh(n, test::whole_ball());
  for (Vec3& x : ball.nodes) x *= diameter / 2;
  const double ahead = std::sqrt(diameter * diameter - aside * aside) + 0.001;
  return collide(comm,
                 scene_of(test::mesh_file("collision_ball", ball),
                          fmt::format("position: [{}, {}, 0], rotation: {{axis: [1, 2, 3], angle: 0.7}}", ahead, aside),
                          collisions),
                 ahead / 2);
}

void check_conserved(const Result& r)
{
  const double momentum = r.before.mass * closing.norm(), turn = momentum * diameter;
  CHECK((r.after.momentum - r.before.momentum).norm() < 1e-10 * momentum);
  CHECK((r.after.angular_momentum - r.before.angular_momentum).norm() < 1e-8 * turn);
}

/// What the second sphere has gained [m/s].
Vec3 gain(const Result& r)
{
  return r.right.velocity() - Vec3(-2, 0, 0);
}

}  // namespace

TEST_CASE("spheres that meet head on exchange their velocities", "[physics][contact]")
{
  const Result r = collide_spheres(Comm(), 6, 0, "{damping: 0}");
  check_conserved(r);
  CHECK(std::abs(r.kinetic_after - r.kinetic_before) < 0.01 * r.kinetic_before);
  CHECK((gain(r) - closing).norm() < 0.01 * closing.norm());
}

TEST_CASE("spheres that graze push along the line of their centres, and rub across it by mu", "[physics][contact]")
{
  const double aside = 0.06, along = std::sqrt(diameter * diameter - aside * aside);
  const Vec3 normal = Vec3(along, aside, 0) / diameter;
  const Result smooth = collide_spheres(Comm(), 8, aside, "{damping: 0, stiffness: 1.0e10}");
  check_conserved(smooth);
  CHECK(std::abs(smooth.kinetic_after - smooth.kinetic_before) < 0.01 * smooth.kinetic_before);
  // They are pressed together by a twentieth of their diameter, and turn about each other meanwhile.
  CHECK((gain(smooth) - closing.dot(normal) * normal).norm() < 0.1 * closing.norm());

  constexpr double friction = 0.1;  // too little to make them roll
  const Result rough =
      collide_spheres(Comm(), 8, aside, fmt::format("{{damping: 0, stiffness: 1.0e10, friction: {}}}", friction));
  check_conserved(rough);
  const Vec3 rubbed = gain(rough) - gain(smooth), across = (closing - closing.dot(normal) * normal).normalized();
  CHECK(rubbed.dot(across) == Approx(friction * gain(smooth).norm()).epsilon(0.15));
}

TEST_CASE("spheres that graze do so the same on any number of ranks", "[physics][contact][parallel]")
{
  const std::string rough = "{friction: 0.3}";
  CHECK(collide_spheres(Comm(), 3, 0.06, rough).hash == collide_spheres(Comm(MPI_COMM_SELF), 3, 0.06, rough).hash);
}

TEST_CASE("bodies that overlap at the start are refused, pushed apart or not pressed, the same on any number of ranks",
          "[physics][contact][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const std::string cube = test::mesh_file("collision_cube", test::box_mesh(3, 3, 3, 0.1 / 3, 0.2, 5));
  const std::string inside = "position: [0.09, 0.03, 0.02]", beside = "position: [0.1, 0.03, 0.02]";
  const auto refusal = [&](const Comm& comm) -> std::string {
    try {
      const test::Simulation simulation(comm, test::scene(scene_of(cube, inside, "{}")));
    } catch (const Error& error) {
      CHECK(error.status() == ExitStatus::bad_input);
      return error.what();
    }
    return "none";
  };
  CHECK(refusal(world).ends_with(
      "bodies: expected bodies that touch at most at the start, got bodies.a and bodies.b overlap by 5.6e-05 m^3, "
      "0.009825 m deep, about (0.095, 0.065, 0.06) m; move them, or set collisions.resolve to push or "
      "initial_overlap"));
  CHECK(refusal(world) == refusal(alone));
  CHECK_NOTHROW(test::Simulation(world, test::scene(scene_of(cube, beside, "{}"))));

  const auto pushed = [&](const Comm& comm) {
    const test::Simulation simulation(comm, test::scene(scene_of(cube, inside, "{resolve: push}")));
    if (comm.rank() == 0) {
      REQUIRE(simulation.state.warnings.size() == 1);
      CHECK(simulation.state.warnings[0] == "bodies.b overlapped bodies.a and was moved by (0.01, 0, 0) m");
    }
    return simulation::state_hash(simulation.model(), comm);
  };
  CHECK(pushed(world) == pushed(alone));

  test::Simulation overlapping(world, test::scene(scene_of(cube, inside, "{resolve: initial_overlap}")));
  overlapping.compute_forces();
  for (const Row4& f : overlapping.model().f)
    CHECK(f.xyz().norm() < 1e-9);  // [N], of kilonewtons that a contact would put there
}
