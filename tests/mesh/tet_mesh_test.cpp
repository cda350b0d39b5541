#include "mesh/tet_mesh.hpp"

#include "core/hash.hpp"
#include "mesh/lineage.hpp"
#include "mesh/star_components.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace {

using namespace sunder;
using mesh::TetMesh;

TetMesh whole_box(int cells)
{
  const mesh::MeshData box = test::box_mesh(cells, cells, cells, 1.0, 0.2);
  std::vector<mesh::Node> nodes;
  for (std::size_t n = 0; n < box.nodes.size(); ++n) nodes.push_back({n, 0, box.nodes[n], 1.0, 0});
  std::vector<mesh::Element> elements;
  for (std::size_t e = 0; e < box.tets.size(); ++e) {
    mesh::Element element{e, {}, 0};
    for (std::size_t a = 0; a < 4; ++a) element.nodes[a] = static_cast<LocalIndex>(box.tets[e][a]);
    elements.push_back(element);
  }
  return {0, nodes, elements};
}

double volume(const TetMesh& mesh, LocalIndex e)
{
  const auto X = mesh.corners(e);
  return (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / 6;
}

double total_volume(const TetMesh& mesh)
{
  double sum = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    REQUIRE(volume(mesh, e) > 0);
    sum += volume(mesh, e);
  }
  return sum;
}

/// The stars say exactly what the elements say, in ascending order.
void require_stars_right(const TetMesh& mesh)
{
  std::vector<std::vector<LocalIndex>> expected(static_cast<std::size_t>(mesh.num_nodes()));
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.alive(e))
      for (const LocalIndex n : mesh.tet(e)) expected[static_cast<std::size_t>(n)].push_back(e);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const auto star = mesh.star(n);
    REQUIRE(std::vector<LocalIndex>(star.begin(), star.end()) == expected[static_cast<std::size_t>(n)]);
  }
}

}  // namespace

TEST_CASE("bisect divides every element around an edge and keeps volume and conformity", "[mesh][bisect]")
{
  TetMesh mesh = whole_box(3);
  const double before = total_volume(mesh);
  for (std::uint64_t k = 0; k < 200; ++k) {
    const auto slots = static_cast<std::uint64_t>(mesh.num_slots());
    const Tet tet = mesh.tet(static_cast<LocalIndex>(combine(7, k) % slots));
    const LocalIndex a = tet[k % 4], b = tet[(k + 1) % 4];
    const std::size_t around = mesh.elements_around_edge(a, b).size();
    const double t = 0.5 + 0.4 * test::random_number(3, k);
    std::vector<mesh::BisectedElement> bisected;
    const LocalIndex slots_before = mesh.num_slots(), m = mesh.bisect(a, b, t, bisected);
    REQUIRE(bisected.size() == around);
    REQUIRE(mesh.num_slots() == slots_before + static_cast<LocalIndex>(around));
    REQUIRE(mesh.elements_around_edge(a, b).empty());
    REQUIRE(mesh.find(mesh.node(m).id) == m);
    REQUIRE(mesh.star(m).size() == 2 * around);
    REQUIRE(mesh::star_components(mesh, m).size() == 1);
  }
  REQUIRE(total_volume(mesh) == Approx(before).epsilon(1e-13));
  require_stars_right(mesh);
  std::set<ElementId> ids(mesh.element_ids().begin(), mesh.element_ids().end());
  REQUIRE(ids.size() == static_cast<std::size_t>(mesh.num_slots()));
}

TEST_CASE("the node bisect makes is the same from either end of the edge", "[mesh][bisect]")
{
  TetMesh one = whole_box(1), other = whole_box(1);
  std::vector<mesh::BisectedElement> bisected;
  const LocalIndex m = one.bisect(0, 7, 0.25, bisected), n = other.bisect(7, 0, 0.75, bisected);
  REQUIRE(one.node(m).id == other.node(n).id);
  REQUIRE(one.node(m).X == other.node(n).X);
  for (LocalIndex e = 0; e < one.num_slots(); ++e) {
    REQUIRE(one.element_id(e) == other.element_id(e));
    REQUIRE(one.tet(e) == other.tet(e));
  }
}

