#include "fracture/choose.hpp"

#include <algorithm>

namespace sunder::fracture {
namespace {

struct Key {
  double ratio = 0;
  NodeId id = 0;
  friend bool operator<(const Key& a, const Key& b) { return a.ratio != b.ratio ? a.ratio < b.ratio : a.id < b.id; }
  friend bool operator==(const Key& a, const Key& b) = default;
};

/// The greatest key among each node and its neighbours; right for owned nodes, whose stars are whole.
std::vector<Key> one_ring_maximum(const mesh::TetMesh& mesh, const std::vector<Key>& keys)
{
  std::vector<Key> maximum = keys;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const Key& key = keys[static_cast<std::size_t>(n)];
    if (key.ratio == 0) continue;
    for (const LocalIndex e : mesh.star(n))
      for (const LocalIndex q : mesh.tet(e)) {
        Key& m = maximum[static_cast<std::size_t>(q)];
        m = std::max(m, key);
      }
  }
  return maximum;
}

}  // namespace

std::vector<LocalIndex> choose(const mesh::TetMesh& mesh, const partition::Halo& halo, const FailingNodes& failing)
{
  std::vector<Key> keys(static_cast<std::size_t>(mesh.num_nodes()));
  for (const auto& [n, node] : failing.nodes()) keys[static_cast<std::size_t>(n)] = {node.ratio, mesh.node(n).id};
  constexpr int edges_between_events = 3;
  for (int ring = 0; ring < edges_between_events; ++ring) {
    halo.owners_to_ghosts(std::span<Key>(keys));
    keys = one_ring_maximum(mesh, keys);
  }
  std::vector<LocalIndex> chosen;
  for (const auto& [n, node] : failing.nodes())
    if (keys[static_cast<std::size_t>(n)] == Key{node.ratio, mesh.node(n).id}) chosen.push_back(n);
  std::sort(chosen.begin(), chosen.end(),
            [&mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
  return chosen;
}

}  // namespace sunder::fracture
