#include "simulation/diagnostics/summary.hpp"

#include "io/run_files/history.hpp"
#include "simulation/diagnostics/history_row.hpp"

#include "io/scratch_folder.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

simulation::Summary example()
{
  simulation::Summary s;
  s.version = "0.1.0", s.scene = "wall", s.run = "00ff", s.ranks = 2, s.steps = 100, s.time = 0.5, s.dt_min = 1e-7;
  s.nodes = 20, s.elements = 60, s.nodes_initial = 18, s.elements_initial = 54;
  s.fragments = 3, s.fracture_events = 4, s.mass = 1.5, s.momentum = Vec3(0, -0.25, 2);
  s.energy = {.kinetic = 1.5,
              .elastic = 2.5,
              .viscous = 3.5,
              .plastic = 4.5,
              .contact = 5.5,
              .external = 6.5,
              .remeshing = 7.5,
              .surface = 0.375,
              .numerical = 8.25,
              .relative_error = 0.125};
  s.cracks = {.faces = 12, .area = 0.75, .area_of_known = 0.5, .critical_energy = 8.5}, s.released_energy = 0.0625;
  s.largest_crack = 0.25;
  s.cracking_checks = 5, s.rounds = 9;
  s.state_hash = 0xabc;
  s.wall = {.total = 9.5,
            .setup = 1.5,
            .forces = 2.5,
            .failure = 0.5,
            .remesh = 0.25,
            .contact = 0.75,
            .halo = 0.125,
            .solve = 3.5,
            .output = 4.5};
  s.ns_per_element_step = 30.5, s.halo_bytes_per_step = 4096.5, s.peak_rss_bytes = 5000000000;
  s.partition = {.imbalance = 1.125,
                 .held_elements = 69,
                 .shared_elements = 9,
                 .ghosts = 12,
                 .most_ghosts = 7,
                 .messages = 2,
                 .most_neighbours = 1};
  s.work_imbalance = 1.25, s.num_repartitions = 3;
  s.bytes_per_element = 250.5, s.step_limit = {1e-7, "elastic", (1ull << 62) + 5};
  s.shortened = {40, 16, 12, 0.5};
  s.solver = "implicit", s.solves = {7, 91};
  s.viscosity_capped_elements = 6, s.added_mass = 0.5, s.dust = {2, 1e-7, 4e-7, false}, s.dust_elements = 5,
  s.dust_mass = 0.25;
  s.warnings = {"quote \" it"};
  return s;
}

const char* const expected = R"({
  "version": "0.1.0",
  "scene": "wall",
  "solver": "implicit",
  "run": "00ff",
  "ranks": 2,
  "steps": 100,
  "newton_iterations": 7,
  "linear_iterations": 91,
  "time": 0.5,
  "dt_min": 1e-07,
  "nodes": 20,
  "elements": 60,
  "nodes_initial": 18,
  "elements_initial": 54,
  "fragments": 3,
  "fracture_events": 4,
  "mass": 1.5,
  "momentum": [
    0.0,
    -0.25,
    2.0
  ],
  "energy": {
    "kinetic": 1.5,
    "elastic": 2.5,
    "viscous": 3.5,
    "plastic": 4.5,
    "contact": 5.5,
    "external": 6.5,
    "remeshing": 7.5,
    "surface": 0.375,
    "numerical": 8.25,
    "relative_error": 0.125
  },
  "surface_area": 0.75,
  "fracture": {
    "cracking_checks": 5,
    "rounds": 9,
    "crack_faces": 12,
    "largest_crack": 0.25,
    "released_energy": 0.0625,
    "surface_area_of_known_G_c": 0.5,
    "critical_energy": 8.5
  },
  "state_hash": "0000000000000abc",
  "wall_seconds": {
    "total": 9.5,
    "setup": 1.5,
    "forces": 2.5,
    "failure": 0.5,
    "remesh": 0.25,
    "contact": 0.75,
    "halo": 0.125,
    "solve": 3.5,
    "output": 4.5
  },
  "ns_per_element_step": 30.5,
  "halo_bytes_per_step": 4096.5,
  "partition": {
    "imbalance": 1.125,
    "held_elements": 69,
    "shared_elements": 9,
    "ghosts": 12,
    "most_ghosts": 7,
    "messages": 2,
    "most_neighbours": 1,
    "work_imbalance": 1.25,
    "repartitions": 3
  },
  "peak_rss_bytes": 5000000000,
  "bytes_per_element": 250.5,
  "step_limit": {
    "kind": "elastic",
    "element": 4611686018427387909,
    "seconds": 1e-07,
    "shortened_steps": 40,
    "shortened_most": 16.0,
    "shortened_for": "deformation"
  },
  "viscosity_capped_elements": 6,
  "added_mass": 0.5,
  "dust": {
    "fragments": 2,
    "elements": 5,
    "added_mass": 0.25,
    "limit_without": 1e-07,
    "limit_with": 4e-07
  },
  "warnings": [
    "quote \" it"
  ]
}
)";

}  // namespace

TEST_CASE("summary.json has the contracted keys, in order", "[diagnostics][summary]")
{
  CHECK(simulation::to_json(example()) == expected);
}

TEST_CASE("write_summary replaces the file and leaves nothing beside it", "[diagnostics][summary]")
{
  const test::ScratchFolder folder(Comm(MPI_COMM_SELF));
  std::ofstream(folder / "summary.json") << "of an older run";
  simulation::write_summary(folder / "summary.json", example());
  CHECK(test::text_of(folder / "summary.json") == expected);
  const std::filesystem::directory_iterator files(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("a row of history.csv has the contracted columns and exact numbers", "[diagnostics][history]")
{
  CHECK(simulation::history_header({"boundary.left", "loads.a, b"}) ==
        "step,time,dt,nodes,elements,fragments,events,kinetic,elastic,viscous,plastic,contact,external,remeshing,"
        "energy_error,crack_faces,surface_area,numerical,surface,"
        "boundary.left.fx,boundary.left.fy,boundary.left.fz,\"loads.a, b.fx\",\"loads.a, b.fy\",\"loads.a, b.fz\"");
  simulation::HistoryRow r;
  r.step = 3, r.time = 0.1 * 3, r.dt = 1e-7;
  r.nodes = 8, r.elements = 6, r.fragments = 1, r.events = 2;
  r.energy = {.kinetic = 1.0 / 3,
              .elastic = 2,
              .viscous = 0,
              .plastic = 4,
              .contact = -5,
              .external = 6,
              .remeshing = 1e300,
              .surface = 0.125,
              .numerical = 0.75,
              .relative_error = 7e-3};
  r.cracks.faces = 4, r.cracks.area = 0.25;
  r.reactions = {{Vec3(1, 0.5, -2), Vec3(9, 9, 9), Vec3(8, 8, 8)}, {}};
  CHECK(simulation::history_line(r) ==
        "3,0.30000000000000004,1e-07,8,6,1,2,0.3333333333333333,2,0,4,-5,6,1e+300,0.007,4,0.25,0.75,0.125,1,0.5,-2,0,0,"
        "0");
  CHECK(io::table_row(3, 0.5, simulation::reaction_numbers(r.reactions)) ==
        "3,0.5,1,0.5,-2,9,9,9,8,8,8,0,0,0,0,0,0,0,0,0");
}
