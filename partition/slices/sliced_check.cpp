#include "partition/slices/sliced_check.hpp"

#include "core/sort_unique.hpp"
#include "mesh/union_find.hpp"
#include "partition/across_ranks/fetch.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace sunder::partition {
namespace {

/// A face of a node's star by its other two corners.
struct StarFace {
  GlobalIndex a = 0, b = 0;
  std::uint32_t element = 0;  // place in the star
  bool same(const StarFace& other) const { return a == other.a && b == other.b; }
};

std::vector<StarFace> faces_around(const SlicedStars& stars, std::size_t n)
{
  const GlobalIndex node = stars.first_node() + static_cast<GlobalIndex>(n);
  std::vector<StarFace> faces;
  const auto around = stars.around(n);
  for (std::uint32_t k = 0; k < around.size(); ++k) {
    std::array<GlobalIndex, 3> others{};
    std::size_t count = 0;
    for (const GlobalIndex q : stars.elements()[around[k]].nodes)
      if (q != node && count < 3) others[count++] = q;
    std::sort(others.begin(), others.end());
    faces.push_back({others[0], others[1], k}), faces.push_back({others[0], others[2], k});
    faces.push_back({others[1], others[2], k});
  }
  std::sort(faces.begin(), faces.end(), [](const StarFace& f, const StarFace& g) {
    return std::tie(f.a, f.b, f.element) < std::tie(g.a, g.b, g.element);
  });
  return faces;
}

/// Component of the star each of its elements is in: faces join them.
std::vector<std::uint32_t> components_of_star(std::size_t elements, const std::vector<StarFace>& faces)
{
  mesh::BasicUnionFind<std::uint32_t> joined(elements);
  for (std::size_t k = 1; k < faces.size(); ++k)
    if (faces[k].same(faces[k - 1])) joined.unite(faces[k].element, faces[k - 1].element);
  std::vector<std::uint32_t> component(elements);
  for (std::uint32_t i = 0; i < component.size(); ++i) component[i] = joined.find(i);
  return component;
}

/// Elements that are at fault together: which of them are named is settled by their places in the file.
struct Suspects {
  mesh::Fault fault{};
  std::size_t innocent = 0;  // so many of the first
  std::vector<GlobalIndex> elements;
};

void add_crowded_faces(const SlicedStars& stars, std::size_t n, const std::vector<StarFace>& faces,
                       std::vector<Suspects>& suspects)
{
  const GlobalIndex node = stars.first_node() + static_cast<GlobalIndex>(n);
  for (std::size_t first = 0, last = 0; first < faces.size(); first = last) {
    while (last < faces.size() && faces[last].same(faces[first])) ++last;
    if (last - first < 3 || node > faces[first].a) continue;  // each face once: from its smallest node
    Suspects group{mesh::Fault::crowded, 2, {}};
    for (std::size_t k = first; k < last; ++k)
      group.elements.push_back(stars.elements()[stars.around(n)[faces[k].element]].id);
    suspects.push_back(std::move(group));
  }
}

void add_repeated_elements(const SlicedStars& stars, std::size_t n, std::vector<Suspects>& suspects)
{
  const GlobalIndex node = stars.first_node() + static_cast<GlobalIndex>(n);
  std::vector<std::pair<std::array<GlobalIndex, 4>, GlobalIndex>> keys;
  for (const std::uint32_t e : stars.around(n)) {
    auto nodes = stars.elements()[e].nodes;
    std::sort(nodes.begin(), nodes.end());
    if (nodes[0] == node) keys.emplace_back(nodes, stars.elements()[e].id);
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t first = 0, last = 0; first < keys.size(); first = last) {
    while (last < keys.size() && keys[last].first == keys[first].first) ++last;
    if (last - first < 2) continue;
    Suspects group{mesh::Fault::repeated, 1, {}};
    for (std::size_t k = first; k < last; ++k) group.elements.push_back(keys[k].second);
    suspects.push_back(std::move(group));
  }
}

/// Elements by number, asked of whoever has them.
class FetchedElements {
public:
  FetchedElements(const Comm& comm, const SlicedMesh& mesh, std::vector<GlobalIndex> numbers)
    : numbers_(sorted_unique(std::move(numbers))),
      elements_(fetch<SlicedElement>(comm, mesh.element_blocks, mesh.elements, numbers_))
  {
  }
  const SlicedElement& operator[](GlobalIndex number) const { return elements_[place_of(numbers_, number)]; }

private:
  std::vector<GlobalIndex> numbers_;
  std::vector<SlicedElement> elements_;
};

void sort_by_file(std::vector<GlobalIndex>& numbers, const FetchedElements& elements)
{
  std::sort(numbers.begin(), numbers.end(),
            [&](GlobalIndex a, GlobalIndex b) { return elements[a].position < elements[b].position; });
}

struct Culprit {
  GlobalIndex element = 0;
  mesh::Fault fault{};
  auto operator<=>(const Culprit&) const = default;
};

/// Collective. One finding for an element and fault, whoever came upon it.
std::vector<Finding> findings_of(const Comm& comm, const SlicedMesh& mesh, const std::vector<Culprit>& culprits)
{
  std::vector<Culprit> told;
  tell_rows<Culprit>(
      comm, mesh.element_blocks, culprits, [](const Culprit& c) { return c.element; },
      [&](const Culprit& c) { told.push_back(c); });
  sort_unique(told);
  std::vector<Finding> findings;
  for (const Culprit& c : told) {
    const SlicedElement& e =
        mesh.elements[static_cast<std::size_t>(c.element - mesh.element_blocks.begin(comm.rank()))];
    findings.push_back({c.fault, static_cast<std::int32_t>(body_of(e.position)), e.position, e.label});
  }
  return findings;
}

HingedNode hinged_node(const SlicedStars& stars, std::size_t n, const FetchedElements& elements)
{
  const auto component = components_of_star(stars.around(n).size(), faces_around(stars, n));
  std::map<std::uint32_t, std::vector<GlobalIndex>> components;
  for (std::size_t k = 0; k < component.size(); ++k)
    components[component[k]].push_back(stars.elements()[stars.around(n)[k]].id);
  HingedNode node{n, {}, {}};
  for (auto& [first, members] : components) {
    sort_by_file(members, elements);
    node.components.push_back(std::move(members));
  }
  std::sort(node.components.begin(), node.components.end(),
            [&](const auto& a, const auto& b) { return elements[a.front()].position < elements[b.front()].position; });
  node.first_of_component.reserve(node.components.size());
  for (const auto& members : node.components) node.first_of_component.push_back(elements[members.front()]);
  return node;
}

}  // namespace

