#include "core/comm.hpp"
#include "core/hash.hpp"
#include "fracture/invariants.hpp"
#include "io/frames/frame_writer.hpp"
#include "io/run_files/output_folder.hpp"
#include "io/scratch_folder.hpp"
#include "simulation/diagnostics/frame_fields.hpp"
#include "simulation/fragments/find_fragments.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/mpi_counts.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <bit>

using namespace sunder;

namespace {

/// A bar that is pulled at its ends while a ball hits it. more: keys of the scene, and of its material.
config::Scene pulled_bar(const std::string& toughness, const std::string& more)
{
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000{}}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: clay}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [0.001, 1, 1]}}}}, velocity: [-1, 0, 0]}}
  - {{name: right, where: {{box: {{min: [0.599, -1, -1], max: [1, 1, 1]}}}}, velocity: [1, 0.3, 0]}}
obstacles:
  - {{name: ball, sphere: {{radius: 0.1}}, motion: free, mass: 5, position: [0.3, 0.15, 0.41], velocity: [0, 0, -5]}}
time: {{end: 1}}
{})",
                                 toughness, test::mesh_file("counted_bar", test::box_mesh(6, 3, 3, 0.1, 0.2, 5)),
                                 more));
}

/// It breaks, and its fragments meet.
config::Scene torn_bar()
{
  return pulled_bar(", toughness: {force: 8.0}", "");
}

template <class Action>
test::MpiCounts spent_on(const Comm& comm, const std::string& what, Action&& action)
{
  const auto before = test::mpi_counts();
  action();
  const auto spent = test::mpi_counts() - before;
  if (comm.rank() == 0) WARN(what << " on " << comm.size() << " ranks: " << spent.text());
  return spent;
}

test::MpiCounts step(test::Simulation& simulation)
{
  const auto before = test::mpi_counts();
  simulation.compute_forces();
  simulation.advance(simulation.step_size());
  return test::mpi_counts() - before;
}

/// Collective. Of the audit that builds with assertions make after each round of cracking.
std::int64_t collectives_of_an_audit([[maybe_unused]] const test::Simulation& simulation)
{
#ifdef NDEBUG
  return 0;
#else
  const auto before = test::mpi_counts();
  throw_on_all(simulation.halo().comm(), fracture::find_violation(simulation.model(), simulation.halo()),
               ExitStatus::simulation_failed);
  return (test::mpi_counts() - before).collectives();
#endif
}

}  // namespace

TEST_CASE("a step takes one reduction and no other collective", "[collectives][parallel]")
{
  const Comm comm;
  test::Simulation simulation(comm, pulled_bar("", "collisions: {enabled: false}"));
  for (int k = 0; k < 120; ++k) {
    const auto spent = step(simulation);
    CHECK(spent.reductions == 1);
    CHECK(spent.collectives() == 1);
    CHECK(spent.communicators == 0);
  }
}

TEST_CASE("a history row takes one reduction, and finding fragments one more, whatever the number of ranks",
          "[collectives][parallel]")
{
  const Comm comm;
  test::Simulation simulation(comm, torn_bar());
  int plain_steps = 0;  // nothing parted, no list of near pairs was made
  for (int k = 0; k < 120; ++k) {
    const auto spent = step(simulation);
    CHECK(spent.longer_with_ranks == 0);
    plain_steps += spent.reductions == 1 && spent.collectives() == 1;
  }
  CHECK(simulation.state.events > 20);
  CHECK(plain_steps > 60);

  simulation.compute_forces();
  simulation::Fragments fragments;
  const auto search = spent_on(comm, "fragments",
                               [&] { fragments = simulation::find_fragments(simulation.model(), simulation.halo()); });
  const auto hops = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(comm.size() - 1)));
  CHECK(search.collectives() == 1);
  CHECK(search.messages == 2 * hops * fragments.iterations + std::ssize(simulation.halo().neighbours()));

  const auto row = spent_on(comm, "the rest of a history row", [&] { simulation.history_row(); });
  CHECK(row.collectives() == 1);
  CHECK(row.messages == 0);

  const auto numbers = spent_on(comm, "numbers", [&] { simulation::fragment_of_nodes(comm, fragments); });
  CHECK(numbers.collectives() == 1);
  CHECK(numbers.messages == 3 * hops);

  const auto summary = spent_on(comm, "a summary",
                                [&] { simulation::summary(simulation.scene, simulation.state, *simulation.stepper); });
  CHECK(summary.collectives() <= 8);     // one of them: what work costs, before ranks compare how much of it they have
  CHECK(summary.messages <= 40 * hops);  // to find the largest crack
}

TEST_CASE("a check in which nodes fail takes a collective a round and four more", "[collectives][parallel]")
{
  const Comm comm;
  test::Simulation simulation(comm, torn_bar());
  constexpr std::int64_t of_the_step = 1, of_the_check = 4;
  const std::int64_t of_a_round = 1 + collectives_of_an_audit(simulation);
  int checks = 0, no_more = 0;
  for (int k = 0; k < 200; ++k) {
    const auto rounds_before = simulation.model().rounds;
    const auto events_before = simulation.state.events;
    const auto fragments_before = simulation.state.fragments;
    const auto spent = step(simulation);
    if (simulation.state.events == events_before) continue;
    const auto rounds = static_cast<std::int64_t>(simulation.model().rounds - rounds_before);
    const std::int64_t to_follow_fragments = simulation.state.fragments == fragments_before ? 1 : 3;
    const std::int64_t to_renew_the_list = spent.others > 0 || comm.size() == 1 ? 6 : 0;  // it has expired, or may have
    const std::int64_t usual = of_the_step + rounds * of_a_round + of_the_check;
    ++checks, no_more += spent.collectives() <= usual;
    CHECK(spent.collectives() <= usual + to_follow_fragments + to_renew_the_list);
  }
  CHECK(checks > 10);
  CHECK(no_more > 0);
}

TEST_CASE("a frame takes as many collectives on any number of ranks", "[collectives][parallel]")
{
  const Comm comm;
  test::Simulation simulation(comm, torn_bar());
  simulation.compute_forces();
  const test::ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder.path());
  io::FrameWriter writer(comm, folder.path(), "bar", {.pieces = 2});
  const auto frame = spent_on(
      comm, "a frame", [&] { writer.write(simulation::frame_of(simulation.state, {simulation.scene.output.fields})); });
  CHECK(frame.collectives() <= 4);
  CHECK(frame.communicators == 0);
  CHECK(frame.longer_with_ranks == 0);
}
