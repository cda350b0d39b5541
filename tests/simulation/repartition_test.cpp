#include "core/error.hpp"
#include "core/hash.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "partition/decompose/curve_partition.hpp"
#include "partition/decompose/decompose_parallel.hpp"
#include "partition/distribute/rows.hpp"
#include "simulation/diagnostics/partition_statistics.hpp"
#include "simulation/migration/migrate.hpp"
#include "simulation/model_records.hpp"
#include "simulation/run/repartition_policy.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

/// All that a body can carry: grips, a load, yielded material, cracks, faces that rub, an obstacle that flies.
config::Scene torn_bar()
{
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{force: 8.0}}, k1: 0.002, k2: 0.05}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: clay}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [0.001, 1, 1]}}}}, velocity: [-1, 0, 0]}}
  - {{name: right, where: {{box: {{min: [0.599, -1, -1], max: [1, 1, 1]}}}}, velocity: [1, 0.3, 0]}}
loads:
  - {{name: top, where: {{box: {{min: [-1, -1, 0.2999], max: [1, 1, 1]}}}}, pressure: 1000}}
obstacles:
  - {{name: ball, sphere: {{radius: 0.1}}, motion: free, mass: 5, position: [0.3, 0.15, 0.41], velocity: [0, 0, -5]}}
time: {{end: 1}}
)",
                                 test::mesh_file("torn_bar", test::box_mesh(6, 3, 3, 0.1, 0.2, 5))));
}

struct Outcome {
  std::uint64_t state = 0;
  std::int64_t events = 0;
  std::int64_t repartitions = 0;
  std::vector<std::string> warnings;
};

/// Repartitions at every so many sync points; 0: never.
Outcome run(const Comm& comm, int every, const simulation::Partitioner& partitioner = partition::decompose_rows,
            int steps = 150)
{
  test::Simulation simulation(comm, torn_bar());
  for (int sync_points = 0; simulation.state.steps < steps;) {
    if (simulation.at_sync_point() && every > 0 && ++sync_points % every == 0) simulation.repartition(partitioner);
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  }
  return {simulation::state_hash(simulation.model(), comm), simulation.state.events,
          simulation.state.measured.num_repartitions, simulation.state.warnings};
}

/// Cuts that fail, each in its way, on three ranks or more on some of them only.
std::vector<Rank> throws_everywhere(const Comm&, const partition::NodeRows&)
{
  throw Error("made to fail");
}

std::vector<Rank> throws_on_the_last_rank(const Comm& comm, const partition::NodeRows& rows)
{
  if (comm.rank() == comm.size() - 1) throw Error("made to fail on one rank");
  return std::vector<Rank>(rows.weights.size(), comm.rank());
}

std::vector<Rank> names_a_rank_that_is_not(const Comm& comm, const partition::NodeRows& rows)
{
  std::vector<Rank> owners(rows.weights.size(), comm.rank());
  if (comm.rank() == 0) owners.front() = comm.size();
  return owners;
}

std::vector<Rank> leaves_the_last_rank_idle(const Comm& comm, const partition::NodeRows& rows)
{
  return std::vector<Rank>(rows.weights.size(), std::min(comm.rank(), std::max(0, comm.size() - 2)));
}

/// Until it has cracks, at a sync point.
void crack(test::Simulation& simulation)
{
  while (simulation.state.steps < 100 || !simulation.at_sync_point()) {
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  }
}

using OwnerOf = std::function<Rank(const mesh::Node&, Rank ranks)>;

/// (nodes)
std::vector<Rank> owners_of(const mesh::TetMesh& mesh, Rank ranks, const OwnerOf& owner_of)
{
  std::vector<Rank> owners;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) owners.push_back(owner_of(mesh.node(n), ranks));
  return owners;
}

/// Remembered pairs, made up, of every third element that this rank counts.
std::vector<partition::PairRecord> made_up_pairs(const mesh::TetMesh& mesh)
{
  std::vector<partition::PairRecord> pairs;
  for (LocalIndex e = mesh.num_slots() - 1; e >= 0; --e)
    if (mesh.primary(e) && mesh.element_id(e).low % 3 == 0)
      for (const ElementId other : {ElementId{17}, ElementId{5}})
        pairs.push_back(
            {mesh.element_id(e), other, 1e-3, 1.0 / static_cast<double>(mesh.element_id(e).low % 1000 + 1)});
  return pairs;
}

