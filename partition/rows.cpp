#include "partition/rows.hpp"

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "partition/decompose_parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sunder::partition {
namespace {

std::vector<Message> messages(std::map<Rank, Bytes>& to)
{
  std::vector<Message> all;
  for (auto& [rank, bytes] : to) all.push_back({rank, std::move(bytes)});
  return all;
}

/// New owners of this rank's nodes.
std::vector<Rank> owners_of(const Comm& comm, const RowShare& share, const BlockDistribution& distribution)
{
  std::map<Rank, Bytes> to;
  for (const auto& tet : share.corners) {
    std::array<Rank, 4> readers{};
    for (std::size_t a = 0; a < 4; ++a) readers[a] = distribution.rank_of(tet[a]);
    std::sort(readers.begin(), readers.end());
    for (std::size_t a = 0; a < 4; ++a)
      if (a == 0 || readers[a] != readers[a - 1]) put(to[readers[a]], tet);
  }
  NodeBlock block{distribution.begin(comm.rank()), std::vector<int>(share.nodes.size(), 0), {}};
  for (const Message& message : sparse_exchange(comm, messages(to)))
    for (ByteReader in(message.bytes); !in.done();) {
      block.tets.push_back(in.get<std::array<GlobalIndex, 4>>());
      for (const GlobalIndex q : block.tets.back())
        if (distribution.rank_of(q) == comm.rank()) ++block.weights[static_cast<std::size_t>(q - block.first)];
    }
  return decompose_blocks(comm, std::move(block));
}

/// Fills in the elements' nodes, asked of the ranks that read them. Returns their records, ascending by id.
std::vector<NodeRecord> fetch_corners(const Comm& comm, RowShare& share, const BlockDistribution& distribution)
{
  std::vector<GlobalIndex> wanted;
  for (const auto& tet : share.corners) wanted.insert(wanted.end(), tet.begin(), tet.end());
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::map<Rank, Bytes> asked, answers;
  for (const GlobalIndex row : wanted) put(asked[distribution.rank_of(row)], row);
  const GlobalIndex first = distribution.begin(comm.rank());
  for (const Message& message : sparse_exchange(comm, messages(asked)))
    for (ByteReader in(message.bytes); !in.done();)
      put(answers[message.peer], share.nodes[static_cast<std::size_t>(in.get<GlobalIndex>() - first)]);
  std::vector<NodeRecord> nodes;  // answers come by rank and each in the order asked: as wanted
  for (const Message& message : sparse_exchange(comm, messages(answers)))
    for (ByteReader in(message.bytes); !in.done();) nodes.push_back(in.get<NodeRecord>());
  for (std::size_t e = 0; e < share.elements.size(); ++e)
    for (std::size_t a = 0; a < 4; ++a) {
      const auto at = std::lower_bound(wanted.begin(), wanted.end(), share.corners[e][a]) - wanted.begin();
      share.elements[e].nodes[a] = nodes[static_cast<std::size_t>(at)].id;
    }
  std::sort(nodes.begin(), nodes.end(), [](const NodeRecord& a, const NodeRecord& b) { return a.id < b.id; });
  return nodes;
}

/// Pairs of the elements of this rank's share, ascending by element.
std::vector<PairRecord> fetch_pairs(const Comm& comm, const RowShare& share)
{
  const BlockDistribution distribution{share.all_elements, comm.size()};
  std::map<Rank, Bytes> to;
  for (std::size_t k = 0; k < share.pairs.size(); ++k) {
    Bytes& bytes = to[distribution.rank_of(share.pair_elements[k])];
    put(bytes, share.pair_elements[k]), put(bytes, share.pairs[k]);
  }
  const GlobalIndex first = distribution.begin(comm.rank());
  std::vector<PairRecord> pairs;
  for (const Message& message : sparse_exchange(comm, messages(to)))
    for (ByteReader in(message.bytes); !in.done();) {
      const auto row = in.get<GlobalIndex>();
      pairs.push_back(in.get<PairRecord>());
      pairs.back().element = share.elements[static_cast<std::size_t>(row - first)].id;
    }
  std::sort(pairs.begin(), pairs.end(), [](const PairRecord& a, const PairRecord& b) { return a.element < b.element; });
  return pairs;
}

}  // namespace

Rank BlockDistribution::rank_of(GlobalIndex row) const
{
  auto r = static_cast<Rank>(static_cast<double>(row) / static_cast<double>(rows) * ranks);
  while (r > 0 && row < begin(r)) --r;
  while (row >= begin(r + 1)) ++r;
  return r;
}

Records redistribute(const Comm& comm, RowShare share, bool keep_owners)
{
  if (comm.size() > share.all_nodes)
    throw Error(
        fmt::format("{} ranks for a mesh of {} nodes: expected at most one rank a node", comm.size(), share.all_nodes));
  const BlockDistribution distribution{share.all_nodes, comm.size()};
  if (!keep_owners) {
    const std::vector<Rank> owners = owners_of(comm, share, distribution);
    for (std::size_t n = 0; n < owners.size(); ++n) share.nodes[n].owner = owners[n];
  }
  Records mine;
  mine.nodes = fetch_corners(comm, share, distribution);
  mine.pairs = fetch_pairs(comm, share);
  mine.elements = std::move(share.elements);
  share = {};
  return deliver(comm, mine);
}

}  // namespace sunder::partition
