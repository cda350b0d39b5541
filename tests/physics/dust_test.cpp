#include "simulation/stepping/dust.hpp"
#include "config/parser.hpp"
#include "simulation/stepping/energies.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <memory>

using namespace sunder;

namespace {

constexpr double size = 0.02;  // between those of the bodies [m]
const Vec3 gravity(0, 0, -9.81);

/// A block that is held and a crumb that flies and spins; held: does a condition hold a node of the crumb?
std::unique_ptr<test::Simulation> simulate(const Comm& comm, bool held = false)
{
  const std::string text = fmt::format(
      R"(
materials:
  stuff: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 3e2, psi: 3e2, toughness: 40}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: stuff}}
  - {{name: crumb, mesh: {{file: {}}}, material: stuff, position: [1, 0, 0.5], velocity: [3, -2, 1], spin: [50, 20, -70]}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1, 1]}}}}, fixed: true}}
{}
gravity: [0, 0, -9.81]
fracture: {{dust: {}}}
time: {{end: 1}}
)",
      test::mesh_file("dust_block", test::box_mesh(3, 2, 2, 0.05, 0.2, 3)),
      test::mesh_file("dust_crumb", test::box_mesh(2, 1, 1, 0.01)),
      held ? "  - {name: crumb, where: {box: {min: [0.9, -1, -1], max: [1.0001, 1, 1]}}, fixed: true}" : "", size);
  return std::make_unique<test::Simulation>(comm, test::scene(text));
}

/// As if cuts had left the bodies with elements that allow a quarter of the step of before.
simulation::StepControl control_of(const test::Simulation& simulation)
{
  simulation::StepControl control(simulation.scene, simulation.state);
  auto stored = control.stored();
  stored.unbroken *= 4;
  control.restore(stored);
  return control;
}

struct Measured {
  simulation::Totals totals;
  double kinetic = 0, potential = 0, numerical = 0, external = 0;
};

/// Collective. Kinetic energy of the velocities as they are.
Measured measure(const test::Simulation& simulation)
{
  const simulation::State& state = simulation.state;
  const element::Model& model = state.model;
  Measured m{simulation::totals(model, state.comm), 0, state.comm.sum(simulation::potential_of_gravity(state, gravity)),
             state.comm.sum(state.ledger.work.numerical), state.comm.sum(state.ledger.work.external)};
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (model.mesh.owned(n))
      m.kinetic +=
          model.mass[static_cast<std::size_t>(n)] / 2 * model.v[static_cast<std::size_t>(n)].xyz().squaredNorm();
  m.kinetic = state.comm.sum(m.kinetic);
  return m;
}

}  // namespace

TEST_CASE("dust keeps its momenta, the ledger has what it loses, and the step is that of the unbroken mesh",
          "[physics][dust][parallel]")
{
  const Comm comm;
  const auto simulation = simulate(comm);
  simulation::State& state = simulation->state;
  simulation::StepControl control = control_of(*simulation);
  const Measured before = measure(*simulation);
  REQUIRE(simulation::add_mass_to_dust(state, control, size, gravity));
  const Measured after = measure(*simulation);

  const double added = after.totals.mass - before.totals.mass;
  CHECK(added > 5 * 1000 * 2e-6);  // of the crumb, which has 2 cm^3
  CHECK((after.totals.momentum - before.totals.momentum).norm() < 1e-13 * before.totals.momentum.norm());
  CHECK((after.totals.angular_momentum - before.totals.angular_momentum).norm() <
        1e-13 * before.totals.angular_momentum.norm());
  CHECK(after.numerical > 0);
  CHECK(after.kinetic + after.numerical == Approx(before.kinetic).epsilon(1e-13));
  // As in the ledger: gravity has done no work on mass that has just appeared.
  CHECK(after.external + after.potential == Approx(before.external + before.potential).epsilon(1e-13));
  CHECK(state.dust.fragments == 1);
  CHECK(state.dust.limit_without == Approx(control.stored().unbroken / 4).epsilon(1e-12));

  std::int64_t of_dust = 0, short_steps = 0;
  for (LocalIndex e = 0; e < state.model.mesh.num_slots(); ++e) {
    if (!state.model.mesh.primary(e)) continue;
    const bool crumb = state.model.mesh.corners(e)[0].x() > 0.5;
    CHECK((state.model.dust_factor(e) > 1) == crumb);
    of_dust += crumb, short_steps += crumb && control.mass_factor_for_unbroken_step(e) > state.model.dust_factor(e);
  }
  CHECK(comm.sum(of_dust) == 12);
  CHECK(comm.sum(short_steps) == 0);
  CHECK_FALSE(simulation::add_mass_to_dust(state, control, size, gravity));  // it has what it needs
  control.renew_limit(0);
  CHECK(control.limit().seconds > 1.5 * control.stored().unbroken / 4);  // the block's is longer than the crumb's
}

TEST_CASE("dust is the same on any number of ranks, through new owners too", "[physics][dust][parallel]")
{
  const auto hash = [](const Comm& comm, bool repartitions) {
    const auto simulation = simulate(comm);
    simulation::add_mass_to_dust(simulation->state, control_of(*simulation), size, gravity);
    for (int k = 0; k < 60; ++k) simulation->advance(simulation->step_size());
    if (repartitions) {
      while (!simulation->at_sync_point()) simulation->advance(simulation->step_size());
      simulation->repartition();
    }
    while (simulation->state.steps < 300) simulation->advance(simulation->step_size());
    CHECK(simulation::totals(simulation->model(), comm).mass > 1000 * (1.5e-3 + 5 * 2e-6));
    return simulation::state_hash(simulation->model(), comm);
  };
  const std::uint64_t alone = hash(Comm(MPI_COMM_SELF), false);
  CHECK(hash(Comm(), false) == alone);
  CHECK(hash(Comm(), true) == alone);
}

TEST_CASE("what a condition holds is no dust", "[physics][dust]")
{
  const auto simulation = simulate(Comm(), true);
  CHECK_FALSE(simulation::add_mass_to_dust(simulation->state, control_of(*simulation), size, gravity));
  CHECK(simulation->state.dust.fragments == 0);
}
