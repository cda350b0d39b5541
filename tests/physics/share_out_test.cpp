#include "physics/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

/// All that a body can carry: grips, a load, yielded material, cracks, faces that rub, an obstacle that flies.
config::Scene torn_bar()
{
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{force: 8.0}}, k1: 0.002, k2: 0.05}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: clay}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [0.001, 1, 1]}}}}, velocity: [-1, 0, 0]}}
  - {{name: right, where: {{box: {{min: [0.599, -1, -1], max: [1, 1, 1]}}}}, velocity: [1, 0.3, 0]}}
loads:
  - {{name: top, where: {{box: {{min: [-1, -1, 0.2999], max: [1, 1, 1]}}}}, pressure: 1000}}
obstacles:
  - {{name: ball, sphere: {{radius: 0.1}}, motion: free, mass: 5, position: [0.3, 0.15, 0.41], velocity: [0, 0, -5]}}
time: {{end: 1}}
)",
                                 test::mesh_file("torn_bar", test::box_mesh(6, 3, 3, 0.1, 0.2, 5))));
}

struct Outcome {
  std::uint64_t state = 0;
  std::int64_t events = 0;
  int shared_out = 0;
};

/// Shares out at every so many rest points; 0: never.
Outcome run(const Comm& comm, int every)
{
  simulation::Simulation simulation(comm, torn_bar());
  for (int rest_points = 0; simulation.steps() < 150;) {
    if (simulation.at_rest_point() && every > 0 && ++rest_points % every == 0) simulation.share_out();
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  }
  return {simulation::state_hash(simulation.model(), comm), simulation.events(), simulation.times_shared_out()};
}

}  // namespace

TEST_CASE("work shared out anew changes no bit", "[partition][parallel]")
{
  const Comm world;
  const Outcome left_alone = run(world, 0);
  CHECK(left_alone.events > 20);
  for (const int every : {1, 6}) {
    const Outcome shared_out = run(world, every);
    CHECK(shared_out.shared_out >= 18 / every);
    CHECK(shared_out.state == left_alone.state);
    CHECK(shared_out.events == left_alone.events);
  }
}
