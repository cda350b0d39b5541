#include "config/schema.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "simulation/run/restart.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <memory>

using namespace sunder;

namespace {

constexpr int length = 8, width = 4;  // [cells]
constexpr double cell = 0.05;         // and the plate's thickness [m]

/// A plate one cell thick, with a face set of its upper and its lower side.
mesh::MeshData plate()
{
  mesh::MeshData mesh = test::box_mesh(length, width, 1, cell);
  mesh::FaceSet skins{"skins", {}};
  const auto z = [&mesh](GlobalIndex n) { return mesh.nodes[static_cast<std::size_t>(n)].z(); };
  for (const auto& tet : mesh.tets)
    for (const auto& [i, j, k] : mesh::face_corners)
      if (z(tet[i]) == z(tet[j]) && z(tet[j]) == z(tet[k])) skins.faces.push_back({tet[i], tet[j], tet[k]});
  mesh.face_sets.push_back(skins);
  return mesh;
}

/// It is torn along x, both sides are kept from moving up or down, and pressed on.
config::Scene torn_plate(int refine)
{
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{stress: 2.0e4}}}}
bodies:
  - {{name: plate, mesh: {{file: {}, refine: {}}}, material: clay}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [0.001, 1, 1]}}}}, velocity: [-2, 0, 0], axes: x}}
  - {{name: skins, where: {{set: skins}}, fixed: true, axes: z}}
  - {{name: right, where: {{box: {{min: [0.399, -1, -1], max: [1, 1, 1]}}}}, velocity: [2, 0.5, 0], axes: xy}}
loads:
  - {{name: press, where: {{set: skins}}, pressure: 100}}
time: {{end: 1}}
)",
                                 test::mesh_file("held_faces", plate()), refine));
}

struct Count {
  std::int64_t on_skins = 0, held = 0, wrong = 0;  // nodes, over all ranks
  double loaded = 0;                               // area in the material [m^2]
};

Count count(const test::Simulation& simulation, const Comm& comm)
{
  constexpr std::uint64_t skins = 2;
  const mesh::TetMesh& mesh = simulation.model().mesh;
  Count c;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n) || mesh.star(n).empty()) continue;
    const double z = mesh.node(n).X.z();
    const bool on_skin = z == 0 || z == cell, held = (mesh.node(n).marks & skins) != 0;
    c.on_skins += on_skin, c.held += held, c.wrong += held != on_skin;
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    for (std::size_t a = 0; a < 4 && mesh.primary(e); ++a) {
      if ((mesh.face_marks(e)[a] & 1) == 0) continue;
      const auto X = mesh.corners(e);
      const auto& [i, j, k] = mesh::face_corners[a];
      c.loaded += (X[j] - X[i]).cross(X[k] - X[i]).norm() / 2;
    }
  return {comm.sum(c.on_skins), comm.sum(c.held), comm.sum(c.wrong), comm.sum(c.loaded)};
}

constexpr double area = 2 * length * width * cell * cell;

/// Advances to the step given, repartitioning at every sync point if told to.
void run_to(test::Simulation& simulation, std::int64_t step, bool repartition = false)
{
  while (simulation.state.steps < step) {
    if (repartition && simulation.at_sync_point()) simulation.repartition();
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  }
}

constexpr std::int64_t steps = 160;

std::uint64_t tear(const Comm& comm, int refine, bool repartition)
{
  test::Simulation simulation(comm, torn_plate(refine));
  const Count before = count(simulation, comm);
  CHECK(before.wrong == 0);
  CHECK(before.loaded == Approx(area).epsilon(1e-12));
  run_to(simulation, steps, repartition);
  const Count after = count(simulation, comm);
  CHECK(simulation.state.events > 10);
  CHECK(after.on_skins > before.on_skins);
  CHECK(after.wrong == 0);
  CHECK(after.loaded == Approx(area).epsilon(1e-12));
  const std::uint64_t hash = simulation::state_hash(simulation.model(), comm);
  // Who sends a node elsewhere need not be its owner, who knows its marks.
  while (!simulation.at_sync_point()) run_to(simulation, simulation.state.steps + 1);
  simulation.repartition();
  CHECK(count(simulation, comm).wrong == 0);
  return hash;
}

/// Stopped at a sync point half way, and gone on with.
std::uint64_t tear_in_two_runs(const Comm& comm, int refine)
{
  const config::Scene scene = torn_plate(refine);
  const std::string text = config::to_yaml(scene);
  const auto file = std::filesystem::temp_directory_path() / fmt::format("sunder_held_faces_{}.h5", comm.size());
  {
    test::Simulation first(comm, scene);
    run_to(first, steps / 2);
    while (!first.at_sync_point()) run_to(first, first.state.steps + 1);
    CHECK(first.state.events > 0);
    io::write_bodies(comm, file, io::FileKind::checkpoint,
                     simulation::stored_bodies(first.state, *first.stepper, text));
  }
  simulation::RestartState from = simulation::read_restart(comm, file, scene, text);
  test::Simulation second(comm, scene, from);
  run_to(second, steps);
  CHECK(count(second, comm).wrong == 0);
  return simulation::state_hash(second.model(), comm);
}

}  // namespace

TEST_CASE("a crack through a plate that is held on both sides makes no node inside that is held",
          "[physics][prescribed_motion][fracture][parallel]")
{
  const int refine = GENERATE(0, 1);
  const std::uint64_t alone = tear(Comm(MPI_COMM_SELF), refine, false);
  CHECK(tear(Comm(), refine, false) == alone);
  CHECK(tear(Comm(), refine, true) == alone);
  CHECK(tear_in_two_runs(Comm(), refine) == alone);
}
