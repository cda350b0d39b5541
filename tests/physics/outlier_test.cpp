#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

constexpr double edge = 0.1, far = 1e4 * edge;

/// Blocks that run into each other here and far away, and one still further that meets nothing.
std::string scene_of(double distance)
{
  const std::string block = test::mesh_file("outlier_block", test::box_mesh(3, 3, 3, edge / 3));
  std::string bodies;
  const auto add = [&](const char* name, const Vec3& position, const Vec3& velocity) {
    bodies += fmt::format(
        "  - {{name: {}, mesh: {{file: {}}}, material: rubber, position: [{}, {}, {}], velocity: [{}, {}, {}]}}\n",
        name, block, position.x(), position.y(), position.z(), velocity.x(), velocity.y(), velocity.z());
  };
  const Vec3 there(distance, -0.7 * distance, 0.3 * distance);
  add("one", Vec3::Zero(), Vec3(3, 0, 0));
  add("other", Vec3(edge + 0.01, 0.02, 0.03), Vec3(-3, 0, 0));
  add("far_one", there, Vec3(0, 2, 0));
  add("far_other", there + Vec3(0.01, edge + 0.01, 0), Vec3(0, -4, 0));
  add("alone", -3 * there, Vec3(0, 0, 9));
  return fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 20, psi: 30}}
bodies:
{}fracture: {{enabled: false}}
collisions: {{friction: 0.3}}
time: {{end: 1}}
)",
                     bodies);
}

struct Outcome {
  std::uint64_t hash = 0;
  Vec3 near, distant;  // velocities after of the first block here, and of the one there
};

Outcome collide(const Comm& comm)
{
  test::Simulation simulation(comm, test::scene(scene_of(far)));
  while (simulation.state.time < 0.01) simulation.advance(simulation.step_size());
  const auto velocity = [&](const Vec3& low) {
    return test::body_of(simulation, comm,
                         [&](const Vec3& X) {
                           return ((X - low).array() > -1e-6).all() && ((X - low).array() < edge + 1e-6).all();
                         })
        .velocity();
  };
  return {simulation::state_hash(simulation.model(), comm), velocity(Vec3::Zero()),
          velocity(Vec3(far, -0.7 * far, 0.3 * far))};
}

}  // namespace

TEST_CASE("what flies ten thousand sizes away collides there as here, the same on any number of ranks",
          "[physics][contact][parallel]")
{
  const Outcome together = collide(Comm()), alone = collide(Comm(MPI_COMM_SELF));
  CHECK(together.hash == alone.hash);
  CHECK(alone.near.x() < 1);
  CHECK(alone.distant.y() < 0);
}
