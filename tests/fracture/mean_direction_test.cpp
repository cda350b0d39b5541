#include "fracture/mean_direction.hpp"

#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace sunder;

namespace {

/// Moves every node by a pure function of its id.
void deform(test::TestProblem& problem, const Mat3& F, double noise)
{
  element::Model& model = problem.model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    model.p[static_cast<std::size_t>(n)].set_xyz(F * model.mesh.node(n).X +
                                                 noise * test::random_vector(1, model.mesh.node(n).id.low));
}

std::map<NodeId, Vec3> directions(const test::TestProblem& problem)
{
  const mesh::TetMesh& mesh = problem.model.mesh;
  std::vector<LocalIndex> owned;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) owned.push_back(n);
  const auto found = fracture::mean_directions(problem.model, *problem.halo, owned);
  std::map<NodeId, Vec3> of_nodes;
  for (std::size_t k = 0; k < owned.size(); ++k) of_nodes[mesh.node(owned[k]).id] = found[k];
  return of_nodes;
}

test::TestProblem box(const Comm& comm, const test::Owners& owners)
{
  return test::distributed(comm, test::box_mesh(5, 4, 4, 0.1, 0.2), {test::chalk()}, owners);
}

}  // namespace

TEST_CASE("a crack's direction is that of the mean stress around it, the same bits on any number of ranks",
          "[fracture][cohesion][parallel]")
{
  const Comm world;
  const Mat3 pull = Vec3(1.01, 0.999, 0.998).asDiagonal();
  for (const std::uint64_t seed : {1u, 2u}) {
    auto together = box(world, test::scattered(seed));
    auto alone = box(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert));
    deform(together, pull, 3e-4), deform(alone, pull, 3e-4);
    const auto expected = directions(alone);
    for (const auto& [id, direction] : directions(together)) {
      CHECK(direction == expected.at(id));
      CHECK(std::abs(direction.x()) > 0.9);  // noise of each node is a third of the pull
    }
  }
}

TEST_CASE("a uniform pull has its own direction everywhere, and pressure none", "[fracture][cohesion][parallel]")
{
  const Comm world;
  auto problem = box(world, test::scattered(3));
  const Vec3 n = Vec3(1, 2, -2) / 3;
  deform(problem, Mat3::Identity() + 0.01 * n * n.transpose(), 0);
  for (const auto& [id, direction] : directions(problem)) CHECK(std::abs(direction.dot(n)) == Approx(1).epsilon(1e-9));
  deform(problem, 0.99 * Mat3::Identity(), 0);
  for (const auto& [id, direction] : directions(problem)) CHECK(direction == Vec3::Zero());
}
