#include "simulation/probes.hpp"
#include "config/parser.hpp"
#include "simulation/diagnostics/probe_rows.hpp"
#include "simulation/diagnostics/section_rows.hpp"
#include "simulation/stepping/run_state.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>

using namespace sunder;

namespace {

constexpr double length = 0.2, side = 0.1, density = 1000;  // of the bar, from the origin along x
constexpr double h = 0.05;                                  // of its elements [m]

const std::string held = R"(
boundary:
  - {name: left, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}
)";
const std::string pulled = held + R"(
loads:
  - {name: pull, where: {box: {min: [0.199999, -1, -1], max: [1, 1, 1]}}, traction: [2e4, 0, 0]}
)";

const std::string at_rest = "solver: {method: static}\n";

/// rest: more keys of the scene; output: of its section output.
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const std::string& rest, const std::string& output,
                                           const std::string& fracture = "{enabled: false}")
{
  const std::string text =
      fmt::format(R"(
materials:
  stuff: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 3e3, psi: 3e3, toughness: 40}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: stuff}}
fracture: {}
collisions: {{enabled: false}}
time: {{end: 1}}
{}
output: {})",
                  test::mesh_file("probes_bar", test::box_mesh(4, 2, 2, h, 0.2, 3)), fracture, rest, output);
  return std::make_unique<test::Simulation>(comm, test::scene(text));
}

void run(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end) simulation.advance(simulation.step_size());
  simulation.compute_forces();
}

/// Collective.
std::vector<double> probe_row(const test::Simulation& simulation)
{
  simulation::ProbeSums sums(simulation.scene, simulation.state);
  Reduction all;
  sums.join(all);
  all.over(simulation.state.comm);
  return sums.row();
}

/// Collective.
std::vector<simulation::SectionRow> section_rows(const test::Simulation& simulation)
{
  simulation::SectionSums sums(simulation.scene.output.sections, simulation.model());
  Reduction all;
  sums.join(all);
  all.over(simulation.state.comm);
  return sums.rows();
}

const std::string all_fields =
    "fields: [Displacement, Velocity, Speed, Damage, Stress, VonMisesStress, MaxPrincipalStress, MaxPrincipalStrain, "
    "PlasticStrain]";

}  // namespace

TEST_CASE("a probe in a homogeneous strain reads what was prescribed", "[physics][probes]")
{
  const auto simulation = simulate(Comm(MPI_COMM_SELF), "", R"({probes: [
    {name: a, at: [0.031, 0.042, 0.053], fields: [Displacement, Velocity, MaxPrincipalStrain, Stress]},
    {name: n, node: 7, fields: [Displacement, Velocity, MaxPrincipalStrain, Stress]}]})");
  element::Model& model = simulation->state.model;
  Mat3 G;
  G << 2e-3, 1e-3, 0, 0, -1e-3, 5e-4, 0, 0, 3e-4;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    const Vec3 X = model.mesh.node(n).X;
    model.p[i].set_xyz(X + G * X), model.v[i].set_xyz(Vec3(1, -2, 3));
  }
  const std::vector<double> row = probe_row(*simulation);
  REQUIRE(row.size() == 2 * 13);
  REQUIRE(simulation::probe_columns(simulation->scene)[7] == "a.sxx");
  const Mat3 F = Mat3::Identity() + G;
  const double strain = element::largest_principal(0.5 * (F.transpose() * F - Mat3::Identity())).value;
  const Vec3 at(0.031, 0.042, 0.053), node = model.mesh.node(*model.mesh.find(7)).X;
  for (std::size_t k = 0; k < 2; ++k) {
    const double* const of = &row[13 * k];
    const Vec3 X = k == 0 ? at : node;
    CHECK((Vec3(of) - G * X).norm() < 1e-16);
    CHECK((Vec3(of + 3) - Vec3(1, -2, 3)).norm() < 1e-14);
    CHECK(of[6] == Approx(strain).epsilon(1e-10));
    CHECK(of[7] == Approx(row[7]).epsilon(1e-9));  // the same stress everywhere
  }
}