Topology check_topology(const Comm& comm, const SlicedMesh& mesh, const SlicedStars& stars)
{
  std::vector<Suspects> suspects;
  std::vector<std::size_t> hinged;
  for (std::size_t n = 0; n < stars.num_nodes(); ++n) {
    const auto faces = faces_around(stars, n);
    add_crowded_faces(stars, n, faces, suspects);
    add_repeated_elements(stars, n, suspects);
    const auto component = components_of_star(stars.around(n).size(), faces);
    if (std::any_of(component.begin(), component.end(), [](std::uint32_t p) { return p != 0; })) hinged.push_back(n);
  }
  Topology topology;
  if (comm.max(static_cast<std::int64_t>(suspects.size() + hinged.size())) == 0) return topology;

  std::vector<GlobalIndex> involved;
  for (const Suspects& group : suspects) involved.insert(involved.end(), group.elements.begin(), group.elements.end());
  for (const std::size_t n : hinged)
    for (const std::uint32_t e : stars.around(n)) involved.push_back(stars.elements()[e].id);
  const FetchedElements elements(comm, mesh, std::move(involved));
  std::vector<Culprit> culprits;
  for (Suspects& group : suspects) {
    sort_by_file(group.elements, elements);
    for (std::size_t k = group.innocent; k < group.elements.size(); ++k)
      culprits.push_back({group.elements[k], group.fault});
  }
  topology.findings = findings_of(comm, mesh, culprits);
  for (const std::size_t n : hinged) topology.hinged.push_back(hinged_node(stars, n, elements));
  return topology;
}

}  // namespace sunder::partition
