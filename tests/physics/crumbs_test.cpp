#include "simulation/crumbs/find_crumbs.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/simulation.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace sunder;

// Laws of option lattice.crumbs: what particles do, and what is left of a body without its crumbs.

namespace {

constexpr double g = 9.81, edge = 0.1;

/// No more ranks than a tetrahedron has nodes.
Comm few_ranks()
{
  return Comm().size() > 4 ? Comm(MPI_COMM_SELF) : Comm();
}

/// One tetrahedron, with its least corner in the origin.
std::string chip_file()
{
  mesh::MeshData chip;
  chip.nodes = {{0, 0, 0}, {edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
  chip.tets = {{0, 1, 2, 3}};
  return test::mesh_file("chip", chip);
}

/// Chips that nothing has struck to speak of. `chip`: more keys of the body.
std::string chips(const std::string& chip, const std::string& obstacle, const std::string& more,
                  const std::string& become = "particles")
{
  return fmt::format(R"(
materials:
  stone: {{E: 1.0e10, nu: 0.2, density: 2400}}
bodies: [{{name: chip, mesh: {{file: {}}}, material: stone, {}}}]
obstacles: [{}]
solver: lattice
lattice:
  duration: 1.0e-9
  steps: 1
  impacts: [{{name: tap, at: [0, 0, 0], radius: 100, force: [1.0e-9, 0, 0]}}]
  strength: {{stress: 1}}
  crumbs: {{volume: 2, become: {}}}
time: {{end: 100}}
{})",
                     chip_file(), chip, obstacle, become, more);
}

void run_until(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end)
    simulation.advance(std::min(simulation.step_size(), std::max(1e-9, end - simulation.state.time)));
}

test::Body all_of(const test::Simulation& simulation)
{
  return test::body_of(simulation, simulation.state.comm, [](const Vec3&) { return true; });
}

double energy_error(test::Simulation& simulation)
{
  return std::abs(simulation.history_row().energy.relative_error);
}

/// A box in tension, weak everywhere: all its bonds break but some in a corner.
std::string crumbling_box(const std::string& become, const std::string& more = "")
{
  const std::string file = test::mesh_file("crumbling_box", test::box_mesh(4, 3, 3, edge, 0.2));
  return fmt::format(R"(
materials:
  stone: {{E: 1.0e10, nu: 0.2, density: 2400}}
bodies: [{{name: box, mesh: {{file: {}}}, material: stone, position: [0, 0, 0.2], velocity: [1, 0, 0]}}]
obstacles: [{{name: floor, half_space: {{normal: [0, 0, 1]}}, friction: 0.4}}]
collisions: {{enabled: false}}
solver: lattice
lattice:
  duration: 1.0e-3
  steps: 8
  impacts: [{{name: blow, at: [0.4, 0.3, 0.5], radius: 0.25, momentum: [-20, -10, -30]}}]
  strength: {{stress: 1.0e4, factors: [{{nodule: {{center: [0, 0, 0.2], radius: 0.25, factor: 1.0e6}}}}]}}
  prestress: -1000
  crumbs: {{volume: 1.2, become: {}}}
gravity: [0, 0, -9.81]
time: {{end: 100}}
{})",
                     file, become, more);
}

}  // namespace

TEST_CASE("a particle falls, is thrown back by restitution, and comes to rest on the floor",
          "[physics][crumbs][parallel]")
{
  const Comm world = few_ranks();
  const double height = 0.5, restitution = 0.5;
  test::Simulation simulation(
      world, test::scene(chips(fmt::format("position: [0, 0, {}], velocity: [0.2, 0, 0]", height),
                               "{name: floor, half_space: {normal: [0, 0, 1]}, friction: 0.5}",
                               fmt::format("hybrid: {{restitution: {}}}\ngravity: [0, 0, -{}]", restitution, g))));
  const double start = all_of(simulation).centre.z(), lands = std::sqrt(2 * height / g);
  simulation.history_row();
  run_until(simulation, 0.9 * lands);
  CHECK(simulation.state.crumbs.elements == 1);
  CHECK(start - all_of(simulation).centre.z() == Approx(g / 2 * std::pow(0.9 * lands, 2)).epsilon(1e-7));
  CHECK(all_of(simulation).velocity().x() == Approx(0.2).epsilon(1e-9));
  double highest = 0, sideways = 1;
  while (simulation.state.time < (1 + 1.8 * restitution) * lands) {
    simulation.advance(simulation.step_size());
    if (simulation.state.time > 1.1 * lands)
      highest = std::max(highest, all_of(simulation).centre.z() - start + height),
      sideways = all_of(simulation).velocity().x();
  }
  CHECK(highest == Approx(restitution * restitution * height).epsilon(0.03));
  CHECK(std::abs(sideways) < 1e-12);  // friction is as much as 0.5 times the impulse of the floor
  run_until(simulation, 4);
  CHECK(simulation.state.maximum_speed == 0);
  CHECK(all_of(simulation).centre.z() - start + height == Approx(0).margin(1e-9));
  CHECK(energy_error(simulation) < 1e-10);
}

