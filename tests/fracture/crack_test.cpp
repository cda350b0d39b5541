#include "fracture/crack.hpp"

#include "fracture/candidates.hpp"
#include "fracture/invariants.hpp"
#include "simulation/observe.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace {

using namespace sunder;

/// Positions and velocities that depend on node ids alone: the same failures on any partition.
void shake(element::Model& model, double size, std::uint64_t seed)
{
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = model.mesh.node(n);
    const auto i = static_cast<std::size_t>(n);
    model.p[i].set_xyz(node.X + size * test::random_vector(seed, node.id));
    model.v[i].set_xyz(test::random_vector(seed + 1, node.id));
  }
}

std::vector<LocalIndex> owned_nodes(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> nodes;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) nodes.push_back(n);
  return nodes;
}

/// What an event must keep, and what says that two runs are the same.
struct Outcome {
  std::uint64_t hash = 0;
  std::int64_t events = 0, fragments = 0;
  GlobalIndex elements = 0;
};

double total_volume(const element::Model& model, const Comm& comm)
{
  double volume = 0;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.counted(e)) volume += model.blocks.volume(e);
  return comm.sum(volume);
}

double kinetic_energy(const element::Model& model, const Comm& comm)
{
  double twice = 0;
  for (const LocalIndex n : owned_nodes(model.mesh))
    twice += model.mass[static_cast<std::size_t>(n)] * model.v[static_cast<std::size_t>(n)].xyz().squaredNorm();
  return comm.sum(twice / 2);
}

/// Waves of random failures; the laws of an event are checked after each.
Outcome random_failures(const Comm& comm, int cells, int waves, std::uint64_t seed, const test::Owners& owners,
                        const fracture::FractureOptions& options)
{
  auto problem = test::distributed(comm, test::box_mesh(cells, cells, cells, 0.1, 0.2, seed), {test::chalk()}, owners);
  element::Model& model = problem.model;
  Outcome outcome;
  for (int wave = 0; wave < waves; ++wave) {
    shake(model, 0.004, seed + 10 * static_cast<std::uint64_t>(wave));
    const auto before = simulation::take_inventory(model, comm);
    const double volume = total_volume(model, comm), kinetic = kinetic_energy(model, comm);

    const auto result = fracture::crack(model, *problem.halo, owned_nodes(model.mesh), options);
    outcome.events += comm.sum(result.events);

    const auto violation = first_of(comm, fracture::find_violation(model, *problem.halo));
    INFO((violation ? *violation : std::string()));
    REQUIRE(!violation);
    const auto after = simulation::take_inventory(model, comm);
    REQUIRE(total_volume(model, comm) == Approx(volume).epsilon(1e-12));
    REQUIRE(after.mass == Approx(before.mass).epsilon(1e-12));
    REQUIRE((after.momentum - before.momentum).norm() <= 1e-11 * (before.mass + before.momentum.norm()));
    const double loss = comm.sum(result.kinetic_loss);
    REQUIRE(loss >= 0);
    REQUIRE(kinetic - kinetic_energy(model, comm) == Approx(loss).epsilon(1e-9).margin(1e-12 * kinetic));
  }
  outcome.hash = simulation::state_hash(model, comm);
  outcome.fragments = simulation::find_fragments(model, *problem.halo).count;
  outcome.elements = simulation::take_inventory(model, comm).elements;
  return outcome;
}

void require_same(const Outcome& a, const Outcome& b)
{
  REQUIRE(a.events == b.events);
  REQUIRE(a.elements == b.elements);
  REQUIRE(a.fragments == b.fragments);
  REQUIRE(a.hash == b.hash);
}

}  // namespace

TEST_CASE("random failures keep every invariant and do not depend on the number of ranks", "[fracture][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  std::int64_t events = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    fracture::FractureOptions options;
    options.snap_relative = seed % 2 ? 0.1 : 0.02;
    options.residual = seed % 3 ? 0.5 : 0;
    options.back_crack_angle = seed % 2 ? 0.3 : 0;
    options.remesh = seed != 6;
    const Outcome serial = random_failures(alone, 4, 2, seed, test::by_method(partition::Method::hilbert), options);
    events += serial.events;
    require_same(serial, random_failures(world, 4, 2, seed, test::by_method(partition::Method::metis), options));
    require_same(serial, random_failures(world, 4, 2, seed, test::by_method(partition::Method::hilbert), options));
    require_same(serial, random_failures(world, 4, 2, seed, test::scattered(seed), options));
  }
  CAPTURE(events);
  CHECK(events > 1000);
}

TEST_CASE("a crack crosses every partition in one step", "[fracture][parallel]")
{
  // A strip pulled apart around its middle, the ranks side by side along the way the crack must run.
  const int cells = 3 * Comm().size();
  const auto pulled_apart = [cells](const Comm& comm) {
    const auto side_by_side = [cells](const mesh::MeshData& mesh, Rank ranks) {
      std::vector<Rank> owners;
      for (const Vec3& x : mesh.nodes)
        owners.push_back(std::min(ranks - 1, static_cast<Rank>(x.x() / (0.1 * cells) * ranks)));
      return owners;
    };
    auto problem = test::distributed(comm, test::box_mesh(cells, 1, 4, 0.1, 0, 3), {test::chalk(400)}, side_by_side);
    element::Model& model = problem.model;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      Row4& p = model.p[static_cast<std::size_t>(n)];
      const double above = p.z - 0.19;
      p.z += 0.003 * std::tanh(above / 0.05) + 1e-6 * test::random_number(5, model.mesh.node(n).id);
    }
    fracture::FractureOptions options;
    options.residual = 1;
    options.max_rounds = 1000;
    const auto result = fracture::crack(model, *problem.halo, owned_nodes(model.mesh), options);
    REQUIRE(!first_of(comm, fracture::find_violation(model, *problem.halo)));
    REQUIRE(!result.unfinished);
    CHECK(comm.min(static_cast<double>(result.events)) >= 1);  // the crack has been on every rank
    CHECK(simulation::find_fragments(model, *problem.halo).count >= 2);
    return simulation::state_hash(model, comm);
  };
  CHECK(pulled_apart(Comm()) == pulled_apart(Comm(MPI_COMM_SELF)));
}

TEST_CASE("a residual is spent by the event it causes (T 4.7)", "[fracture]")
{
  // An unstressed cube: what is pushed to a node is all the separation it has.
  auto problem = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(2, 2, 2, 0.1, 0, 1), {test::chalk(50)},
                                   test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  const std::vector<LocalIndex> all = owned_nodes(model.mesh);
  const Mat3 pushed = 30 * element::m(Vec3::UnitZ());
  fracture::Candidates candidates;
  candidates.push_residual(all[0], pushed);
  candidates.evaluate(model, all);
  CHECK(candidates.failing().empty());
  candidates.push_residual(all[0], pushed);  // shares of two events add up
  candidates.evaluate(model, all);
  REQUIRE(candidates.failing().size() == 1);
  const fracture::Candidate acting = candidates.act(all[0]);
  CHECK(acting.separation.value == Approx(60));
  CHECK(acting.toughness == 50);
  candidates.evaluate(model, all);  // as after re-meshing: separation anew, from forces alone
  CHECK(candidates.failing().empty());
  candidates.push_residual(all[0], 2 * pushed);  // from a later event
  candidates.evaluate(model, all);
  CHECK(candidates.failing().size() == 1);
}
