#include "simulation/equilibrium/node_numbering.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sunder::simulation {

NodeNumbering::NodeNumbering(const element::Model& model, const partition::Halo& halo)
{
  const mesh::TetMesh& mesh = model.mesh;
  layout_.comm = halo.comm();
  list_nodes(mesh);
  for (const LocalIndex n : nodes_) {
    const mesh::Node& node = mesh.node(n);
    layout_.ids.push_back(node.id), layout_.X.push_back(node.X);
    layout_.component.push_back(model.history[static_cast<std::size_t>(n)].fragment);
  }
  layout_.first_owned = layout_.comm.sum_before(std::int64_t{layout_.num_owned});
  std::vector<GlobalIndex> global(static_cast<std::size_t>(mesh.num_nodes()), -1);
  for (LocalIndex i = 0; i < layout_.num_owned; ++i)
    global[static_cast<std::size_t>(node(i))] = layout_.first_owned + i;
  halo.owners_to_ghosts(std::span(global));
  for (const LocalIndex n : nodes_) layout_.global.push_back(global[static_cast<std::size_t>(n)]);
  list_neighbours(halo);
  layout_.owners_to_ghosts = [this](std::span<double> values) { update_ghosts(values); };
}

void NodeNumbering::list_nodes(const mesh::TetMesh& mesh)
{
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (!mesh.star(n).empty()) nodes_.push_back(n);
  std::sort(nodes_.begin(), nodes_.end(), [&mesh](LocalIndex a, LocalIndex b) {
    return mesh.owned(a) != mesh.owned(b) ? mesh.owned(a) : mesh.node(a).id < mesh.node(b).id;
  });
  layout_.num_owned = static_cast<LocalIndex>(
      std::count_if(nodes_.begin(), nodes_.end(), [&mesh](LocalIndex n) { return mesh.owned(n); }));
  indices_.assign(static_cast<std::size_t>(mesh.num_nodes()), -1);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    indices_[static_cast<std::size_t>(nodes_[i])] = static_cast<LocalIndex>(i);
}

void NodeNumbering::list_neighbours(const partition::Halo& halo)
{
  const auto indices_of = [this](const std::vector<LocalIndex>& nodes) {
    std::vector<LocalIndex> indices(nodes.size());
    std::transform(nodes.begin(), nodes.end(), indices.begin(), [this](LocalIndex n) { return index(n); });
    return indices;
  };
  peers_.assign(halo.peers().begin(), halo.peers().end());
  for (const partition::Neighbour& neighbour : halo.neighbours())
    mirrors_.push_back(indices_of(neighbour.mirrors)), ghosts_.push_back(indices_of(neighbour.ghosts));
}

void NodeNumbering::update_ghosts(std::span<double> values) const
{
  constexpr std::size_t bytes = 3 * sizeof(double);
  std::vector<std::vector<std::byte>> out(peers_.size());
  for (std::size_t k = 0; k < peers_.size(); ++k) {
    out[k].resize(bytes * mirrors_[k].size());
    for (std::size_t i = 0; i < mirrors_[k].size(); ++i)
      std::memcpy(&out[k][bytes * i], &values[3 * static_cast<std::size_t>(mirrors_[k][i])], bytes);
  }
  const auto in = exchange(layout_.comm, peers_, out);
  for (std::size_t k = 0; k < peers_.size(); ++k)
    for (std::size_t i = 0; i < ghosts_[k].size(); ++i)
      std::memcpy(&values[3 * static_cast<std::size_t>(ghosts_[k][i])], &in[k][bytes * i], bytes);
}

}  // namespace sunder::simulation