TEST_CASE("two made nodes that share the low word of their ids are two nodes", "[mesh]")
{
  const GlobalId one(made_bit | 5, 1), other(made_bit | 5, 2);
  std::vector<mesh::Node> nodes(5);
  for (std::size_t n = 0; n < 3; ++n) nodes[n].id = n;
  nodes[3].id = one, nodes[4].id = other;
  nodes[1].X.x() = nodes[2].X.y() = nodes[3].X.z() = 1, nodes[4].X.z() = -1;
  const TetMesh mesh(0, nodes, {{0, {0, 1, 2, 3}, 0}, {1, {0, 2, 1, 4}, 0}});
  CHECK(mesh.find(one) == 3);
  CHECK(mesh.find(other) == 4);
  CHECK_FALSE(mesh.find({made_bit | 5, 3}));
  CHECK(mesh::edge_node_id(0, one) != mesh::edge_node_id(0, other));
  CHECK(mesh::copy_node_id(one, 1) != mesh::copy_node_id(other, 1));
}

TEST_CASE("a split gives the copy its side of the star; components of a star are those that share faces",
          "[mesh][split]")
{
  TetMesh mesh = whole_box(2);
  const LocalIndex centre = 13;  // the middle node
  const auto star = mesh.star(centre);
  std::vector<LocalIndex> below;
  for (const LocalIndex e : star) {
    double z = 0;
    for (const auto& X : mesh.corners(e)) z += X.z();
    if (z < 4) below.push_back(e);
  }
  REQUIRE(!below.empty());
  const std::size_t all = star.size();
  const LocalIndex copy = mesh.split(centre, mesh::copy_node_id(13, mesh.element_id(below.front())), below);
  REQUIRE(mesh.star(copy).size() == below.size());
  REQUIRE(mesh.star(centre).size() == all - below.size());
  REQUIRE(mesh.node(copy).X == mesh.node(centre).X);
  require_stars_right(mesh);

  // Give a copy two elements of its star that share no face around it: they must come out as two components.
  const auto rest = mesh.star(centre);
  const auto share_face = [&](LocalIndex e, LocalIndex f) {
    int common = 0;
    for (const LocalIndex n : mesh.tet(e)) common += std::count(mesh.tet(f).begin(), mesh.tet(f).end(), n) > 0;
    return common == 3;
  };
  for (const LocalIndex f : rest) {
    if (f <= rest.front() || share_face(rest.front(), f)) continue;
    const std::vector<LocalIndex> two{rest.front(), f};
    const LocalIndex hinge = mesh.split(centre, mesh::copy_node_id(13, mesh.element_id(two[0])), two);
    REQUIRE(mesh::star_components(mesh, hinge).size() == 2);
    return;
  }
  FAIL("no two elements without a common face around the node");
}

