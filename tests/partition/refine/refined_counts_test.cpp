#include "partition/refine/refined_counts.hpp"

#include "partition/refine/bey.hpp"
#include "partition/refine/refine.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

partition::MeshCounts counts_of(std::size_t nodes, const std::vector<std::array<GlobalIndex, 4>>& tets)
{
  const partition::MeshEntities entities = partition::entities_of(tets);
  return {static_cast<GlobalIndex>(nodes), static_cast<GlobalIndex>(entities.edges.size()),
          static_cast<GlobalIndex>(entities.faces.size()), static_cast<GlobalIndex>(tets.size())};
}

std::array<GlobalIndex, 4> all(const partition::MeshCounts& c)
{
  return {c.nodes, c.edges, c.faces, c.elements};
}

}  // namespace

TEST_CASE("a tetrahedron, and two that share a face, have as many edges and faces as they have", "[partition][counts]")
{
  CHECK(all(counts_of(4, {{3, 1, 0, 2}})) == std::array<GlobalIndex, 4>{4, 6, 4, 1});
  CHECK(all(counts_of(5, {{0, 1, 2, 3}, {4, 3, 2, 1}})) == std::array<GlobalIndex, 4>{5, 9, 7, 2});
}

TEST_CASE("counts of a refined mesh are those of the mesh when it is refined", "[partition][counts]")
{
  const mesh::MeshData data = test::box_mesh(2, 3, 1, 0.1, 0.2);
  const partition::MeshCounts coarse = counts_of(data.nodes.size(), data.tets);
  for (std::uint8_t levels = 0; levels <= 3; ++levels) {
    const test::TestProblem fine = test::distributed(Comm(MPI_COMM_SELF), data, {test::chalk()},
                                                     test::by_method(partition::Method::hilbert), levels);
    std::vector<std::array<GlobalIndex, 4>> tets;
    for (LocalIndex e = 0; e < fine.model.mesh.num_slots(); ++e) {
      const Tet& t = fine.model.mesh.tet(e);
      tets.push_back({t[0], t[1], t[2], t[3]});
    }
    CAPTURE(int{levels});
    CHECK(all(refined(coarse, levels)) == all(counts_of(static_cast<std::size_t>(fine.model.mesh.num_nodes()), tets)));
  }
}

TEST_CASE("counts go on to meshes nobody has room for", "[partition][counts]")
{
  // Of one tetrahedron divided k times: the lattice of points, binomial(n + 3, 3) with n = 2^k.
  const GlobalIndex n = 1 << 14;
  const partition::MeshCounts c = partition::refined({4, 6, 4, 1}, 14);
  CHECK(c.nodes == (n + 1) * (n + 2) / 2 * (n + 3) / 3);
  CHECK(c.elements == n * n * n);
  CHECK(c.nodes - c.edges + c.faces - c.elements == 1);  // Euler
}
