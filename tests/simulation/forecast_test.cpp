#include "simulation/forecast/make_forecast.hpp"

#include "config/parser.hpp"
#include "simulation/forecast/cost.hpp"
#include "simulation/forecast/lattice.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/selection.hpp"
#include "simulation/setup/setup.hpp"
#include "simulation/stepping/explicit_stepper.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>

using namespace sunder;
using simulation::Forecast;

namespace {

// Coarser than the scene's: each case meshes it twice.
const std::string pane_size = "bodies.pane.mesh.size=0.08", pane_level = "bodies.pane.mesh.refine=";

/// What set_up() makes of a scene, and the stable limit it then has.
struct Made {
  GlobalIndex nodes = 0, elements = 0;
  std::vector<GlobalIndex> selected_nodes, selected_faces;  ///< Of boundary conditions; of loads.
  double limit = 0, mass = 0;
};

Made made(const config::Scene& scene)
{
  simulation::State state = simulation::set_up(Comm(), scene);
  const mesh::TetMesh& mesh = state.model.mesh;
  Made m{mesh.num_nodes(), mesh.num_slots(), {}, {}, 0, 0};
  m.selected_nodes.resize(scene.boundary.size()), m.selected_faces.resize(scene.loads.size());
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    for (std::size_t k = 0; k < m.selected_nodes.size(); ++k) m.selected_nodes[k] += mesh.node(n).marks >> k & 1u;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    for (const std::uint64_t marks : mesh.face_marks(e))
      for (std::size_t k = 0; k < m.selected_faces.size(); ++k) m.selected_faces[k] += marks >> k & 1u;
    m.mass += state.model.blocks.volume(e) * state.model.material_of(e).density;
  }
  m.limit = simulation::ExplicitStepper(scene, state).limit().seconds;
  return m;
}

void check_forecast(const config::Scene& scene)
{
  const Forecast f = simulation::make_forecast(scene);
  const Made m = made(scene);
  CHECK(f.nodes == m.nodes);
  CHECK(f.elements == m.elements);
  double mass = 0;
  for (const auto& body : f.bodies) mass += body.mass;
  CHECK(mass == Approx(m.mass).epsilon(1e-12));
  REQUIRE(f.selections.size() == m.selected_nodes.size() + m.selected_faces.size());
  for (std::size_t k = 0; k < m.selected_nodes.size(); ++k) CHECK(f.selections[k].nodes == m.selected_nodes[k]);
  for (std::size_t k = 0; k < m.selected_faces.size(); ++k)
    CHECK(f.selections[m.selected_nodes.size() + k].faces == m.selected_faces[k]);
  CHECK(f.selections.front().nodes > 0);  // otherwise nothing was compared
  CAPTURE(f.limit.seconds.least, f.limit.seconds.most, m.limit);
  CHECK(f.limit.seconds.least <= m.limit * (1 + 1e-9));
  CHECK(f.limit.seconds.most >= m.limit * (1 - 1e-9));
  CHECK(f.limit.seconds.most < 1.1 * f.limit.seconds.least);
}

}  // namespace

TEST_CASE("check counts the nodes, elements, selections and mass that set-up makes", "[forecast]")
{
  for (const std::string level : {"0", "1", "2"}) {
    CAPTURE(level);
    check_forecast(config::load_scene("wall", std::vector{"bodies.wall.mesh.refine=" + level}));
  }
}

TEST_CASE("faces of a load, and nodes in balls and cylinders, are counted as they are selected", "[forecast]")
{
  const std::string where = "boundary.left.where=";
  for (const std::string level : {"0", "1"})
    for (const std::string place :
         {"{sphere: {center: [0.3, 0, 0.2], radius: 0.27}}",
          "{cylinder: {point: [0.1, 0, 0.2], axis: [1, 4, 0.3], radius: 0.17}}",
          "{box: {min: [-0.6, -1, -0.6], max: [-0.4, 1, 0.6]}, sphere: {center: [-0.5, 0, 0], "
          "radius: 0.33}}"}) {
      CAPTURE(level, place);
      const std::vector<std::string> changes{pane_size, pane_level + level, where + place,
                                             "loads.blast.where={cylinder: {point: [0, 0, 0], axis: [0, 1, 0], "
                                             "radius: 0.31}}"};
      check_forecast(config::load_scene("window_blast", changes));
    }
}

