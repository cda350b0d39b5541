#include "simulation/fragments/find_fragments.hpp"

#include "core/sort_unique.hpp"
#include "mesh/union_find.hpp"
#include "partition/across_ranks/connected_components.hpp"
#include "partition/across_ranks/dense_numbers.hpp"

#include <algorithm>

namespace sunder::simulation {
namespace {

/// Nodes that held elements and links join.
mesh::UnionFind joined_nodes(const element::Model& model)
{
  const mesh::TetMesh& mesh = model.mesh;
  mesh::UnionFind sets(at(mesh.num_nodes()));
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Tet& tet = mesh.tet(e);
    for (std::size_t a = 1; a < 4; ++a) sets.unite(tet[0], tet[a]);
  }
  for (const element::ModelLink& link : model.links)
    if (link.holds) sets.unite(link.plus, link.minus);
  return sets;
}

/// Connected components of what this rank holds, each with the smallest node id seen in it.
void find_components(const element::Model& model, Fragments& fragments)
{
  const mesh::TetMesh& mesh = model.mesh;
  mesh::UnionFind sets = joined_nodes(model);
  fragments.component.assign(at(mesh.num_nodes()), -1);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (mesh.star(n).empty()) continue;
    const LocalIndex root = sets.find(n);  // the first node of its component
    if (root == n) {
      fragments.component[at(n)] = static_cast<LocalIndex>(fragments.least.size());
      fragments.least.push_back(mesh.node(n).id);
    }
    const LocalIndex component = fragments.component[at(root)];
    NodeId& least = fragments.least[at(component)];
    least = std::min(least, mesh.node(n).id);
    fragments.component[at(n)] = component;
  }
}

/// A ghost is in a component here and in one on its owner, which has every element around it: both are of one fragment.
struct AcrossRanks {
  std::vector<std::pair<NodeId, NodeId>> edges;  // smallest ids of two components
  std::vector<bool> beyond;                      // (components) does it reach another rank
};

/// Collective on neighbours.
AcrossRanks find_ghosts(const Fragments& fragments, const partition::Halo& halo)
{
  AcrossRanks across;
  across.beyond.resize(fragments.least.size());
  std::vector<NodeId> least(fragments.component.size());
  for (const partition::Neighbour& neighbour : halo.neighbours())
    for (const LocalIndex n : neighbour.mirrors) {
      const LocalIndex component = fragments.component[at(n)];
      least[at(n)] = fragments.least[at(component)], across.beyond[at(component)] = true;
    }
  halo.owners_to_ghosts(std::span<NodeId>(least));
  for (const partition::Neighbour& neighbour : halo.neighbours())
    for (const LocalIndex n : neighbour.ghosts) {
      const LocalIndex component = fragments.component[at(n)];
      across.edges.emplace_back(fragments.least[at(component)], least[at(n)]);
      across.beyond[at(component)] = true;
    }
  sort_unique(across.edges);
  return across;
}

}  // namespace

Fragments find_fragments(const element::Model& model, const partition::Halo& halo)
{
  Fragments fragments;
  find_components(model, fragments);
  const AcrossRanks across = find_ghosts(fragments, halo);
  // Two components with the same smallest id share that node: one vertex for both is right.
  std::vector<NodeId> beyond;
  for (std::size_t component = 0; component < fragments.least.size(); ++component)
    if (across.beyond[component]) beyond.push_back(fragments.least[component]);
  const partition::Components components = partition::connected_components(halo.comm(), beyond, across.edges);
  auto least = components.least.begin();
  std::int64_t mine = components.counted;
  for (std::size_t component = 0; component < fragments.least.size(); ++component)
    if (across.beyond[component])
      fragments.least[component] = *least++;
    else
      ++mine;
  fragments.count = halo.comm().sum(mine), fragments.iterations = components.iterations;
  return fragments;
}

std::vector<std::int64_t> fragment_of_nodes(const Comm& comm, const Fragments& fragments)
{
  std::vector<NodeId> ids = fragments.least;
  sort_unique(ids);
  const std::vector<std::int64_t> numbers = partition::dense_numbers(comm, ids);
  std::vector<std::int64_t> of_component;
  for (const NodeId least : fragments.least)
    of_component.push_back(
        numbers[static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), least) - ids.begin())]);
  std::vector<std::int64_t> of_node;
  of_node.reserve(fragments.component.size());
  for (const LocalIndex component : fragments.component)
    of_node.push_back(component < 0 ? -1 : of_component[at(component)]);
  return of_node;
}

}  // namespace sunder::simulation
