#include "io/repeated_points.hpp"

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "mesh/tet_mesh.hpp"

#include <algorithm>

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

/// Seen from this rank: the lowest writer around each node (complete for nodes it owns; num_ranks: no elements there).
std::vector<Rank> lowest_writers(const Frame& frame, Rank num_ranks)
{
  std::vector<Rank> lowest(frame.node_id.size(), num_ranks);
  for (std::size_t e = 0; e < frame.tets.size(); ++e) {
    if (frame.element_id[e] == mesh::no_element) continue;
    const Rank w = writer(frame, frame.tets[e]);
    for (const LocalIndex n : frame.tets[e]) lowest[at(n)] = std::min(lowest[at(n)], w);
  }
  return lowest;
}

/// The other ranks that own a corner of an element held here, ascending: they hold it too, and list this one.
std::vector<Rank> sharers(const Comm& comm, const Frame& frame, const std::vector<Rank>& lowest)
{
  std::vector<Rank> ranks;
  for (std::size_t n = 0; n < lowest.size(); ++n)
    if (frame.node_owner[n] != comm.rank() && lowest[n] < comm.size()) ranks.push_back(frame.node_owner[n]);
  sort_unique(ranks);
  return ranks;
}

/// Ids of nodes of other ranks whose unmarked copy this rank shows, ascending.
std::vector<NodeId> handed_to_us(const Comm& comm, const Frame& frame, const std::vector<bool>& used)
{
  const std::vector<Rank> lowest = lowest_writers(frame, comm.size()), peers = sharers(comm, frame, lowest);
  std::vector<Bytes> out(peers.size());
  for (std::size_t n = 0; n < used.size(); ++n) {
    const bool orphan = frame.node_owner[n] == comm.rank() && !used[n] && lowest[n] < comm.size();
    if (!orphan) continue;
    const auto peer = std::lower_bound(peers.begin(), peers.end(), lowest[n]);
    SUNDER_ASSERT(peer != peers.end() && *peer == lowest[n]);
    put(out[static_cast<std::size_t>(peer - peers.begin())], frame.node_id[n]);
  }
  std::vector<NodeId> ids;
  for (const Bytes& message : exchange(comm, peers, out))
    for (ByteReader in(message); !in.done();) ids.push_back(in.get<NodeId>());
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
