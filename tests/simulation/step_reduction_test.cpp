#include "core/reproducible_sum.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>

using namespace sunder;

namespace {

/// How many reductions of so many bytes there were since it was last cleared.
std::map<std::int64_t, int> reductions_of_bytes;

constexpr double edge = 0.05;

/// A block, hit from all sides by `driven` balls on given paths, a plate that turns, and a free ball if there is one.
std::string scene_of(int driven, bool free)
{
  std::string obstacles;
  const std::string motions[] = {"motion: fixed", "motion: path, velocity: [0, 0, -5]",
                                 "motion: path, path: {circle: {center: [0.1, 0.1, 1], axis: [1, 0, 0], rate: 20}}"};
  for (int k = 0; k < driven; ++k)
    obstacles += fmt::format("  - {{name: ball_{}, sphere: {{radius: 0.05}}, {}, position: [{}, {}, 0.24]}}\n", k,
                             motions[k % 3], 0.025 * (k % 8), 0.025 * (k / 8));
  if (driven > 0)
    obstacles +=
        "  - {name: paddle, box: {size: [0.1, 0.1, 0.1]}, motion: path, position: [0.1, 0.1, -0.04], spin: [0, 30, "
        "9]}\n";
  if (free)
    obstacles += "  - {name: free, sphere: {radius: 0.05}, motion: free, mass: 1, position: [0.1, 0.24, 0.1]}\n";
  return fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 20, psi: 30}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: rubber}}
fracture: {{enabled: false}}
time: {{end: 1}}
{}{})",
                     test::mesh_file("step_reduction", test::box_mesh(4, 4, 4, edge)),
                     obstacles.empty() ? "" : "obstacles:\n", obstacles);
}

struct Outcome {
  std::int64_t bytes_a_step = 0;
  simulation::Energy energy;
  std::uint64_t hash = 0;
};

Outcome run(const Comm& comm, const std::string& text)
{
  constexpr int steps = 20;
  test::Simulation simulation(comm, test::scene(text));
  simulation.compute_forces();
  simulation.history_row();
  reductions_of_bytes.clear();
  for (int k = 0; k < steps; ++k) simulation.advance(simulation.step_size());
  Outcome outcome;
  // Others, as where lists are made anew, are not in every step.
  for (const auto& [bytes, times] : reductions_of_bytes)
    if (times == steps) outcome.bytes_a_step += bytes;
  simulation.compute_forces();
  outcome.energy = simulation.history_row().energy;
  outcome.hash = simulation::state_hash(simulation.model(), comm);
  return outcome;
}

}  // namespace

// The MPI library calls this instead of its own.
extern "C" int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request)
{
  int size = 0;
  PMPI_Type_size(type, &size);
  ++reductions_of_bytes[std::int64_t{count} * size];
  return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}

TEST_CASE("only obstacles that fly freely add to the step's reduction", "[physics][contact][parallel]")
{
  const std::int64_t none = run(Comm(), scene_of(0, false)).bytes_a_step;
  CHECK(none > 0);
  CHECK(none < 256);
  CHECK(run(Comm(), scene_of(64, false)).bytes_a_step == none);
  const std::int64_t digits = 8 * ReproducibleSum::digits;
  CHECK(run(Comm(), scene_of(64, true)).bytes_a_step == none + 6 * digits);
}

TEST_CASE("the work of obstacles on given paths is that of all ranks together", "[physics][contact][parallel]")
{
  const std::string text = scene_of(64, true);
  const Outcome together = run(Comm(), text), alone = run(Comm(MPI_COMM_SELF), text);
  CHECK(together.hash == alone.hash);
  CHECK(std::abs(alone.energy.contact) > 1);
  CHECK(std::abs(alone.energy.external) > 1);
  CHECK(together.energy.contact == Approx(alone.energy.contact).epsilon(1e-12));
  CHECK(together.energy.external == Approx(alone.energy.external).epsilon(1e-12));
}
