#include "fracture/choose.hpp"

#include <algorithm>

namespace sunder::fracture {

/// Their neighbours hear of the keys of the nodes in `raised`, which may repeat. Returns the nodes whose key has become
/// a greater one, each once. What is found for owned nodes is right, for their stars are whole.
std::vector<LocalIndex> Choice::raise_around(const mesh::TetMesh& mesh, const std::vector<LocalIndex>& raised)
{
  std::vector<ChoiceKey> heard;
  heard.reserve(raised.size());
  for (const LocalIndex n : raised) heard.push_back(keys_[static_cast<std::size_t>(n)]);
  raised_.clear();
  for (std::size_t i = 0; i < raised.size(); ++i)
    for (const LocalIndex e : mesh.star(raised[i]))
      for (const LocalIndex q : mesh.tet(e)) {
        ChoiceKey& key = keys_[static_cast<std::size_t>(q)];
        if (!(key < heard[i])) continue;
        if (key.ratio == 0) with_key_.push_back(q);
        key = heard[i];
        raised_.insert(q);
      }
  return {raised_.nodes().begin(), raised_.nodes().end()};
}

bool Choice::greatest_around(const mesh::TetMesh& mesh, LocalIndex n, const ChoiceKey& key) const
{
  for (const LocalIndex e : mesh.star(n))
    for (const LocalIndex q : mesh.tet(e))
      if (key < keys_[static_cast<std::size_t>(q)]) return false;
  return true;
}

std::vector<LocalIndex> Choice::choose(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                       const FailingNodes& failing)
{
  keys_.resize(static_cast<std::size_t>(mesh.num_nodes())), raised_.start(mesh.num_nodes());
  std::vector<LocalIndex> raised;
  for (const auto& [n, node] : failing.nodes()) {
    keys_[static_cast<std::size_t>(n)] = {node.ratio, mesh.node(n).id};
    raised.push_back(n);
  }
  with_key_ = raised;
  const auto tell_ghosts = [&] {
    const std::vector<LocalIndex> here = raised;
    halo.owners_to_ghosts(mesh, std::span(keys_), here,
                          [&](LocalIndex ghost) { with_key_.push_back(ghost), raised.push_back(ghost); });
  };
  // Two edges by telling the neighbours, the third by asking them: few nodes fail, many are two edges from one.
  constexpr int edges_told = 2;
  for (int ring = 0; ring < edges_told; ++ring) {
    tell_ghosts();
    raised = raise_around(mesh, raised);
  }
  tell_ghosts();
  std::vector<LocalIndex> chosen;
  for (const auto& [n, node] : failing.nodes())
    if (greatest_around(mesh, n, {node.ratio, mesh.node(n).id})) chosen.push_back(n);
  for (const LocalIndex n : with_key_) keys_[static_cast<std::size_t>(n)] = {};
  std::sort(chosen.begin(), chosen.end(),
            [&mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
  return chosen;
}

}  // namespace sunder::fracture
