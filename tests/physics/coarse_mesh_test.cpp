#include "simulation/coarse_mesh.hpp"

#include "core/error.hpp"
#include "physics/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <fstream>

using namespace sunder;

namespace {

config::Scene pulled_bar(double speed = 1)
{
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{force: 4.0}}}}
bodies:
  - {{name: bar, mesh: {{file: {}, refine: 1}}, material: clay, spin: [0, 0, 3]}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [0.001, 1, 1]}}}}, velocity: [-{}, 0, 0]}}
loads:
  - {{name: top, where: {{box: {{min: [-1, -1, 0.1999], max: [1, 1, 1]}}}}, pressure: 3000}}
time: {{end: 1}}
)",
                                 test::mesh_file("pulled_bar", test::box_mesh(4, 2, 2, 0.1, 0.2, 5)), speed));
}

struct Outcome {
  std::uint64_t state = 0;
  std::int64_t events = 0;
};

Outcome run(const Comm& comm, const config::Scene& scene)
{
  simulation::Simulation simulation(comm, scene);
  while (simulation.steps() < 80) {
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  }
  return {simulation::state_hash(simulation.model(), comm), simulation.events()};
}

std::filesystem::path scratch_file()
{
  return std::filesystem::temp_directory_path() / "sunder_coarse_mesh.h5";
}

std::string error_of(const Comm& comm, const config::Scene& scene)
{
  try {
    simulation::coarse_mesh(comm, scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a mesh cut beforehand gives the same run, for whatever number of ranks it was cut", "[io][parallel]")
{
  const Comm world;
  const config::Scene scene = pulled_bar();
  const Outcome meshed_at_set_up = run(world, scene);
  CHECK(meshed_at_set_up.events > 5);
  for (const Rank parts : {world.size(), 4}) {
    simulation::write_coarse_mesh(world, scene, parts, scratch_file());
    config::Scene from_file = scene;
    from_file.partition.file = scratch_file();
    const Outcome cut_beforehand = run(world, from_file);
    CHECK(cut_beforehand.state == meshed_at_set_up.state);
    CHECK(cut_beforehand.events == meshed_at_set_up.events);
    world.barrier();
  }
}

TEST_CASE("a mesh of another scene, or a damaged one, is refused on every rank", "[io][parallel]")
{
  const Comm world;
  simulation::write_coarse_mesh(world, pulled_bar(), 2, scratch_file());
  config::Scene other = pulled_bar(2);
  other.partition.file = scratch_file();
  CHECK(error_of(world, other).find("expected a mesh of this scene, but 'boundary'") != std::string::npos);

  config::Scene same = pulled_bar();
  same.partition.file = scratch_file();
  CHECK(error_of(world, same).empty());
  world.barrier();
  if (world.rank() == 0) {
    std::fstream file(scratch_file(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(5000), file.put('x');
  }
  world.barrier();
  CHECK(error_of(world, same).find("damaged") != std::string::npos);

  same.partition.file = "/nowhere.h5";
  CHECK(error_of(world, same).find("no such file") != std::string::npos);
}