/// As ranks read them from a file, in even slices.
partition::RowSlice stored_and_read(const Comm& comm, partition::RowSlice rows)
{
  const auto file = std::filesystem::temp_directory_path() / "sunder_repartition.h5";
  io::write_bodies(comm, file, io::FileKind::checkpoint, {"{}", std::move(rows)});
  return io::read_bodies(comm, file).bodies;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b, bool (*same)(const T&, const T&))
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

void require_same(const partition::MigrationRecords& a, const partition::MigrationRecords& b)
{
  using namespace partition;
  REQUIRE(same_bits<NodeRecord>(a.nodes, b.nodes, [](const NodeRecord& x, const NodeRecord& y) {
    return std::tie(x.id, x.owner, x.X, x.p, x.v, x.size, x.marks) ==
           std::tie(y.id, y.owner, y.X, y.p, y.v, y.size, y.marks);
  }));
  REQUIRE(same_bits<ElementRecord>(a.elements.rows, b.elements.rows, [](const auto& x, const auto& y) {
    return std::tie(x.id, x.nodes, x.material) == std::tie(y.id, y.nodes, y.material);
  }));
  for (std::size_t e = 0; e < a.elements.size(); ++e) {
    REQUIRE(a.elements.creation_key(e) == b.elements.creation_key(e));
    REQUIRE(a.elements.faces_of(e) == b.elements.faces_of(e));
    REQUIRE(a.elements.plastic_strain(e) == b.elements.plastic_strain(e));
  }
  REQUIRE(same_bits<PairRecord>(a.pairs, b.pairs, [](const PairRecord& x, const PairRecord& y) {
    return std::tie(x.element, x.other, x.overlap, x.initial_overlap) ==
           std::tie(y.element, y.other, y.overlap, y.initial_overlap);
  }));
}

}  // namespace

TEST_CASE("repartitioning changes no bit", "[partition][parallel]")
{
  const Comm world;
  const Outcome left_alone = run(world, 0);
  CHECK(left_alone.events > 20);
  struct Way {
    int every;
    simulation::Partitioner partitioner;
  };
  for (const auto& [every, partitioner] : {Way{1, partition::decompose_rows}, Way{6, partition::decompose_rows},
                                           Way{2, partition::partition_along_curve}}) {
    const Outcome shared_out = run(world, every, partitioner);
    CHECK(shared_out.repartitions >= 18 / every);
    CHECK(shared_out.state == left_alone.state);
    CHECK(shared_out.events == left_alone.events);
  }
}

TEST_CASE("a partitioner that fails leaves nodes with their owners, is told once, and the run goes on",
          "[partition][parallel]")
{
  const Comm world;
  constexpr int steps = 40;
  const Outcome left_alone = run(world, 0, {}, steps);
  struct Failure {
    simulation::Partitioner partitioner;
    std::string said;
  };
  std::vector<Failure> failures{
      {throws_everywhere, "made to fail"},
      {throws_on_the_last_rank, "made to fail on one rank"},
      {names_a_rank_that_is_not,
       fmt::format("a node was given to rank {}, expected one of {}", world.size(), world.size())}};
  if (world.size() > 1)
    failures.push_back({leaves_the_last_rank_idle, fmt::format("rank {} was given none of", world.size() - 1)});
  for (const Failure& failure : failures) {
    const Outcome found = run(world, 1, failure.partitioner, steps);
    CHECK(found.repartitions == 0);
    CHECK(found.state == left_alone.state);
    REQUIRE(found.warnings.size() == left_alone.warnings.size() + 1);
    CHECK_THAT(found.warnings.back(), Catch::Contains("nodes keep their owners") && Catch::Contains(failure.said));
  }
}

TEST_CASE("memory is told by the most elements that a rank has held", "[partition][parallel]")
{
  test::Simulation simulation(Comm(), torn_bar());
  crack(simulation);
  CHECK(simulation.state.measured.most_elements_held == 0);
  const LocalIndex before = simulation.model().mesh.num_slots();
  simulation.repartition(leaves_the_last_rank_idle);
  CHECK(simulation.state.measured.most_elements_held == before);
}