TEST_CASE("a probe follows its point through cuts and new owners, to the same bits on any number of ranks",
          "[physics][probes][parallel]")
{
  static constexpr std::int64_t num_places = 40;
  const auto rows = [](const Comm& comm, bool repartitions) {
    const std::string shaken = R"(
boundary:
  - {name: left, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, velocity: [-3, 0, 1]}
  - {name: right, where: {box: {min: [0.199999, -1, -1], max: [1, 1, 1]}}, velocity: [3, 1, 0]}
)";
    std::string probes =
        "{name: n, node: 22, " + all_fields + "}, {name: on_node, at: [0.1, 0.05, 0], " + all_fields + "}";
    for (std::uint64_t k = 0; k + 1 < static_cast<std::uint64_t>(num_places); ++k) {
      const Vec3 at = Vec3(0.1, 0.05, 0.05) + Vec3(0.1, 0.05, 0.05).cwiseProduct(test::random_vector(5, k));
      probes += fmt::format(", {{name: p{}, at: [{}, {}, {}], {}}}", k, at.x(), at.y(), at.z(), all_fields);
    }
    const auto simulation = simulate(comm, shaken, "{probes: [" + probes + "]}", "{enabled: true}");
    std::vector<std::vector<double>> all;
    for (int k = 1; k <= 6; ++k) {
      run(*simulation, k * 1e-3);
      all.push_back(probe_row(*simulation));
      if (!repartitions) continue;
      while (!simulation->at_sync_point()) simulation->advance(simulation->step_size());
      simulation->repartition();
    }
    simulation::agree_on_points(simulation->state);
    // The element that holds the point still does, in the material.
    std::int64_t inside = 0;
    const element::Model& model = simulation->model();
    bool made_by_cuts = false;
    for (const auto& point : model.points) {
      made_by_cuts = made_by_cuts || (point.element != mesh::no_element && point.element.high != 0);
      if (point.slot < 0 || !model.mesh.primary(point.slot)) continue;
      const auto share = element::barycentric(model.mesh.corners(point.slot), point.X);
      inside += *std::min_element(share.begin(), share.end()) > -1e-9;
    }
    CHECK(comm.sum(inside) == num_places);
    CHECK(made_by_cuts);
    CHECK(simulation->state.events > 20);
    return all;
  };
  const auto alone = rows(Comm(MPI_COMM_SELF), false), together = rows(Comm(), false), moved = rows(Comm(), true);
  CHECK(together == alone);
  CHECK(moved.front() == alone.front());
}

TEST_CASE("places outside every body, nodes that are none and planes beside the bodies are refused",
          "[physics][probes]")
{
  const auto refused = [](const std::string& output) {
    try {
      simulate(Comm(), "", output);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK_THAT(refused("{probes: [{name: a, at: [0.1, 0.05, 0.05]}, {name: b, at: [0.3, 0, 0]}]}"),
             Catch::Contains("scene.yaml:10:") &&
                 Catch::Contains("output.probes.b.at: expected a place in a body, got [0.3, 0, 0]"));
  CHECK_THAT(refused("{probes: [{name: a, node: 4711}]}"),
             Catch::Contains("output.probes.a.node: expected the id of a node") && Catch::Contains("got 4711"));
  CHECK_THAT(refused("{sections: [{name: s, point: [0.3, 0, 0], normal: [1, 0, 0]}]}"),
             Catch::Contains("output.sections.s: expected a plane that cuts elements"));
  CHECK_THAT(refused("{sections: [{name: s, point: [0.1, 1, 0], normal: [1, 0, 0], radius: 0.5}]}"),
             Catch::Contains("output.sections.s: expected a plane that cuts elements"));
}

TEST_CASE("a bar that is pulled carries the load through every section, with its lever", "[physics][sections]")
{
  const auto simulation = simulate(Comm(MPI_COMM_SELF), pulled + at_rest, R"({sections: [
    {name: near, point: [0.03, 0.05, 0.05], normal: [1, 0, 0]},
    {name: far, point: [0.17, 0, 0], normal: [1, 0, 0]},
    {name: turned, point: [0.1, 0, 0], normal: [-1, 0, 0]},
    {name: slant, point: [0.1, 0.05, 0.05], normal: [1, 0.3, 0]}]})");
  run(*simulation, 1);
  const auto rows = section_rows(*simulation);
  const double pull = 2e4 * side * side;
  for (const std::size_t k : {0u, 1u, 3u}) CHECK((rows[k].force - Vec3(pull, 0, 0)).norm() < 1e-6 * pull);
  CHECK((rows[2].force - Vec3(-pull, 0, 0)).norm() < 1e-6 * pull);
  for (const auto& row : rows) CHECK(row.moment.norm() < 1e-3 * pull * side);
  for (const std::size_t k : {0u, 1u, 2u}) CHECK(rows[k].area == Approx(side * side).epsilon(1e-12));
  CHECK(rows[3].area == Approx(side * side * std::sqrt(1 + 0.3 * 0.3)).epsilon(1e-12));
  CHECK(rows[0].centroid.y() == Approx(side / 2).epsilon(1e-4));
}