TEST_CASE("the halves of a face keep its marks and its birth, and faces that cutting makes have none",
          "[mesh][bisect][split]")
{
  TetMesh mesh = whole_box(2);
  const auto side_of = [](const Vec3& a, const Vec3& b, const Vec3& c) {  // 1..6; 0 inside
    for (int axis = 0; axis < 3; ++axis)
      for (const double at : {0.0, 2.0})
        if (a[axis] == at && b[axis] == at && c[axis] == at) return 1 + 2 * axis + (at > 0);
    return 0;
  };
  const auto each_face = [&mesh](auto&& visit) {
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      for (std::size_t a = 0; a < 4; ++a) {
        const auto X = mesh.corners(e);
        const auto& [i, j, k] = mesh::face_corners[a];
        visit(e, a, X[i], X[j], X[k]);
      }
  };
  each_face([&](LocalIndex e, std::size_t a, const Vec3& x, const Vec3& y, const Vec3& z) {
    const int side = side_of(x, y, z);
    if (side == 0) return;
    mesh::FaceMarks marks = mesh.face_marks(e);
    marks[a] = std::uint64_t{1} << side;
    mesh.set_face_marks(e, marks);
  });
  for (std::uint64_t k = 0; k < 150; ++k) {
    const Tet tet = mesh.tet(static_cast<LocalIndex>(combine(11, k) % static_cast<std::uint64_t>(mesh.num_slots())));
    std::vector<mesh::BisectedElement> bisected;
    mesh.bisect(tet[k % 4], tet[(k + 1) % 4], 0.5, bisected);  // halves are exact: nodes stay in their side's plane
    const LocalIndex n = tet[(k + 2) % 4];
    const auto star = mesh.star(n);
    const std::vector<LocalIndex> half(star.begin(), star.begin() + static_cast<std::ptrdiff_t>(star.size() / 2));
    if (k % 3 == 0 && !half.empty())
      mesh.split(n, mesh::copy_node_id(mesh.node(n).id, combine(5, k)), half, 1 + static_cast<double>(k));
  }
  std::map<std::set<LocalIndex>, int> elements_at;  // the nodes of a face
  const auto nodes_of = [&mesh](LocalIndex e, std::size_t a) {
    std::set<LocalIndex> nodes(mesh.tet(e).begin(), mesh.tet(e).end());
    nodes.erase(mesh.tet(e)[a]);
    return nodes;
  };
  each_face([&](LocalIndex e, std::size_t a, auto&&...) { ++elements_at[nodes_of(e, a)]; });
  Vec3 area = Vec3::Zero();  // of crack faces, outward: each has another opposite
  int crack_faces = 0;
  int marked = 0;
  each_face([&](LocalIndex e, std::size_t a, const Vec3& x, const Vec3& y, const Vec3& z) {
    const int side = side_of(x, y, z);
    REQUIRE(mesh.face_marks(e)[a] == (side == 0 ? 0u : 1u << side));
    marked += side != 0;
    const mesh::CrackFaces cracks = mesh.faces(e).cracks;
    REQUIRE(cracks.contain(a) == (side == 0 && elements_at.at(nodes_of(e, a)) == 1));
    REQUIRE((cracks.birth[a] >= 1) == cracks.contain(a));
    if (cracks.contain(a)) area += (y - x).cross(z - x) / 2;
    crack_faces += cracks.contain(a);
    if (side != 0) REQUIRE((y - x).cross(z - x)[(side - 1) / 2] * (side % 2 == 0 ? 1 : -1) > 0);  // outward
  });
  REQUIRE(marked > 100);
  REQUIRE(crack_faces > 100);
  REQUIRE(area.norm() < 1e-12);
}

TEST_CASE("a node on a chord between faces of a set is not in the set, one on such a face is", "[mesh][bisect]")
{
  constexpr std::uint64_t ends = 1u << 3, everywhere = 1u << 5;  // marks of nodes: of a face set, and not
  constexpr unsigned first = 2;
  TetMesh mesh = whole_box(1);
  const auto at_end = [](const Vec3& X) { return X.z() == 0 || X.z() == 1; };
  mesh.set_face_sets({ends, first});
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_marks(n, ends | everywhere);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    const auto X = mesh.corners(e);
    mesh::FaceMarks marks{};
    for (std::size_t a = 0; a < 4; ++a) {
      const auto& [i, j, k] = mesh::face_corners[a];
      if (at_end(X[i]) && X[i].z() == X[j].z() && X[j].z() == X[k].z()) marks[a] = ends << first;
    }
    mesh.set_face_marks(e, marks);
  }
  int on_faces = 0, on_chords = 0;
  for (std::uint64_t k = 0; k < 150; ++k) {
    const Tet tet = mesh.tet(static_cast<LocalIndex>(combine(12, k) % static_cast<std::uint64_t>(mesh.num_slots())));
    std::vector<mesh::BisectedElement> bisected;
    const LocalIndex made = mesh.bisect(tet[k % 4], tet[(k + 1) % 4], 0.5, bisected);
    const bool on_face = at_end(mesh.node(made).X);
    CAPTURE(mesh.node(made).X);
    REQUIRE(mesh.node(made).marks == (on_face ? ends | everywhere : everywhere));
    ++(on_face ? on_faces : on_chords);
  }
  CHECK(on_faces > 10);
  CHECK(on_chords > 10);
}