TEST_CASE("check tells what is one element thick", "[forecast]")
{
  const auto share = [](std::vector<std::string> changes) {
    return simulation::make_forecast(config::load_scene("window_blast", changes)).bodies[0].one_element_thick;
  };
  CHECK(share({pane_size}) > 0.9);
  CHECK(share({pane_size, pane_level + "1"}) == 0);

  const auto of_cubes = [](int across) {
    const std::string file = test::mesh_file("forecast_layers", test::box_mesh(6, 6, across, 0.05));
    return simulation::make_forecast(test::scene(fmt::format(R"(
bodies: [{{name: slab, mesh: {{file: {}}}, material: {{E: 1.0e7, nu: 0.2, density: 1000}}}}]
time: {{end: 1}}
)",
                                                             file)))
        .bodies[0]
        .one_element_thick;
  };
  CHECK(of_cubes(1) == Approx(1));
  CHECK(of_cubes(2) < 0.4);
  CHECK(of_cubes(6) < 0.4);
}

TEST_CASE("nodes and faces on one side of a plane are counted as they are selected", "[forecast]")
{
  // A plane that crosses elements, and one that nodes and faces of elements lie in.
  for (const std::string plane : {"point: [0.1, 0, 0.05], normal: [1, 0, 2]",
                                  "point: [0.03, 0.001, 0], normal: [-3, 1, 1]", "point: [0, 0, 0], normal: [0, 0, 1]"})
    for (const std::string level : {"0", "1"}) {
      CAPTURE(plane, level);
      const std::vector<std::string> changes{
          pane_size, pane_level + level, "boundary.left.where={side: {" + plane + "}}",
          "boundary.right.where={cylinder: {point: [0.1, 0, 0.2], axis: [1, 4, 0.3], radius: 0.27}, side: {" + plane +
              "}}",
          "loads.blast.where={sphere: {center: [0, 0, 0], radius: 0.6}, side: {" + plane + "}}"};
      check_forecast(config::load_scene("window_blast", changes));
    }
}

TEST_CASE("the nodes and faces of each lip of a slit are counted as they are selected", "[forecast]")
{
  mesh::MeshData slit = test::box_mesh(4, 2, 2, 0.05);
  test::cut_slit(slit, 0.05, 0.1);
  const std::string file = test::mesh_file("forecast_slit", slit);
  const std::string lips = "box: {min: [-1, -1, 0.049], max: [0.101, 1, 0.051]}, side: {point: [0, 0, 0.05], normal: ";
  for (const int level : {0, 1, 2}) {
    CAPTURE(level);
    const config::Scene scene = test::scene(fmt::format(R"(
bodies: [{{name: block, mesh: {{file: {}, refine: {}}}, material: glass}}]
boundary:
  - {{name: upper, where: {{{}[0, 0, 1]}}}}, fixed: true}}
  - {{name: lower, where: {{{}[0, 0, -1]}}}}, fixed: true}}
loads:
  - {{name: wedge, where: {{{}[0, 0, 1]}}}}, pressure: 1.0}}
collisions: {{enabled: false}}
time: {{end: 1}}
)",
                                                        file, level, lips, lips, lips));
    check_forecast(scene);
    const Forecast f = simulation::make_forecast(scene);
    CHECK(f.selections[0].nodes == f.selections[1].nodes);
    CHECK(f.selections[2].faces == 8 << 2 * level);  // two squares of a cell by two, each of two triangles
  }
}