TEST_CASE("a bar at rest under its weight: the force through a section is the weight beyond, the moment its lever",
          "[physics][sections]")
{
  // Planes halfway between layers of nodes: beyond them is the lumped mass of the nodes beyond.
  const auto simulation = simulate(Comm(MPI_COMM_SELF), held + at_rest + "gravity: [0, 0, -9.81]", R"({sections: [
    {name: a, point: [0.025, 0.05, 0.05], normal: [1, 0, 0]}, {name: b, point: [0.125, 0.05, 0.05], normal: [1, 0, 0]}]})");
  run(*simulation, 1);
  const element::Model& model = simulation->model();
  const auto rows = section_rows(*simulation);
  for (const auto& [row, x] : {std::pair(rows[0], 0.025), std::pair(rows[1], 0.125)}) {
    double mass = 0;
    Vec3 lever = Vec3::Zero();  // times mass
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      if (const auto i = static_cast<std::size_t>(n); model.mesh.node(n).X.x() >= x)
        mass += model.mass[i], lever += model.mass[i] * (model.p[i].xyz() - row.centroid);
    const Vec3 weight(0, 0, -9.81 * mass);
    CHECK((row.force - weight).norm() < 1e-5 * weight.norm());
    CHECK((row.moment - lever.cross(Vec3(0, 0, -9.81))).norm() < 1e-4 * weight.norm() * side);
    CHECK(mass == Approx(density * side * side * (length - x)).epsilon(0.3 * h / (length - x)));
  }
}

TEST_CASE("a section's force is the momentum's rate of what is beyond it, whatever moves and breaks",
          "[physics][sections][parallel]")
{
  const auto measured = [](const Comm& comm) {
    const std::string shaken = R"(
boundary:
  - {name: left, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, velocity: [-3, 0, 1]}
)";
    const auto simulation = simulate(comm, shaken, R"({sections: [
      {name: s, point: [0.08, 0, 0], normal: [1, 0.2, 0.1]}, {name: wide, point: [0.08, 0, 0], normal: [1, 0.2, 0.1], radius: 1}]})",
                                     "{enabled: true}");
    run(*simulation, 4e-3);
    const element::Model& model = simulation->model();
    const auto rows = section_rows(*simulation);
    Vec3 internal = Vec3::Zero(), moment = Vec3::Zero();
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      const auto i = static_cast<std::size_t>(n);
      if (!model.mesh.owned(n) || Vec3(1, 0.2, 0.1).dot(model.mesh.node(n).X - Vec3(0.08, 0, 0)) < 0) continue;
      internal += model.f[i].xyz(), moment += (model.p[i].xyz() - rows[0].centroid).cross(model.f[i].xyz());
    }
    for (int k = 0; k < 3; ++k) internal[k] = comm.sum(internal[k]), moment[k] = comm.sum(moment[k]);
    // What is beyond pulls the rest by `force`; by reaction the rest moves it by -force.
    CHECK((internal + rows[0].force).norm() < 1e-9 * (1 + rows[0].force.norm()));
    CHECK((moment + rows[0].moment).norm() < 1e-9 * (1 + rows[0].moment.norm()));
    CHECK(simulation->state.events > 0);
    return rows;
  };
  const auto alone = measured(Comm(MPI_COMM_SELF)), together = measured(Comm());
  for (std::size_t k = 0; k < alone.size(); ++k) {
    CHECK((together[k].force - alone[k].force).norm() < 1e-9 * (1 + alone[k].force.norm()));
    CHECK((together[k].moment - alone[k].moment).norm() < 1e-9 * (1 + alone[k].moment.norm()));
    CHECK((together[k].centroid - alone[k].centroid).norm() < 1e-12);
    CHECK(together[k].area == Approx(alone[k].area).epsilon(1e-12));
  }
}

TEST_CASE("a run's state keeps the elements of probes", "[physics][probes]")
{
  simulation::RunState state;
  state.control.limit.seconds = 1;  // JSON has no infinity
  state.points = {{Vec3(0.1, 1.0 / 3, 3), {~std::uint64_t{5}, 7}}, {Vec3(1, 2, 3), {4, 0}}};
  const auto same = simulation::run_state_from_json(simulation::to_json(state), "state").points;
  REQUIRE(same.size() == 2);
  CHECK(same[0].X == state.points[0].X);
  CHECK(same[0].element == state.points[0].element);
  CHECK(same[1].element == state.points[1].element);
}
