#include "simulation/diagnostics/fragments.hpp"

#include "core/sort_unique.hpp"
#include "mesh/union_find.hpp"
#include "partition/connected_components.hpp"
#include "partition/dense_numbers.hpp"

#include <algorithm>

namespace sunder::simulation {
namespace {

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

/// Nodes that held elements join.
mesh::UnionFind joined_nodes(const mesh::TetMesh& mesh)
{
  mesh::UnionFind sets(at(mesh.num_nodes()));
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Tet& tet = mesh.tet(e);
    for (std::size_t a = 1; a < 4; ++a) sets.unite(tet[0], tet[a]);
  }
  return sets;
}

/// Parts of what this rank holds, each with the smallest node id seen in it.
void find_parts(const mesh::TetMesh& mesh, Fragments& fragments)
{
  mesh::UnionFind sets = joined_nodes(mesh);
  fragments.part.assign(at(mesh.num_nodes()), -1);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (mesh.star(n).empty()) continue;
    const LocalIndex root = sets.find(n);  // the first node of its part
    if (root == n) {
      fragments.part[at(n)] = static_cast<LocalIndex>(fragments.least.size());
      fragments.least.push_back(mesh.node(n).id);
    }
    const LocalIndex part = fragments.part[at(root)];
    NodeId& least = fragments.least[at(part)];
    least = std::min(least, mesh.node(n).id);
    fragments.part[at(n)] = part;
  }
}

/// A ghost is in a part here and in one on its owner, which has every element around it: these two are one piece.
struct Links {
  std::vector<std::pair<NodeId, NodeId>> edges;  // smallest ids of two parts
  std::vector<bool> beyond;                      // (parts) does it reach another rank
};

/// Collective on neighbours.
Links find_links(const Fragments& fragments, const partition::Halo& halo)
{
  Links links;
  links.beyond.resize(fragments.least.size());
  std::vector<NodeId> least(fragments.part.size());
  for (const partition::Neighbour& neighbour : halo.neighbours())
    for (const LocalIndex n : neighbour.mirrors) {
      const LocalIndex part = fragments.part[at(n)];
      least[at(n)] = fragments.least[at(part)], links.beyond[at(part)] = true;
    }
  halo.owners_to_ghosts(std::span<NodeId>(least));
  for (const partition::Neighbour& neighbour : halo.neighbours())
    for (const LocalIndex n : neighbour.ghosts) {
      const LocalIndex part = fragments.part[at(n)];
      links.edges.emplace_back(fragments.least[at(part)], least[at(n)]);
      links.beyond[at(part)] = true;
    }
  sort_unique(links.edges);
  return links;
}

}  // namespace

Fragments find_fragments(const element::Model& model, const partition::Halo& halo)
{
  Fragments fragments;
  find_parts(model.mesh, fragments);
  const Links links = find_links(fragments, halo);
  // Two parts with the same smallest id share that node: one vertex for both is right.
  std::vector<NodeId> beyond;
  for (std::size_t part = 0; part < fragments.least.size(); ++part)
    if (links.beyond[part]) beyond.push_back(fragments.least[part]);
  const partition::Components components = partition::connected_components(halo.comm(), beyond, links.edges);
  auto least = components.least.begin();
  std::int64_t mine = components.counted;
  for (std::size_t part = 0; part < fragments.least.size(); ++part)
    if (links.beyond[part])
      fragments.least[part] = *least++;
    else
      ++mine;
  fragments.count = halo.comm().sum(mine), fragments.rounds = components.rounds;
  return fragments;
}

std::vector<std::int64_t> fragment_of_nodes(const Comm& comm, const Fragments& fragments)
{
  std::vector<NodeId> pieces = fragments.least;
  sort_unique(pieces);
  const std::vector<std::int64_t> numbers = partition::dense_numbers(comm, pieces);
  std::vector<std::int64_t> of_part;
  for (const NodeId least : fragments.least)
    of_part.push_back(
        numbers[static_cast<std::size_t>(std::lower_bound(pieces.begin(), pieces.end(), least) - pieces.begin())]);
  std::vector<std::int64_t> of_node;
  of_node.reserve(fragments.part.size());
  for (const LocalIndex part : fragments.part) of_node.push_back(part < 0 ? -1 : of_part[at(part)]);
  return of_node;
}

}  // namespace sunder::simulation
