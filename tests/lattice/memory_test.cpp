#include "lattice/memory.hpp"

#include "bond_graph.hpp"
#include "lattice/strength.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <memory>

using namespace sunder;
using namespace sunder::lattice;

namespace {

/// A box in tension, and what its elements remember after some steps.
struct Box {
  test::TestProblem problem;
  std::vector<mesh::LatticeMemory> memory;
  GlobalIndex bonds = 0, broken = 0;

  Box(const Comm& comm, const test::Owners& owners, int steps)
    : problem(test::distributed(comm, test::box_mesh(4, 2, 2, 0.1, 0.3), {test::chalk()}, owners)),
      memory(at(problem.model.mesh.num_slots()))
  {
    Options options;
    options.strength.stress = 2e3, options.crack_growth = "moderate", options.prestress = -30;
    const mesh::TetMesh& mesh = problem.model.mesh;
    Bonds whole = make_bonds(mesh, *problem.halo);
    bonds = whole.count;
    auto strengths =
        bond_strengths(comm, whole, test::element_volumes(problem), test::counted_elements(problem), options.strength);
    auto lattice = std::make_unique<Lattice>(std::move(whole), test::inverse_masses(problem),
                                             BondValues{std::move(strengths), {}, {}}, options);
    remember(*lattice, mesh, *problem.halo, memory);
    const std::vector<Vec3> none(memory.size(), Vec3::Zero());
    for (int k = 0; k < steps; ++k) {
      const StepResult step = lattice->step(none, 1e-5);
      REQUIRE(step.solve.converged);
      broken += step.broken;
      remember(*lattice, mesh, *problem.halo, memory);
      Bonds left = make_bonds(mesh, *problem.halo, memory);
      BondValues values = recall(left, memory);
      REQUIRE(values.forces.size() == left.num_local());
      lattice = std::make_unique<Lattice>(std::move(left), test::inverse_masses(problem), std::move(values), options);
    }
    CHECK(lattice->bonds().count == bonds - broken);
  }
};

}  // namespace

TEST_CASE("all holders of an element remember the same, on any number of ranks", "[lattice][parallel]")
{
  const Comm comm;
  const Box alone(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert), 4);
  const Box together(comm, test::scattered(5), 4);
  CHECK(alone.broken > 10);
  CHECK(alone.broken < alone.bonds / 2);
  CHECK(together.broken == alone.broken);
  std::map<ElementId, mesh::LatticeMemory> expected;
  const mesh::TetMesh& whole = alone.problem.model.mesh;
  for (LocalIndex e = 0; e < whole.num_slots(); ++e) expected[whole.element_id(e)] = alone.memory[at(e)];
  const mesh::TetMesh& mesh = together.problem.model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) REQUIRE(together.memory[at(e)] == expected.at(mesh.element_id(e)));
}

TEST_CASE("what a bond that breaks has given one element it has taken from the other", "[lattice][parallel]")
{
  const Comm comm;
  const Box box(comm, test::scattered(3), 4);
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
  double given = 0;
  std::int64_t bonded = 0, broken = 0;
  const mesh::TetMesh& mesh = box.problem.model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    const Vec3 received(box.memory[at(e)].received.data());
    momentum += received, moment += centroid(mesh, e).cross(received), given += received.norm();
    for (std::size_t face = 0; face < 4; ++face)
      bonded += box.memory[at(e)].has_bond(face), broken += box.memory[at(e)].has_broken(face);
  }
  for (Vec3* sum : {&momentum, &moment})
    for (double& x : *sum) x = comm.sum(x);
  given = comm.sum(given);
  CHECK(given > 0);
  CHECK(momentum.norm() < 1e-13 * given);
  CHECK(moment.norm() < 1e-13 * given);
  CHECK(comm.sum(bonded) == box.bonds);
  CHECK(comm.sum(broken) == box.broken);
}
