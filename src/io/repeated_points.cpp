#include "io/repeated_points.hpp"

#include "core/error.hpp"
#include "mesh/tet_mesh.hpp"

#include <algorithm>
#include <cstring>

namespace sunder::io {
namespace {

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

Rank writer(const Frame& frame, const Tet& tet)
{
  Rank lowest = frame.node_owner[at(tet[0])];
  for (const LocalIndex n : tet) lowest = std::min(lowest, frame.node_owner[at(n)]);
  return lowest;
}

std::vector<bool> corners_of_written(const Frame& frame)
{
  std::vector<bool> used(frame.node_id.size());
  for (const LocalIndex e : frame.written)
    for (const LocalIndex n : frame.tets[at(e)]) used[at(n)] = true;
  return used;
}

/// Seen from this rank: the lowest writer around each node (complete for nodes it owns), and who shares elements.
struct Writers {
  std::vector<Rank> lowest;
  std::vector<Rank> peers;
};

Writers writers_around_nodes(const Frame& frame, Rank me, Rank num_ranks)
{
  Writers result{std::vector<Rank>(frame.node_id.size(), num_ranks), {}};
  std::vector<bool> shares(static_cast<std::size_t>(num_ranks));
  for (std::size_t e = 0; e < frame.tets.size(); ++e) {
    if (frame.element_id[e] == mesh::no_element) continue;
    const Rank w = writer(frame, frame.tets[e]);
    for (const LocalIndex n : frame.tets[e]) {
      result.lowest[at(n)] = std::min(result.lowest[at(n)], w);
      shares[static_cast<std::size_t>(frame.node_owner[at(n)])] = true;
    }
  }
  for (Rank r = 0; r < num_ranks; ++r)
    if (r != me && shares[static_cast<std::size_t>(r)]) result.peers.push_back(r);
  return result;
}

void append(std::vector<std::byte>& message, NodeId id)
{
  const std::size_t end = message.size();
  message.resize(end + sizeof id);
  std::memcpy(message.data() + end, &id, sizeof id);
}

/// Ids of nodes of other ranks whose unmarked copy this rank shows, ascending.
std::vector<NodeId> handed_to_us(const Comm& comm, const Frame& frame, const std::vector<bool>& used)
{
  const Writers writers = writers_around_nodes(frame, comm.rank(), comm.size());
  std::vector<std::vector<std::byte>> out(writers.peers.size());
  for (std::size_t n = 0; n < used.size(); ++n) {
    const bool orphan = frame.node_owner[n] == comm.rank() && !used[n] && writers.lowest[n] < comm.size();
    if (!orphan) continue;
    const auto peer = std::lower_bound(writers.peers.begin(), writers.peers.end(), writers.lowest[n]);
    SUNDER_ASSERT(peer != writers.peers.end() && *peer == writers.lowest[n]);
    append(out[static_cast<std::size_t>(peer - writers.peers.begin())], frame.node_id[n]);
  }
  std::vector<NodeId> ids;
  for (const auto& message : exchange(comm, writers.peers, out)) {
    const std::size_t first = ids.size();
    ids.resize(first + message.size() / sizeof(NodeId));
    if (!message.empty()) std::memcpy(ids.data() + first, message.data(), message.size());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

PiecePoints piece_points(const Comm& comm, const Frame& frame)
{
  const std::vector<bool> used = corners_of_written(frame);
  const std::vector<NodeId> ours = handed_to_us(comm, frame, used);
  PiecePoints points;
  for (std::size_t n = 0; n < used.size(); ++n) {
    if (!used[n]) continue;
    const bool first =
        frame.node_owner[n] == comm.rank() || std::binary_search(ours.begin(), ours.end(), frame.node_id[n]);
    points.nodes.push_back(static_cast<LocalIndex>(n));
    points.repeated.push_back(first ? 0 : 1);
  }
  return points;
}

}  // namespace sunder::io
