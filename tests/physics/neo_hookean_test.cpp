#include "core/error.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace sunder;

namespace {

const std::string soft = "E: 1.0e7, nu: 0.3, density: 1000, phi: 200, psi: 200";

/// A bar of 0.2 m whose right end is moved at 8 m/s towards the held left end, or away from it.
config::Scene bar(const std::string& mesh, double velocity, const std::string& law, const std::string& step = "auto")
{
  return test::scene(fmt::format(R"(
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: {{{}, law: {}}}}}
boundary:
  - {{name: held, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1, 1]}}}}, fixed: true}}
  - {{name: moved, where: {{box: {{min: [0.199999, -1, -1], max: [1, 1, 1]}}}}, velocity: [{}, 0, 0]}}
collisions: {{enabled: false}}
time: {{end: 1, step: {}, inverted: stop}}
)",
                                 mesh, soft, law, velocity, step));
}

struct Result {
  double shortest_step = 0, first_step = 0;  ///< [s]
  double imbalance = 0;                      ///< Of the energy, over the work done.
  std::uint64_t hash = 0;
};

Result run(const Comm& comm, const config::Scene& scene, double end)
{
  test::Simulation simulation(comm, scene);
  simulation.compute_forces();
  simulation.history_row();  // opens the ledger
  Result result;
  result.first_step = result.shortest_step = simulation.step_size();
  while (simulation.state.time < end) {
    const double dt = simulation.step_size();
    result.shortest_step = std::min(result.shortest_step, dt);
    simulation.advance(dt, simulation.state.time + dt);
  }
  simulation.compute_forces();
  result.imbalance = simulation.history_row().energy.relative_error;
  result.hash = simulation::state_hash(simulation.model(), comm);
  return result;
}

}  // namespace

TEST_CASE(
    "rubber squeezed to a third is stepped as it stiffens, and keeps account of its energy; the same bits on any "
    "number of ranks",
    "[physics][neo_hookean][parallel]")
{
  const std::string mesh = test::mesh_file("neo_hookean_bar", test::box_mesh(4, 2, 2, 0.05, 0.2, 3));
  const Result squeezed = run(Comm(), bar(mesh, -8, "neo_hookean"), 0.0165);
  CAPTURE(squeezed.first_step, squeezed.shortest_step);
  CHECK(squeezed.shortest_step <= squeezed.first_step / 2);
  CHECK(std::abs(squeezed.imbalance) < 0.02);
  CHECK(run(Comm(MPI_COMM_SELF), bar(mesh, -8, "neo_hookean"), 0.0165).hash == squeezed.hash);

  const Result other = run(Comm(), bar(mesh, -8, "saint_venant_kirchhoff"), 0.005);
  CHECK(other.shortest_step == other.first_step);
}

TEST_CASE("rubber drawn out to twice its length keeps account of its energy", "[physics][neo_hookean]")
{
  const std::string mesh = test::mesh_file("neo_hookean_bar", test::box_mesh(4, 2, 2, 0.05, 0.2, 3));
  CHECK(std::abs(run(Comm(), bar(mesh, 8, "neo_hookean"), 0.025).imbalance) < 0.02);
}

TEST_CASE("a fixed step that stiffened rubber is not stable at is an error", "[physics][neo_hookean][parallel]")
{
  const std::string mesh = test::mesh_file("neo_hookean_bar", test::box_mesh(4, 2, 2, 0.05, 0.2, 3));
  const double step = test::Simulation(Comm(), bar(mesh, -8, "neo_hookean")).step_size();
  std::string message;
  try {
    run(Comm(), bar(mesh, -8, "neo_hookean", fmt::format("{:.6g}", step)), 0.0165);
  } catch (const Error& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.starts_with("step "));
  CHECK(message.find("expected steps of at most ") != std::string::npos);
  CHECK(message.find(" as an element's deformation has stiffened it, got ") != std::string::npos);
}