TEST_CASE("a particle on a slope obeys Coulomb's law", "[physics][crumbs][parallel]")
{
  const Comm world = few_ranks();
  const double mu = 0.5, seconds = 0.5;
  const auto slide = [&](double tangent) {
    const double angle = std::atan(tangent);
    test::Simulation simulation(
        world, test::scene(chips("position: [0, 0, 0]",
                                 fmt::format("{{name: floor, half_space: {{normal: [0, 0, 1]}}, friction: {}}}", mu),
                                 fmt::format("gravity: [{}, 0, {}]", g * std::sin(angle), -g * std::cos(angle)))));
    simulation.history_row();
    run_until(simulation, seconds);
    CHECK(energy_error(simulation) < 1e-10);
    return all_of(simulation).velocity().x() / seconds;
  };
  CHECK(slide(0.99 * mu) == 0);
  for (const double tangent : {1.05 * mu, 2 * mu}) {
    const double angle = std::atan(tangent), expected = g * (std::sin(angle) - mu * std::cos(angle));
    CHECK(slide(tangent) == Approx(expected).epsilon(0.01));
  }
}

TEST_CASE("particles and a free obstacle keep their momentum", "[physics][crumbs][parallel]")
{
  const Comm world;
  test::Simulation simulation(
      world,
      test::scene(chips(
          "position: [-1, -0.1, -0.1], velocity: [5, 0, 0], copies: {count: [2, 2, 2], spacing: [0.3, 0.12, 0.12]}",
          "{name: ball, sphere: {radius: 0.3}, position: [0.5, 0, 0], motion: free, mass: 20}",
          "hybrid: {restitution: 1}")));
  const auto momentum = [&]() -> Vec3 {
    return all_of(simulation).momentum + 20 * simulation.state.obstacle_motions[0].velocity;
  };
  simulation.history_row();
  const Vec3 before = momentum();
  run_until(simulation, 0.6);
  CHECK(simulation.state.crumbs.elements == 8);
  CHECK(simulation.state.obstacle_motions[0].velocity.x() > 0.1);
  CHECK((momentum() - before).norm() < 1e-9 * before.norm());
  CHECK(energy_error(simulation) < 1e-10);
}

TEST_CASE("what becomes nothing takes its mass, momentum and energy with it, and the ledger closes",
          "[physics][crumbs][parallel]")
{
  const Comm world;
  test::Simulation simulation(world, test::scene(crumbling_box("nothing")));
  simulation.history_row();
  run_until(simulation, 0.999e-3);
  const auto before = simulation::totals(simulation.model(), world);
  const double kinetic = simulation.history_row().energy.kinetic;
  const GlobalIndex elements = simulation.state.num_elements, fragments = simulation.state.fragments;
  const auto expected = static_cast<GlobalIndex>([&] {
    std::int64_t found = 0;
    for (const LocalIndex e : simulation::find_crumbs(simulation.scene, simulation.state))
      found += simulation.model().mesh.primary(e);
    return world.sum(found);
  }());
  REQUIRE(expected > 20);
  simulation.advance(1e-6);
  const simulation::CrumbTotals& gone = simulation.state.crumbs;
  const auto after = simulation::totals(simulation.model(), world);
  CHECK(gone.elements == expected);
  CHECK(after.elements == elements - expected);
  CHECK(simulation.state.num_elements == after.elements);
  CHECK(simulation.state.fragments == fragments - expected);
  CHECK(after.mass + gone.mass == Approx(before.mass).epsilon(1e-12));
  const Vec3 weight(0, 0, -g * 1e-6 * after.mass);
  CHECK((after.momentum + gone.momentum - weight - before.momentum).norm() < 1e-9 * before.momentum.norm());
  CHECK(simulation.history_row().energy.kinetic + gone.kinetic == Approx(kinetic).epsilon(1e-4));
  CHECK(energy_error(simulation) < 1e-10);
  run_until(simulation, 0.3);
  CHECK(energy_error(simulation) < 1e-9);
}

TEST_CASE("crumbs do the same on any number of ranks, and after repartitioning", "[physics][crumbs][parallel]")
{
  const std::string become = GENERATE("bodies", "particles", "nothing");
  const auto run = [&](const Comm& comm, bool move) {
    test::Simulation simulation(comm, test::scene(crumbling_box(become)));
    simulation.history_row();
    run_until(simulation, 0.05);
    if (move) CHECK(simulation.repartition());
    run_until(simulation, 0.3);
    CHECK(energy_error(simulation) < 1e-9);
    CHECK((simulation.state.crumbs.elements > 20) == (become != "bodies"));
    return simulation::state_hash(simulation.model(), comm);
  };
  const std::uint64_t alone = run(Comm(MPI_COMM_SELF), false);
  CHECK(run(Comm(), false) == alone);
  CHECK(run(Comm(), true) == alone);
}

TEST_CASE("an element that a probe follows is no crumb", "[physics][crumbs][parallel]")
{
  const Comm world;
  const auto crumbs = [&](const std::string& more) {
    test::Simulation simulation(world, test::scene(crumbling_box("nothing", more)));
    run_until(simulation, 0.01);
    return simulation.state.crumbs.elements;
  };
  const GlobalIndex all = crumbs("");
  CHECK(crumbs("output: {probes: [{name: far, at: [0.39, 0.28, 0.48]}]}") == all - 1);
}