TEST_CASE("points and triangles of a lattice are those asked one by one", "[forecast][lattice]")
{
  const GlobalIndex n = 9;
  GlobalIndex found = 0;
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    std::array<Vec3, 4> X;
    for (std::uint64_t a = 0; a < 4; ++a) X[a] = test::random_vector(seed, a);
    config::Selection where;
    const Vec3 middle = 0.3 * test::random_vector(seed, 5);
    if (seed % 3 == 0) where.box = {middle - Vec3(0.4, 0.3, 0.5), middle + Vec3(0.3, 0.4, 0.2)};
    if (seed % 7 == 0) where.box = {Vec3::Constant(-1e9), {1e9, middle[1], 1e9}};
    if (seed % 3 == 1 || seed % 5 == 0) where.sphere = {middle, 0.5};
    if (seed % 3 == 2) where.cylinder = {middle, test::random_vector(seed, 6), 0.35};
    const auto at = [&](double i, double j, double k) -> Vec3 {
      return X[0] + (i * (X[1] - X[0]) + j * (X[2] - X[0]) + k * (X[3] - X[0])) / static_cast<double>(n);
    };
    const auto in = [&](GlobalIndex i, GlobalIndex j, GlobalIndex k) {
      return simulation::inside(where, at(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
    };
    GlobalIndex edge = 0, face = 0, element = 0, triangles = 0;
    for (GlobalIndex i = 0; i <= n; ++i)
      for (GlobalIndex j = 0; i + j <= n; ++j) {
        for (GlobalIndex k = 1; i > 0 && j > 0 && i + j + k < n; ++k) element += in(i, j, k);
        face += i > 0 && j > 0 && i + j < n && in(i, j, 0);
        edge += j == 0 && i > 0 && i < n && in(i, 0, 0);
        triangles += i + j < n && in(i, j, 0) && in(i + 1, j, 0) && in(i, j + 1, 0);
        triangles += i + j + 1 < n && in(i + 1, j, 0) && in(i, j + 1, 0) && in(i + 1, j + 1, 0);
      }
    CAPTURE(seed);
    simulation::RowBudget budget{1000, false};
    CHECK(simulation::inner_points({where}, std::span(X).first(2), n, budget) == edge);
    CHECK(simulation::inner_points({where}, std::span(X).first(3), n, budget) == face);
    CHECK(simulation::inner_points({where}, X, n, budget) == element);
    CHECK(simulation::inner_triangles(where, {X[0], X[1], X[2]}, n, {}, budget) == triangles);
    CHECK_FALSE(budget.exhausted);
    found += edge + face + element + triangles;
    simulation::RowBudget none{0, false};
    if (element > 0 && element < (n - 1) * (n - 2) * (n - 3) / 6) {
      CHECK(simulation::inner_points({where}, X, n, none) == 0);
      CHECK(none.exhausted);
    }
  }
  CHECK(found > 500);
}

TEST_CASE("check names the fewest ranks whose memory suffices", "[forecast][cost]")
{
  const GlobalIndex elements = 1'000'000'000;
  const double memory = 4.0 * (1 << 30);
  const auto ranks = simulation::ranks_with_room(elements, memory);
  REQUIRE(ranks);
  CHECK(simulation::rank_bytes(elements, *ranks).most <= memory);
  CHECK(simulation::rank_bytes(elements, *ranks - 1).most > memory);
  CHECK(simulation::ranks_with_room(1000, memory) == Rank{1});
  CHECK_FALSE(simulation::ranks_with_room(elements, 1e6));  // less than the program itself
  // However much memory there is, a local index numbers no more than 2^31 elements.
  CHECK(simulation::ranks_with_room(20 * elements, 1e15) >= Rank{10});
}

TEST_CASE("intervals of steps and wall time hold the truth of shipped scenes, within a factor of four",
          "[forecast][cost]")
{
  // Measured on runs to their end on one rank: docs/meshes.md. Wall time is that of a processor of their own.
  struct Run {
    std::string name;
    double steps, seconds;
  };
  const std::vector<Run> runs{{"wall", 52564, 35.9},
                              {"plate", 42155, 13.7},
                              {"tray", 61586, 30.1},
                              {"glass_slab", 37911, 19.4},
                              {"comparison_bowl", 64743, 32.0}};
  for (const Run& run : runs) {
    CAPTURE(run.name);
    const config::Scene scene = config::load_scene(run.name, {});
    const auto cost = simulation::cost_forecast(scene, simulation::make_forecast(scene), 1);
    for (const auto& [interval, truth] : {std::pair{cost.steps, run.steps}, std::pair{cost.wall, run.seconds}}) {
      CHECK(interval.least <= truth);
      CHECK(interval.most >= truth);
      CHECK(interval.most <= 4.001 * interval.least);
    }
  }
}

TEST_CASE("cracks whose faces cannot touch are said to take the time of a body that does not break, a step",
          "[forecast][cost]")
{
  const config::Scene scene = config::load_scene("kalthoff_winkler", {});
  const auto cost = simulation::cost_forecast(scene, simulation::make_forecast(scene), 1);
  CHECK(cost.wall.most / cost.unbroken_wall.most < cost.steps.most / cost.unbroken_steps);
  CHECK(cost.wall.least <
        2 * 2.7);  // A run took 2.7 s without set-up, on a machine twice as fast as that of the others.
  CHECK(cost.wall.most > 2 * 2.7);
  CHECK(cost.steps.least < 5233);
  CHECK(cost.steps.most > 5233);
}

TEST_CASE("with local steps check says the steps of the unbroken mesh, and no shorter one",
          "[forecast][cost][local_steps]")
{
  const auto forecast = [](std::vector<std::string> changes) {
    const config::Scene scene = config::load_scene("plate", changes);
    return simulation::cost_forecast(scene, simulation::make_forecast(scene), 1);
  };
  const auto one = forecast({}), local = forecast({"time.local_steps=auto"});
  CHECK(local.step == one.step);
  CHECK(local.steps.least == one.unbroken_steps);
  CHECK(local.steps.least <= 8100);  // what a run took
  CHECK(local.steps.most >= 8100);
  CHECK(local.steps.most < 1.2 * one.unbroken_steps);
  CHECK(local.wall.most == Approx(one.wall.most).epsilon(0.001));
  const double longer = 3 * one.step;
  const auto macro = forecast({"time.local_steps=auto", fmt::format("time.macro_step={}", longer)});
  CHECK(macro.step == Approx(longer));
  CHECK(macro.unbroken_steps == Approx(one.unbroken_steps / 3).epsilon(0.001));
  const auto longest = forecast({"time.local_steps=auto", "time.macro_step=1"});
  CHECK(longest.step < 64 * one.step / 0.8);
  CHECK(longest.step > 30 * one.step);
}

TEST_CASE("frames are counted as a run writes them: one with each load step, where no interval is given",
          "[forecast][cost]")
{
  const auto forecast = [](std::vector<std::string> changes) {
    const config::Scene scene = config::load_scene("three_point_bend", changes);
    return simulation::cost_forecast(scene, simulation::make_forecast(scene), 1);
  };
  const auto each = forecast({"solver=static", "output.frame_interval=auto", "time.end=2", "time.step=0.16"});
  CHECK(each.frames == 14);
  CHECK(each.more_frames);
  const auto at_times = forecast({"solver=static", "output.frame_interval=0.5", "time.end=2"});
  CHECK(at_times.frames == 5);
  CHECK_FALSE(at_times.more_frames);
}

TEST_CASE("a scene in which nothing can break takes the steps of its mesh", "[forecast][cost]")
{
  const config::Scene scene = config::load_scene("plate", std::vector<std::string>{"fracture.enabled=false"});
  const Forecast f = simulation::make_forecast(scene);
  const auto alone = simulation::cost_forecast(scene, f, 1), eight = simulation::cost_forecast(scene, f, 8);
  CHECK(alone.steps.least == 8100);
  CHECK(alone.steps.most == 8100);
  CHECK_FALSE(alone.may_break);
  CHECK(eight.wall.most == Approx(alone.wall.most / 8));
}

TEST_CASE("memory of the rank that writes frames holds what runs of a million elements took", "[forecast][cost]")
{
  const auto said = [](const char* frames, Rank ranks) {
    const config::Scene scene = config::load_scene(
        "wall_heavy_ball", std::vector<std::string>{"bodies.wall.mesh.size=0.13", "bodies.wall.mesh.refine=3", frames});
    return simulation::cost_forecast(scene, simulation::make_forecast(scene), ranks).rank_bytes;
  };
  struct Run {
    const char* frames;
    Rank ranks;
    double bytes;
  };
  for (const auto& [frames, ranks, bytes] :
       {Run{"output.frames=false", 1, 425e6}, Run{"output.frames=false", 2, 257e6}, Run{"output.frames=true", 1, 748e6},
        Run{"output.frames=true", 2, 553e6}}) {
    CAPTURE(frames, ranks);
    CHECK(said(frames, ranks).least < bytes);
    CHECK(said(frames, ranks).most > bytes);
  }
}

TEST_CASE("a zone that the mesh cannot see is told, and an exclusion that reaches beyond its elements", "[forecast]")
{
  const config::Scene scene = config::parse_scene(R"(
materials: {glass: {E: 32.0e9, nu: 0.2, density: 2450, toughness: {stress: 3.08e6, G_c: 3.0}}}
bodies: [{name: plate, mesh: {geometry: wall.geo, size: 0.1}, material: glass}]
time: {end: 1}
)",
                                                  "scene.yaml", {});  // the zone is 10.5 mm
  const auto notes = [&scene](double size, double exclusion) {
    return simulation::notes_on_cohesion(scene.materials, scene.interfaces, size, exclusion);
  };
  CHECK(notes(1e-3, 0.5).empty());
  REQUIRE(notes(6e-3, 0.5).size() == 1);
  CHECK_THAT(notes(6e-3, 0.5)[0], Catch::Contains("less than two elements of 0.006 m"));
  REQUIRE(notes(1e-3, 2).size() == 1);
  CHECK_THAT(notes(1e-3, 2)[0], Catch::Contains("reaches 16 elements at most, some 0.016 m here: as much as 1.5"));
}
