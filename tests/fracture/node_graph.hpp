#pragma once
/// The whole mesh as a graph of its nodes, by ids: what the steps of a crack on several ranks are compared with.

#include "mesh/tet_mesh.hpp"
#include "support/all_gather.hpp"

#include <map>
#include <set>

namespace sunder::test {

/// Each node with those it shares an element with, itself among them.
using NodeGraph = std::map<NodeId, std::set<NodeId>>;

/// Of a mesh that one rank holds whole.
inline NodeGraph graph_of(const mesh::TetMesh& whole)
{
  NodeGraph graph;
  for (LocalIndex e = 0; e < whole.num_slots(); ++e) {
    if (!whole.alive(e)) continue;
    for (const LocalIndex a : whole.tet(e))
      for (const LocalIndex b : whole.tet(e)) graph[whole.node(a).id].insert(whole.node(b).id);
  }
  return graph;
}

/// The nodes at most so many edges from a node.
inline std::set<NodeId> within(const NodeGraph& graph, NodeId id, int edges)
{
  std::set<NodeId> reached{id};
  for (int k = 0; k < edges; ++k)
    for (const NodeId q : std::set<NodeId>(reached)) reached.insert(graph.at(q).begin(), graph.at(q).end());
  return reached;
}

/// Collective.
inline std::map<NodeId, Rank> owners_of(const Comm& comm, const mesh::TetMesh& mesh)
{
  struct Owned {
    NodeId id;
    std::int64_t rank;
  };
  std::vector<Owned> mine;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) mine.push_back({mesh.node(n).id, comm.rank()});
  std::map<NodeId, Rank> owners;
  for (const Owned& o : all_gather(comm, mine)) owners[o.id] = static_cast<Rank>(o.rank);
  return owners;
}

/// Does the rank own one of these nodes?
inline bool owns_any(const std::map<NodeId, Rank>& owners, const std::set<NodeId>& nodes, Rank rank)
{
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return owners.at(id) == rank; });
}

}  // namespace sunder::test
