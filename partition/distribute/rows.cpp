#include "partition/distribute/rows.hpp"

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"
#include "partition/decompose/decompose_parallel.hpp"
#include "partition/decompose/weights.hpp"
#include "partition/halo/holders.hpp"
#include "partition/migration/export_lists.hpp"
#include "partition/migration/migration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sunder::partition {
namespace {

/// New owners of this rank's nodes.
std::vector<Rank> owners_of(const Comm& comm, const RowSlice& slice, const BlockDistribution& distribution)
{
  std::map<Rank, Bytes> to;
  for (std::size_t e = 0; e < slice.corners.size(); ++e) {
    const auto& tet = slice.corners[e];
    std::array<Rank, 4> readers{};
    for (std::size_t a = 0; a < 4; ++a) readers[a] = distribution.rank_of(tet[a]);
    for (const Rank r : Holders(readers)) put(to[r], tet), put(to[r], slice.elements.rows[e].level);
  }
  NodeBlock block{distribution.begin(comm.rank()), {}, {}};
  std::vector<std::uint8_t> levels;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) {
      block.tets.push_back(in.get<std::array<GlobalIndex, 4>>());
      levels.push_back(in.get<std::uint8_t>());
    }
  block.weights = node_weights(block.tets, block.first, slice.nodes.size(), levels);
  for (const NodeRecord& node : slice.nodes) block.positions.emplace_back(node.X.data());
  return decompose_blocks(comm, std::move(block));
}

/// Fills in the nodes of elements and `faces`, asked of the ranks that read them. Returns their records, ascending by
/// id.
std::vector<NodeRecord> fetch_corners(const Comm& comm, RowSlice& slice, const BlockDistribution& distribution,
                                      std::vector<MarkedFace<NodeId>>& faces)
{
  std::vector<GlobalIndex> wanted;
  for (const auto& tet : slice.corners) wanted.insert(wanted.end(), tet.begin(), tet.end());
  for (const auto& face : slice.faces) wanted.insert(wanted.end(), face.nodes.begin(), face.nodes.end());
  sort_unique(wanted);
  std::vector<NodeRecord> nodes = fetch(comm, distribution, std::span<const NodeRecord>(slice.nodes), wanted);
  const auto id_of = [&](GlobalIndex row) { return nodes[place_of(wanted, row)].id; };
  for (std::size_t e = 0; e < slice.elements.size(); ++e)
    std::transform(slice.corners[e].begin(), slice.corners[e].end(), slice.elements.rows[e].nodes.begin(), id_of);
  for (const auto& face : slice.faces) {
    faces.push_back({{}, face.marks});
    std::transform(face.nodes.begin(), face.nodes.end(), faces.back().nodes.begin(), id_of);
  }
  std::sort(nodes.begin(), nodes.end(), [](const NodeRecord& a, const NodeRecord& b) { return a.id < b.id; });
  return nodes;
}

/// Pairs of the elements of this rank's slice, ascending by element.
std::vector<PairRecord> fetch_pairs(const Comm& comm, const RowSlice& slice)
{
  const BlockDistribution distribution{slice.all_elements, comm.size()};
  std::map<Rank, Bytes> to;
  for (std::size_t k = 0; k < slice.pairs.size(); ++k) {
    Bytes& bytes = to[distribution.rank_of(slice.pair_elements[k])];
    put(bytes, slice.pair_elements[k]), put(bytes, slice.pairs[k]);
  }
  const GlobalIndex first = distribution.begin(comm.rank());
  std::vector<PairRecord> pairs;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) {
      const auto row = in.get<GlobalIndex>();
      pairs.push_back(in.get<PairRecord>());
      pairs.back().element = slice.elements.rows[static_cast<std::size_t>(row - first)].id;
    }
  std::sort(pairs.begin(), pairs.end(), [](const PairRecord& a, const PairRecord& b) { return a.element < b.element; });
  return pairs;
}

/// Collective. Links keep their nodes together: gives these the owner of the node that stands for them. Returns the
/// links of this rank's nodes.
std::vector<LinkRecord> deal_links(const Comm& comm, RowSlice& slice, const BlockDistribution& distribution)
{
  std::vector<GlobalIndex> wanted;
  for (const auto& nodes : slice.link_nodes) wanted.push_back(nodes[2]);
  sort_unique(wanted);
  std::vector<Rank> owners;
  for (const NodeRecord& node : slice.nodes) owners.push_back(node.owner);
  const std::vector<Rank> found = fetch(comm, distribution, std::span<const Rank>(owners), wanted);
  struct NewOwner {
    GlobalIndex row;
    Rank owner;
  };
  std::vector<NewOwner> told;
  std::map<Rank, std::vector<LinkRecord>> to;
  for (std::size_t k = 0; k < slice.links.size(); ++k) {
    const auto& [plus, minus, of_all] = slice.link_nodes[k];
    const Rank owner = found[place_of(wanted, of_all)];
    told.push_back({plus, owner}), told.push_back({minus, owner});
    to[owner].push_back(slice.links[k]);
  }
  const GlobalIndex first = distribution.begin(comm.rank());
  tell_rows(
      comm, distribution, std::span<const NewOwner>(told), [](const NewOwner& node) { return node.row; },
      [&](const NewOwner& node) { slice.nodes[static_cast<std::size_t>(node.row - first)].owner = node.owner; });
  return exchange_links(comm, to);
}

}  // namespace

MigrationRecords redistribute(const Comm& comm, RowSlice slice, bool keep_owners)
{
  allocation_point("rows: redistribute");
  if (comm.size() > slice.all_nodes)
    throw AgreedError(
        fmt::format("{} ranks for a mesh of {} nodes: expected at most one rank a node", comm.size(), slice.all_nodes));
  const BlockDistribution distribution{slice.all_nodes, comm.size()};
  if (!keep_owners) {
    const std::vector<Rank> owners = owners_of(comm, slice, distribution);
    for (std::size_t n = 0; n < owners.size(); ++n) slice.nodes[n].owner = owners[n];
  }
  std::vector<LinkRecord> links;
  if (comm.sum(std::ssize(slice.links)) > 0) links = deal_links(comm, slice, distribution);
  MigrationRecords mine;
  mine.nodes = fetch_corners(comm, slice, distribution, mine.faces);
  mine.pairs = fetch_pairs(comm, slice);
  mine.elements = std::move(slice.elements);
  slice = {};
  MigrationRecords held = migrate_records(comm, mine);
  held.links = std::move(links);
  return held;
}

}  // namespace sunder::partition
