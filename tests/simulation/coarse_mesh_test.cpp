#include "simulation/setup/coarse_mesh_source.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <hdf5.h>

#include <array>
#include <cmath>
#include <fstream>
#include <utility>

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

Outcome run(const Comm& comm, const config::Scene& scene, std::int64_t steps = 80)
{
  test::Simulation simulation(comm, scene);
  while (simulation.state.steps < steps) {
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  }
  return {simulation::state_hash(simulation.model(), comm), simulation.state.events};
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

TEST_CASE("a mesh decomposed beforehand gives the same run, for whatever number of ranks it was decomposed",
          "[io][parallel]")
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

namespace {

/// One of the ways in which rows can be wrong, or happen to be right, drawn by the key.
void spoil(partition::RowSlice& rows, std::uint64_t key)
{
  const auto draw = [key](std::uint64_t k) { return combine(combine(5, key), k); };
  const auto any = [&](auto& all) -> auto&
  {
    return all[draw(1) % all.size()];
  };
  const std::array<GlobalIndex, 8> numbers{-1, 0, 1, 44, 45, 1 << 20, INT64_MAX, INT64_MIN};
  const GlobalIndex number = numbers[draw(2) % numbers.size()];
  const std::size_t corner = draw(3) % 4;
  switch (draw(0) % 12) {
    case 0:
      any(rows.corners)[corner] = number;
      break;
    case 1:
      any(rows.corners)[corner] = static_cast<GlobalIndex>(draw(4));
      break;
    case 2:
      std::swap(any(rows.corners)[corner], any(rows.corners)[(corner + 1) % 4]);
      break;
    case 3:
      std::swap(any(rows.corners), rows.corners[draw(4) % rows.corners.size()]);
      break;
    case 4:
      any(rows.nodes).owner = static_cast<Rank>(number);
      break;
    case 5:
      any(rows.nodes).id = static_cast<NodeId>(number);
      break;
    case 6:
      any(rows.nodes).marks = draw(4);
      break;
    case 7:
      any(rows.nodes).X[corner % 3] = std::array<double, 4>{NAN, INFINITY, -1e300, 0.0}[draw(4) % 4];
      break;
    case 8:
      any(rows.nodes).size = std::array<double, 4>{NAN, 0.0, -1.0, INFINITY}[draw(4) % 4];
      break;
    case 9:
      any(rows.elements.rows).level = static_cast<std::uint8_t>(draw(4));
      break;
    case 10:
      any(rows.elements.rows).material = static_cast<MaterialIndex>(draw(4));
      break;
    default:
      any(rows.elements.rows).id = static_cast<ElementId>(number);
      break;
  }
}

}  // namespace

TEST_CASE("a file that does not agree with itself is one error on every rank, whatever its seal says", "[io][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  config::Scene scene = pulled_bar();
  scene.partition.file = scratch_file();
  simulation::write_coarse_mesh(world, scene, world.size(), scratch_file());
  io::StoredBodies sound;
  if (world.rank() == 0) sound = io::read_bodies(alone, scratch_file());
  int refused = 0;
  for (std::uint64_t key = 0; key < 80; ++key) {
    CAPTURE(key);
    if (world.rank() == 0) {
      io::StoredBodies spoilt = sound;
      spoil(spoilt.bodies, key);
      io::write_bodies(alone, scratch_file(), io::FileKind::mesh, spoilt);
    }
    world.barrier();
    const std::string message = error_of(world, scene);
    std::string of_rank_0 = message;
    world.broadcast(of_rank_0);
    REQUIRE(message == of_rank_0);
    if (!message.empty())
      ++refused;
    else
      CHECK_NOTHROW(run(world, scene, 10));
    world.barrier();
  }
  CHECK(refused > 40);
}

TEST_CASE("columns that are not equally long are refused", "[io]")
{
  const Comm alone(MPI_COMM_SELF);
  const config::Scene scene = pulled_bar();
  if (Comm().rank() != 0) return;
  const auto path = std::filesystem::temp_directory_path() / "sunder_uneven.h5";
  for (const std::string column : {"nodes/marks", "elements/material", "elements/corners", "pairs/overlap"}) {
    simulation::write_coarse_mesh(alone, scene, 2, path);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    REQUIRE(file >= 0);
    REQUIRE(H5Ldelete(file, column.c_str(), H5P_DEFAULT) >= 0);
    const std::array<hsize_t, 2> size{3, 1};
    const hid_t space = H5Screate_simple(2, size.data(), nullptr);
    H5Dclose(H5Dcreate2(file, column.c_str(), H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space), H5Fclose(file);
    CHECK_THROWS_WITH(io::read_bodies(alone, path), Catch::Contains("3 rows in " + column));
  }
  std::filesystem::remove(path);
}
