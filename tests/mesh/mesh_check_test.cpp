#include "mesh/mesh_check.hpp"

#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace {

using namespace sunder;
using mesh::check_mesh;
using mesh::Hinges;
using mesh::MeshData;

MeshData box()
{
  return test::box_mesh(2, 2, 2, 1.0);
}

std::string only_error(MeshData data, Hinges hinges = Hinges::report)
{
  const mesh::MeshReport report = check_mesh(data, hinges);
  REQUIRE(report.errors.size() == 1);
  return report.errors[0];
}

/// Two tetrahedra that touch in one node, labelled 4.
MeshData hinged()
{
  MeshData m;
  m.nodes = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  m.tets = {{0, 1, 2, 3}, {4, 6, 5, 3}};
  m.node_labels = {1, 2, 3, 4, 5, 6, 7}, m.element_labels = {1, 2};
  m.node_sets = {{"joint", {3}}};
  m.face_sets = {{"sides", {{1, 2, 3}, {3, 6, 5}}}};
  return m;
}

}  // namespace

TEST_CASE("a sound mesh passes as it is", "[mesh][check]")
{
  MeshData m = box();
  const auto tets = m.tets;
  const mesh::MeshReport report = check_mesh(m, Hinges::report);
  CHECK(report.errors.empty());
  CHECK(report.notes.empty());
  CHECK(m.tets == tets);
}

TEST_CASE("elements that are all negative are turned round, mixed ones refused by name", "[mesh][check]")
{
  MeshData all = box();
  for (auto& tet : all.tets) std::swap(tet[0], tet[1]);
  CHECK(check_mesh(all, Hinges::report).errors.empty());

  MeshData one = box();
  std::swap(one.tets[4][0], one.tets[4][1]);
  CHECK(only_error(one) ==
        "inverted elements, where the others are positive (swap two corners of each if it is not folded over its "
        "neighbours): 5");
}

TEST_CASE("a flat element among inverted ones is all that is reported", "[mesh][check]")
{
  MeshData m = box();
  for (auto& tet : m.tets) std::swap(tet[0], tet[1]);
  m.nodes.insert(m.nodes.end(), {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {6, 1, 0}});  // a square beside the box
  m.tets.push_back({27, 28, 29, 30});
  m.node_labels.insert(m.node_labels.end(), {28, 29, 30, 31}), m.element_labels.push_back(77);
  CHECK(only_error(m) == "elements without volume (have the mesher optimise the mesh): 77");
}

TEST_CASE("volumes that overflow are refused", "[mesh][check]")
{
  // 1e110 cubed overflows to infinity; 1e200 squared does in the cross product, whose differences are not numbers.
  for (const double huge : {1e110, 1e200}) {
    MeshData m;
    m.nodes = {{0, 0, 0}, {huge, huge, 0}, {huge, -huge, huge}, {0, huge, huge}};
    m.tets = {{0, 1, 2, 3}};
    m.node_labels = {1, 2, 3, 4}, m.element_labels = {6};
    CHECK(only_error(m) == "elements so large that their volume is not a finite number: 6");
  }
}

TEST_CASE("each defect of a mesh is reported with the numbers that nodes and elements have in its file",
          "[mesh][check]")
{
  MeshData flat = box();
  flat.nodes[13] = flat.nodes[0];  // the middle node moves onto a corner
  const mesh::MeshReport report = check_mesh(flat, Hinges::report);
  CHECK(std::any_of(report.errors.begin(), report.errors.end(), [](const std::string& e) {
    return e.starts_with("elements without volume (have the mesher optimise the mesh): ");
  }));

  MeshData nan = box();
  nan.nodes[2].y() = std::numeric_limits<double>::quiet_NaN();
  CHECK(only_error(nan) == "nodes whose coordinates are not finite numbers: 3");

  MeshData twice = box();
  twice.tets.push_back(twice.tets[7]), twice.element_labels.push_back(99);
  const auto errors = check_mesh(twice, Hinges::report).errors;
  REQUIRE(!errors.empty());
  CHECK(errors[0] == "elements with the corners of another element: 99");
}

TEST_CASE("coincident nodes of one connected mesh are a crack, those of parts that only touch an error",
          "[mesh][check]")
{
  MeshData slit = test::box_mesh(3, 2, 2, 1.0);
  const std::size_t nodes = slit.nodes.size();
  test::cut_slit(slit, 1, 2);
  const mesh::MeshReport report = check_mesh(slit, Hinges::report);
  CHECK(report.errors.empty());
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].starts_with("6 nodes at the place of another node of the same connected mesh"));
  CHECK(report.notes[0].ends_with(": 37 38 39 40 41 and 1 more"));
  CHECK(slit.nodes.size() == nodes + 6);

  MeshData parts = test::box_mesh(3, 2, 2, 1.0);
  test::cut_slit(parts, 1, 4);  // through and through
  const std::string error = only_error(parts);
  CHECK(error.starts_with("nodes at the place of another node of a part that shares no node with theirs"));
  CHECK(error.ends_with(": 37 38 39 40 41 and 7 more"));
}

TEST_CASE("unused nodes are left out and sets renumbered", "[mesh][check]")
{
  MeshData m = box();
  m.nodes.insert(m.nodes.begin(), Vec3(9, 9, 9));
  m.node_labels.insert(m.node_labels.begin(), 1000);
  for (auto& tet : m.tets)
    for (auto& n : tet) ++n;
  m.node_sets = {{"corner", {0, 1}}};
  const mesh::MeshReport report = check_mesh(m, Hinges::report);
  CHECK(report.errors.empty());
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0] == "left out nodes no element uses: 1000");
  CHECK(m.nodes.size() == 27);
  CHECK(m.node_sets[0].nodes == std::vector<GlobalIndex>{0});
}

TEST_CASE("a hinge is reported, or split into a node for each component", "[mesh][check]")
{
  CHECK(only_error(hinged()).starts_with("nodes that only hinge components"));
  CHECK(only_error(hinged()).ends_with(": 4"));
  MeshData m = hinged();
  const mesh::MeshReport report = check_mesh(m, Hinges::split);
  CHECK(report.errors.empty());
  REQUIRE(m.nodes.size() == 8);
  CHECK(m.nodes[7] == m.nodes[3]);
  CHECK(m.tets[0][3] != m.tets[1][3]);
  CHECK(m.node_sets[0].nodes == std::vector<GlobalIndex>{3, 7});
  CHECK(m.face_sets[0].faces == std::vector<std::array<GlobalIndex, 3>>{{1, 2, 3}, {7, 6, 5}});
}
