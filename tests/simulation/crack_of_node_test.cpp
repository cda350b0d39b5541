#include "simulation/diagnostics/crack_of_node.hpp"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

namespace {

using namespace sunder;

constexpr int num_elements = 21, gap_after = 8;

/// Elements in a row along x. No two have a node in common, as where a crack has parted all of them, but each has a
/// material point in common with the next, except at one gap. Each has one crack face with both of these points. The
/// elements are dealt to the ranks in turn; this is the part of rank `me`.
mesh::TetMesh row_of_elements(Rank me, Rank ranks)
{
  std::vector<mesh::Node> nodes;
  std::vector<mesh::Element> elements;
  for (int k = me; k < num_elements; k += ranks) {
    const double x = k <= gap_after ? k : k + 0.5;
    const auto first = static_cast<LocalIndex>(nodes.size());
    const auto id = static_cast<std::uint64_t>(k);
    for (const Vec3& X : {Vec3(x, 0, 0), Vec3(x + 1, 0, 0), Vec3(x + 0.5, 1, 0), Vec3(x + 0.5, 0.5, 1)})
      nodes.push_back({NodeId{4 * id + nodes.size() % 4}, me, X, 1, 0});
    elements.push_back({ElementId{id}, {first, first + 1, first + 2, first + 3}, 0});
  }
  mesh::TetMesh mesh(me, std::move(nodes), std::move(elements));
  mesh::ElementFaces faces;
  faces.cracks.add(3, 0.5);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) mesh.set_faces(e, faces);
  return mesh;
}

}  // namespace

TEST_CASE("parts of a crack on ranks that share no element are one crack where they share a point of the material",
          "[diagnostics][cracks][parallel]")
{
  const mesh::TetMesh whole = row_of_elements(0, 1);
  const simulation::CrackOfNode expected(Comm(MPI_COMM_SELF), whole);
  CHECK(expected.num_parts() == 2);
  const Comm comm;
  const mesh::TetMesh mesh = row_of_elements(comm.rank(), comm.size());
  const simulation::CrackOfNode crack_of(comm, mesh);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const auto same = whole.find(mesh.node(n).id);
    REQUIRE(same.has_value());
    REQUIRE(crack_of.contains(n) == expected.contains(*same));
    if (crack_of.contains(n)) CHECK(crack_of(n) == expected(*same));
  }
}