TEST_CASE("a rank holds after a migration what it would after a restart", "[partition][parallel]")
{
  const Comm world;
  test::Simulation simulation(world, torn_bar());
  crack(simulation);
  REQUIRE(simulation.state.events > 0);
  const element::Model& model = simulation.model();
  const std::vector<OwnerOf> ways{
      [](const mesh::Node& node, Rank) { return node.owner; },
      [](const mesh::Node& node, Rank ranks) { return (node.owner + 1) % ranks; },
      [](const mesh::Node& node, Rank ranks) { return node.id.low % 7 == 0 ? (node.owner + 1) % ranks : node.owner; },
      [](const mesh::Node& node, Rank ranks) {
        return static_cast<Rank>(mix(node.id.low) % static_cast<std::uint64_t>(ranks));
      }};
  for (const OwnerOf& owner_of : ways) {
    const auto owners = owners_of(model.mesh, world.size(), owner_of);
    partition::RowSlice rows = simulation::rows_of(model, simulation.halo(), made_up_pairs(model.mesh));
    std::size_t row = 0;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      if (model.mesh.owned(n) && !model.mesh.star(n).empty())
        rows.nodes[row++].owner = owners[static_cast<std::size_t>(n)];
    const partition::MigrationRecords wanted =
        partition::redistribute(world, stored_and_read(world, std::move(rows)), true);
    require_same(simulation::migrate(world, model, owners, made_up_pairs(model.mesh)), wanted);
  }
}

TEST_CASE("ranks with as many elements have as much work, whatever their clocks say", "[repartition][parallel]")
{
  config::Scene scene = torn_bar();
  scene.fracture.enabled = false, scene.collisions.enabled = false;
  const Comm world;
  test::Simulation simulation(world, std::move(scene));
  for (int k = 0; k < 5; ++k) simulation.compute_forces(), simulation.advance(simulation.step_size());
  const mesh::TetMesh& mesh = simulation.model().mesh;
  const auto counted = simulation::partition_statistics(mesh, *simulation.state.halo);
  const auto worked = simulation::imbalance(world, mesh, simulation.stepper->element_costs());
  CHECK(worked.ratio == Approx(counted.imbalance).epsilon(1e-12));
  CHECK((worked.excess > 0) == (counted.imbalance > 1));
}

TEST_CASE("ranks with unlike parts repartition at the third check, and have like ones after it",
          "[repartition][parallel]")
{
  const Comm world;
  if (world.size() == 1) return;
  config::Scene scene = torn_bar();
  scene.fracture.enabled = false, scene.collisions.enabled = false;
  config::PartitionOptions options;
  options.rebalance = 1.3, options.rebalance_steps = 5;
  test::Simulation simulation(world, std::move(scene));
  simulation.compute_forces(), simulation.advance(simulation.step_size());
  simulation.repartition([](const Comm& comm, const partition::NodeRows& rows) {
    const GlobalIndex last = rows.first + static_cast<GlobalIndex>(rows.weights.size()), all = comm.max(last);
    std::vector<Rank> owners;
    for (GlobalIndex row = rows.first; row < last; ++row)  // the last tenth to all but rank 0
      owners.push_back(10 * row < 9 * all ? 0 : 1 + static_cast<Rank>(row % (comm.size() - 1)));
    return owners;
  });
  simulation::RepartitionPolicy policy(options, simulation.state.steps, 0);
  std::vector<double> found;
  std::size_t due_at = 0;
  while (found.size() < 6) {
    simulation.compute_forces(), simulation.advance(simulation.step_size());
    if (!simulation.at_sync_point() || !policy.check_due(simulation.state.steps)) continue;
    const auto worked = simulation::imbalance(world, simulation.model().mesh, simulation.stepper->element_costs());
    found.push_back(worked.ratio);
    if (policy.decide(worked, simulation.state.steps)) {
      due_at = found.size();
      simulation.repartition(partition::decompose_rows);
      policy.repartitioned(0);
    }
    simulation.stepper->reset_processor_time();
  }
  CAPTURE(found);
  CHECK(due_at == 3);
  CHECK(found[2] > 1.5);
  CHECK(found[3] - 1 < (found[2] - 1) / 2);
}
