#include "partition/distribute/rows.hpp"

#include "partition/decompose/decompose.hpp"
#include "partition/decompose/hilbert.hpp"
#include "partition/distribute/distribute.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace sunder;
using partition::Part;

/// Two materials, elements to be divided once or not at all, marked nodes and faces, nodes that fly.
partition::WholeMesh whole_mesh(Rank parts)
{
  partition::WholeMesh whole;
  whole.data = test::box_mesh(5, 4, 3, 0.1, 0.2);
  const std::size_t elements = whole.data.tets.size(), nodes = whole.data.nodes.size();
  for (std::size_t e = 0; e < elements; ++e) {
    whole.element_materials.push_back(static_cast<MaterialIndex>(e % 2));
    whole.element_levels.push_back(2);
    if (e % 11 == 0)
      whole.marked_faces.push_back({{whole.data.tets[e][0], whole.data.tets[e][1], whole.data.tets[e][2]}, 1 + e % 4});
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    whole.node_marks.push_back(n % 8);
    whole.node_velocities.push_back({static_cast<double>(n), -1.0 / static_cast<double>(n + 1), 0.25});
  }
  whole.surface_marks = 5;
  partition::order_along_hilbert(whole);
  whole.owners = partition::decompose(whole.data, parts, partition::Method::metis, 1, whole.element_levels);
  return whole;
}

/// This rank's rows if the file were read.
partition::RowSlice share_of(const Comm& comm, const partition::RowSlice& all)
{
  partition::RowSlice slice;
  slice.all_nodes = all.all_nodes, slice.all_elements = all.all_elements;
  const auto take = [&comm](const auto& rows, auto& mine) {
    const partition::BlockDistribution distribution{static_cast<GlobalIndex>(rows.size()), comm.size()};
    mine.assign(rows.begin() + distribution.begin(comm.rank()), rows.begin() + distribution.begin(comm.rank() + 1));
  };
  take(all.nodes, slice.nodes), take(all.elements.rows, slice.elements.rows);
  take(all.corners, slice.corners), take(all.faces, slice.faces);
  return slice;
}

std::vector<partition::MarkedFace<LocalIndex>> sorted(std::vector<partition::MarkedFace<LocalIndex>> faces)
{
  for (auto& face : faces) std::sort(face.nodes.begin(), face.nodes.end());
  std::sort(faces.begin(), faces.end(),
            [](const auto& a, const auto& b) { return std::tie(a.nodes, a.marks) < std::tie(b.nodes, b.marks); });
  return faces;
}

void require_same(const Part& a, const Part& b)
{
  REQUIRE(a.mesh.num_nodes() == b.mesh.num_nodes());
  REQUIRE(a.mesh.num_slots() == b.mesh.num_slots());
  for (LocalIndex n = 0; n < a.mesh.num_nodes(); ++n) {
    const mesh::Node &p = a.mesh.node(n), &q = b.mesh.node(n);
    REQUIRE(std::tie(p.id, p.owner, p.X, p.size, p.marks) == std::tie(q.id, q.owner, q.X, q.size, q.marks));
  }
  for (LocalIndex e = 0; e < a.mesh.num_slots(); ++e) {
    REQUIRE(a.mesh.element_id(e) == b.mesh.element_id(e));
    REQUIRE(a.mesh.tet(e) == b.mesh.tet(e));
    REQUIRE(a.mesh.material(e) == b.mesh.material(e));
  }
  CHECK(a.velocities == b.velocities);
  CHECK(a.levels == b.levels);
  CHECK(a.surface_marks == b.surface_marks);
  const auto faces = sorted(a.marked_faces), other = sorted(b.marked_faces);
  REQUIRE(faces.size() == other.size());
  for (std::size_t k = 0; k < faces.size(); ++k)
    REQUIRE(std::tie(faces[k].nodes, faces[k].marks) == std::tie(other[k].nodes, other[k].marks));
}

}  // namespace

TEST_CASE("a part is the same from rows of a file as from the rank that has the whole mesh", "[partition][parallel]")
{
  const Comm world;
  const partition::WholeMesh whole = whole_mesh(world.size());
  const Part sent = partition::distribute(world, world.rank() == 0 ? whole : partition::WholeMesh{});
  const auto rows = share_of(world, partition::rows_by_part(whole));
  const partition::MigrationRecords mine = partition::redistribute(world, rows, true);
  require_same(partition::part_of(world.rank(), mine, whole.surface_marks), sent);
  CHECK(world.sum(static_cast<std::int64_t>(sent.marked_faces.size())) >=
        static_cast<std::int64_t>(whole.marked_faces.size()));
}

TEST_CASE("rows of a file are in the order of the parts they belong to", "[partition]")
{
  const partition::RowSlice rows = partition::rows_by_part(whole_mesh(5));
  const auto earlier = [](const auto& a, const auto& b) { return a.owner < b.owner; };
  CHECK(std::is_sorted(rows.nodes.begin(), rows.nodes.end(), earlier));
  CHECK(rows.nodes.back().owner == 4);
  for (std::size_t e = 0; e < rows.elements.size(); ++e)
    for (std::size_t a = 0; a < 4; ++a)
      REQUIRE(rows.nodes[static_cast<std::size_t>(rows.corners[e][a])].id == rows.elements.rows[e].nodes[a]);
}

TEST_CASE(
    "a mesh decomposed for other ranks is decomposed anew, elements to be divided weighing as much as their children",
    "[partition][parallel]")
{
  const Comm world;
  partition::WholeMesh whole = whole_mesh(2);
  for (std::size_t e = 0; e < whole.data.tets.size(); ++e)
    if (whole.data.nodes[static_cast<std::size_t>(whole.data.tets[e][0])].x() > 0.2) whole.element_levels[e] = 0;
  const auto rows = share_of(world, partition::rows_by_part(whole));
  const partition::MigrationRecords mine = partition::redistribute(world, rows, false);
  double work = 0;
  for (const partition::ElementRecord& e : mine.elements.rows) work += e.level > 0 ? 64 : 1;
  const double all = world.sum(work);
  CHECK(work > 0.5 * all / world.size());  // by number of elements some rank would have far less
}
