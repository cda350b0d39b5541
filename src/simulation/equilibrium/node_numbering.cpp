#include "simulation/equilibrium/node_numbering.hpp"

#include "core/bytes.hpp"
#include "core/sort_unique.hpp"

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
  ranks_.assign(halo.peers().begin(), halo.peers().end());
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    const partition::Neighbour& neighbour = halo.neighbours()[k];
    neighbours_[ranks_[k]] = {indices_of(neighbour.mirrors), indices_of(neighbour.ghosts)};
  }
  peers_ = neighbours_;
}

void NodeNumbering::update_ghosts(std::span<double> values) const
{
  constexpr std::size_t bytes = 3 * sizeof(double);
  std::vector<std::vector<std::byte>> out;
  for (const auto& [rank, peer] : peers_) {
    std::vector<std::byte>& to = out.emplace_back(bytes * peer.mirrors.size());
    for (std::size_t i = 0; i < peer.mirrors.size(); ++i)
      std::memcpy(&to[bytes * i], &values[3 * static_cast<std::size_t>(peer.mirrors[i])], bytes);
  }
  const auto in = exchange(layout_.comm, ranks_, out);
  std::size_t k = 0;
  for (const auto& [rank, peer] : peers_) {
    const std::vector<std::byte>& from = in[k++];
    for (std::size_t i = 0; i < peer.ghosts.size(); ++i)
      std::memcpy(&values[3 * static_cast<std::size_t>(peer.ghosts[i])], &from[bytes * i], bytes);
  }
}

void NodeNumbering::set_guests(const element::Model& model, std::vector<Guest> guests)
{
  sort_unique(guests);
  guests_.clear();
  peers_ = neighbours_;
  layout_.ids.resize(nodes_.size());
  for (const Guest& guest : guests) {
    const auto index = static_cast<LocalIndex>(layout_.ids.size());
    guests_[guest.id] = index, layout_.ids.push_back(guest.id);
    peers_[guest.owner].ghosts.push_back(index);
  }
  invite(model.mesh, guests);
  ranks_.clear();
  for (const auto& [rank, peer] : peers_) ranks_.push_back(rank);
  describe_guests();
}

/// Owners learn who their nodes are guests of.
void NodeNumbering::invite(const mesh::TetMesh& mesh, std::span<const Guest> guests)
{
  std::map<Rank, std::vector<std::byte>> out;
  for (const Guest& guest : guests) put(out[guest.owner], guest.id);
  for (const Message& message : sparse_exchange(layout_.comm, std::move(out)))
    for (ByteReader in(message.bytes); !in.done();)
      peers_[message.peer].mirrors.push_back(index(*mesh.find(in.get<NodeId>())));
}

/// What solvers know of guests, from their owners.
void NodeNumbering::describe_guests()
{
  const std::size_t held = nodes_.size(), all = layout_.ids.size();
  layout_.X.resize(all), layout_.global.resize(all), layout_.component.resize(all);
  std::vector<double> X(3 * all), numbers(3 * all);
  for (std::size_t i = 0; i < held; ++i) {
    Vec3::Map(&X[3 * i]) = layout_.X[i];
    numbers[3 * i] = static_cast<double>(layout_.global[i]);
    numbers[3 * i + 1] = static_cast<double>(layout_.component[i]);
  }
  update_ghosts(X), update_ghosts(numbers);
  for (std::size_t i = held; i < all; ++i) {
    layout_.X[i] = Vec3::Map(&X[3 * i]);
    layout_.global[i] = static_cast<GlobalIndex>(numbers[3 * i]);
    layout_.component[i] = static_cast<std::int64_t>(numbers[3 * i + 1]);
  }
}

}  // namespace sunder::simulation
