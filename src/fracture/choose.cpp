#include "fracture/choose.hpp"

#include "core/sort_unique.hpp"

#include <algorithm>

namespace sunder::fracture {

/// Their neighbours hear of the keys of the nodes in `raised`. Returns the nodes whose key has become a greater one.
/// What is found for owned nodes is right, for their stars are whole.
std::vector<LocalIndex> Choice::raise_around(const mesh::TetMesh& mesh, const std::vector<LocalIndex>& raised)
{
  std::vector<ChoiceKey> heard;
  for (const LocalIndex n : raised) heard.push_back(keys_[static_cast<std::size_t>(n)]);
  std::vector<LocalIndex> now;
  for (std::size_t i = 0; i < raised.size(); ++i)
    for (const LocalIndex e : mesh.star(raised[i]))
      for (const LocalIndex q : mesh.tet(e)) {
        ChoiceKey& key = keys_[static_cast<std::size_t>(q)];
        if (!(key < heard[i])) continue;
        if (key.ratio == 0) with_key_.push_back(q);
        key = heard[i];
        now.push_back(q);
      }
  sort_unique(now);
  return now;
}

std::vector<LocalIndex> Choice::choose(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                       const FailingNodes& failing)
{
  keys_.resize(static_cast<std::size_t>(mesh.num_nodes()));
  std::vector<LocalIndex> raised;
  for (const auto& [n, node] : failing.nodes()) {
    keys_[static_cast<std::size_t>(n)] = {node.ratio, mesh.node(n).id};
    raised.push_back(n);
  }
  with_key_ = raised;
  constexpr int edges_between_events = 3;
  for (int ring = 0; ring < edges_between_events; ++ring) {
    std::vector<LocalIndex> known = raised;
    halo.owners_to_ghosts(mesh, std::span(keys_), raised,
                          [&](LocalIndex ghost) { with_key_.push_back(ghost), known.push_back(ghost); });
    sort_unique(known);
    raised = raise_around(mesh, known);
  }
  std::vector<LocalIndex> chosen;
  for (const auto& [n, node] : failing.nodes())
    if (keys_[static_cast<std::size_t>(n)] == ChoiceKey{node.ratio, mesh.node(n).id}) chosen.push_back(n);
  for (const LocalIndex n : with_key_) keys_[static_cast<std::size_t>(n)] = {};
  std::sort(chosen.begin(), chosen.end(),
            [&mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
  return chosen;
}

}  // namespace sunder::fracture
