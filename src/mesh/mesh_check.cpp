#include "mesh/mesh_check.hpp"

#include "core/sort_unique.hpp"
#include "mesh/union_find.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

namespace sunder::mesh {
namespace {

/// labels: in the order of the file.
void report(MeshReport& report_, Fault fault, const std::vector<std::uint64_t>& labels)
{
  if (labels.empty()) return;
  (is_mended(fault) ? report_.notes : report_.errors).push_back(text_of(fault, labels, labels.size()));
}

/// Labels of the things at these positions, each once, in the order of the file.
std::vector<std::uint64_t> labels_at(std::vector<std::size_t> positions, const std::vector<std::uint64_t>& labels)
{
  sort_unique(positions);
  std::vector<std::uint64_t> found;
  for (const std::size_t p : positions) found.push_back(labels[p]);
  return found;
}

void check_numbers(const MeshData& mesh, MeshReport& report_)
{
  std::vector<std::uint64_t> bad;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    if (!mesh.nodes[n].allFinite()) bad.push_back(mesh.node_labels[n]);
  report(report_, Fault::not_finite, bad);
}

void check_shapes(MeshData& mesh, MeshReport& report_)
{
  std::vector<std::uint64_t> negative, flat_ones, overflowing;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    std::array<Vec3, 4> corners;
    for (std::size_t a = 0; a < 4; ++a) corners[a] = mesh.nodes[at(mesh.tets[e][a])];
    const auto fault = fault_of_shape(corners);
    if (!fault) continue;
    (*fault == Fault::overflowing ? overflowing
     : *fault == Fault::flat      ? flat_ones
                                  : negative)
        .push_back(mesh.element_labels[e]);
  }
  report(report_, Fault::overflowing, overflowing);
  report(report_, Fault::flat, flat_ones);
  if (negative.size() + flat_ones.size() + overflowing.size() == mesh.tets.size()) {
    for (auto& tet : mesh.tets) std::swap(tet[2], tet[3]);  // all that have a sign: the mesher's convention
  } else {
    report(report_, Fault::inverted, negative);
  }
}

/// Joins the nodes that elements connect.
UnionFind connected_nodes(const MeshData& mesh)
{
  UnionFind joined(mesh.nodes.size());
  for (const auto& tet : mesh.tets)
    for (std::size_t a = 1; a < 4; ++a) joined.unite(static_cast<LocalIndex>(tet[0]), static_cast<LocalIndex>(tet[a]));
  return joined;
}

/// Of nodes in one place that a way through elements joins, no element has two, or it would be flat: a crack parts
/// them.
void check_coincident_nodes(const MeshData& mesh, MeshReport& report_)
{
  if (mesh.nodes_have_ids) return;
  std::vector<std::size_t> order(mesh.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&mesh](std::size_t n) {
    const Vec3& x = mesh.nodes[n];
    return std::tuple(x.x(), x.y(), x.z());
  };
  std::sort(order.begin(), order.end(),
            [&key](std::size_t a, std::size_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // (node, first node there)
  for (std::size_t k = 1, first = 0; k < order.size(); ++k)
    if (key(order[k]) == key(order[first]))
      pairs.emplace_back(order[k], order[first]);
    else
      first = k;
  if (pairs.empty()) return;
  UnionFind joined = connected_nodes(mesh);
  std::vector<std::size_t> crack, apart;
  for (const auto& [n, first] : pairs)
    (joined.find(static_cast<LocalIndex>(n)) == joined.find(static_cast<LocalIndex>(first)) ? crack : apart)
        .push_back(n);
  report(report_, Fault::crack, labels_at(std::move(crack), mesh.node_labels));
  report(report_, Fault::coincident, labels_at(std::move(apart), mesh.node_labels));
}

/// Corners ascending, then the element. 32 bits: these lists set the peak of a mesh's memory.
using Small = std::uint32_t;
template <std::size_t N>
struct Key {
  std::array<Small, N> nodes;
  Small element;
  auto operator<=>(const Key&) const = default;
};

void check_repeated_elements(const MeshData& mesh, MeshReport& report_)
{
  std::vector<Key<4>> keys;
  keys.reserve(mesh.tets.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    Key<4> key{{}, static_cast<Small>(e)};
    for (std::size_t a = 0; a < 4; ++a) key.nodes[a] = static_cast<Small>(mesh.tets[e][a]);
    keys.push_back(key);
    std::sort(keys.back().nodes.begin(), keys.back().nodes.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> twice;
  for (std::size_t k = 1; k < keys.size(); ++k)
    if (keys[k].nodes == keys[k - 1].nodes) twice.push_back(keys[k].element);
  report(report_, Fault::repeated, labels_at(std::move(twice), mesh.element_labels));
}

std::vector<Key<3>> sorted_faces(const MeshData& mesh)
{
  std::vector<Key<3>> faces;
  faces.reserve(4 * mesh.tets.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      Key<3> face{{}, static_cast<Small>(e)};
      for (std::size_t a = 0, k = 0; a < 4; ++a)
        if (a != left_out) face.nodes[k++] = static_cast<Small>(mesh.tets[e][a]);
      std::sort(face.nodes.begin(), face.nodes.end());
      faces.push_back(face);
    }
  std::sort(faces.begin(), faces.end());
  return faces;
}

void check_faces(const MeshData& mesh, const std::vector<Key<3>>& faces, MeshReport& report_)
{
  std::vector<std::size_t> crowded;
  for (std::size_t k = 2; k < faces.size(); ++k)
    if (faces[k].nodes == faces[k - 2].nodes) crowded.push_back(faces[k].element);
  report(report_, Fault::crowded, labels_at(std::move(crowded), mesh.element_labels));
}

/// Joins the (element, corner)s, numbered 4 element + corner, that are of one component of a corner's star.
BasicUnionFind<Small> components_of_stars(const MeshData& mesh, const std::vector<Key<3>>& faces)
{
  BasicUnionFind<Small> joined(4 * mesh.tets.size());
  const auto corner = [&mesh](Small e, Small n) {
    const auto& tet = mesh.tets[at(e)];
    return static_cast<Small>(4 * e + (std::find(tet.begin(), tet.end(), GlobalIndex{n}) - tet.begin()));
  };
  for (std::size_t k = 1; k < faces.size(); ++k) {
    if (faces[k].nodes != faces[k - 1].nodes) continue;
    for (const Small n : faces[k].nodes) joined.unite(corner(faces[k].element, n), corner(faces[k - 1].element, n));
  }
  return joined;
}

/// Gives every component of a star but the first a node of its own; node sets that have the node get the copies, a face
/// gets the nodes its element has.
std::vector<std::uint64_t> split_hinges(MeshData& mesh, const std::vector<Key<3>>& faces,
                                        BasicUnionFind<Small> components, bool for_good)
{
  std::vector<GlobalIndex> first(mesh.nodes.size(), -1);    // component that keeps the node
  std::vector<std::pair<GlobalIndex, GlobalIndex>> copies;  // (component, node)
  const auto corners = static_cast<Small>(4 * mesh.tets.size());
  for (Small i = 0; i < corners; ++i) {
    const GlobalIndex n = mesh.tets[i / 4][i % 4], component = components.find(i);
    if (first[at(n)] < 0)
      first[at(n)] = component;
    else if (component != first[at(n)] && component == i)
      copies.emplace_back(component, n);
  }
  std::vector<std::size_t> hinged;
  for (const auto& [p, n] : copies) hinged.push_back(at(n));
  const auto hinges = labels_at(std::move(hinged), mesh.node_labels);
  if (!for_good || copies.empty()) return hinges;

  std::vector<GlobalIndex> copy_of_component(corners, -1);
  for (const auto& [p, n] : copies) {
    const auto copy = static_cast<GlobalIndex>(mesh.nodes.size());
    copy_of_component[at(p)] = copy;
    mesh.nodes.push_back(mesh.nodes[at(n)]), mesh.node_labels.push_back(mesh.node_labels[at(n)]);
    for (NodeSet& set : mesh.node_sets)
      if (std::binary_search(set.nodes.begin(), set.nodes.end(), n)) set.nodes.push_back(copy);  // stays ascending
  }
  for (FaceSet& set : mesh.face_sets)
    for (auto& face : set.faces) {
      Key<3> key{{static_cast<Small>(face[0]), static_cast<Small>(face[1]), static_cast<Small>(face[2])}, 0};
      std::sort(key.nodes.begin(), key.nodes.end());
      const auto it = std::lower_bound(faces.begin(), faces.end(), key);
      if (it == faces.end() || it->nodes != key.nodes) continue;
      const auto& tet = mesh.tets[at(it->element)];
      for (GlobalIndex& n : face) {
        const auto corner = static_cast<Small>(std::find(tet.begin(), tet.end(), n) - tet.begin());
        if (const GlobalIndex copy = copy_of_component[components.find(4 * it->element + corner)]; copy >= 0) n = copy;
      }
    }
  for (Small i = 0; i < corners; ++i)
    if (const GlobalIndex copy = copy_of_component[components.find(i)]; copy >= 0) mesh.tets[i / 4][i % 4] = copy;
  return hinges;
}

void drop_unused_nodes(MeshData& mesh, MeshReport& report_)
{
  std::vector<GlobalIndex> new_of_old(mesh.nodes.size(), -1);
  for (const auto& tet : mesh.tets)
    for (const GlobalIndex n : tet) new_of_old[at(n)] = 0;
  std::vector<std::uint64_t> unused;
  std::size_t kept = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (new_of_old[n] < 0) {
      unused.push_back(mesh.node_labels[n]);
      continue;
    }
    mesh.nodes[kept] = mesh.nodes[n], mesh.node_labels[kept] = mesh.node_labels[n];
    new_of_old[n] = static_cast<GlobalIndex>(kept++);
  }
  if (unused.empty()) return;
  report(report_, mesh.second_order ? Fault::mid_node : Fault::unused, unused);
  mesh.nodes.resize(kept), mesh.node_labels.resize(kept);
  for (auto& tet : mesh.tets)
    for (GlobalIndex& n : tet) n = new_of_old[at(n)];
  for (NodeSet& set : mesh.node_sets) {
    for (GlobalIndex& n : set.nodes) n = new_of_old[at(n)];
    std::erase(set.nodes, -1);
  }
  for (FaceSet& set : mesh.face_sets) {
    for (auto& face : set.faces)
      for (GlobalIndex& n : face) n = new_of_old[at(n)];
    std::erase_if(set.faces, [](const auto& face) { return std::count(face.begin(), face.end(), -1) > 0; });
  }
}

}  // namespace

std::optional<Fault> fault_of_shape(const std::array<Vec3, 4>& x)
{
  constexpr double flat = 1e-9;
  const double volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
  double longest = 0;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) longest = std::max(longest, (x[a] - x[b]).norm());
  const double roomy = longest * longest * longest / (6 * std::sqrt(2.0));
  if (!std::isfinite(volume) || !std::isfinite(roomy)) return Fault::overflowing;
  if (std::abs(volume) <= flat * roomy) return Fault::flat;
  if (volume < 0) return Fault::inverted;
  return std::nullopt;
}

MeshReport check_mesh(MeshData& mesh, Hinges hinges)
{
  MeshReport report_;
  if (mesh.tets.size() > std::numeric_limits<Small>::max() / 4)
    report_.errors.push_back("more than 2^30 elements in one file: too many for one rank");
  check_numbers(mesh, report_);
  if (!report_.errors.empty()) return report_;
  drop_unused_nodes(mesh, report_);
  check_shapes(mesh, report_);
  check_coincident_nodes(mesh, report_);
  check_repeated_elements(mesh, report_);
  const auto faces = sorted_faces(mesh);
  check_faces(mesh, faces, report_);
  if (!report_.errors.empty()) return report_;
  const auto found = split_hinges(mesh, faces, components_of_stars(mesh, faces), hinges == Hinges::split);
  report(report_, hinges == Hinges::split ? Fault::split : Fault::hinged, found);
  return report_;
}

}  // namespace sunder::mesh
