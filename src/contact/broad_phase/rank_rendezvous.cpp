#include "contact/broad_phase/rank_rendezvous.hpp"

#include "contact/broad_phase/cells.hpp"
#include "core/bytes.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace sunder::contact {
namespace {

/// A box in a message.
struct Extent {
  std::array<double, 6> bound;
};

Extent packed(const geometry::Box& b)
{
  return {{b.low.x(), b.low.y(), b.low.z(), b.high.x(), b.high.y(), b.high.z()}};
}

geometry::Box unpacked(const Extent& e)
{
  return {{e.bound[0], e.bound[1], e.bound[2]}, {e.bound[3], e.bound[4], e.bound[5]}};
}

Rank rank_of(const Cell& cell, const Comm& comm)
{
  return static_cast<Rank>(block_hash(cell) % static_cast<std::uint64_t>(comm.size()));
}

/// A box in a cell for which this rank is the meeting point.
struct Registered {
  Cell cell;
  bool at_home;  // the cell is of the box's own level
  Rank rank;
  geometry::Box box;
};

/// Collective. All boxes in cells for which this rank is the meeting point, cell by cell, those at home first. A box is
/// sent to a rank once; the rank computes its cells again.
std::vector<Registered> gather_registrations(const Comm& comm, const Levels& levels,
                                             std::span<const geometry::Box> mine)
{
  std::map<Rank, Bytes> to;
  std::vector<Rank> ranks;
  for (const geometry::Box& b : mine) {
    ranks.clear();
    levels.each_cell(b, [&](const Cell& cell, bool) { ranks.push_back(rank_of(cell, comm)); });
    sort_unique(ranks);
    for (const Rank r : ranks) put(to[r], packed(b));
  }
  std::vector<Registered> all;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) {
      const geometry::Box box = unpacked(in.get<Extent>());
      levels.each_cell(box, [&](const Cell& cell, bool at_home) {
        if (rank_of(cell, comm) == comm.rank()) all.push_back({cell, at_home, message.peer, box});
      });
    }
  std::stable_sort(all.begin(), all.end(), [](const Registered& a, const Registered& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.at_home > b.at_home;
  });
  return all;
}

/// Two boxes may meet in several cells. Only the cell with the low corner of their intersection reports them.
bool meet_in(const Cell& cell, const geometry::Box& a, const geometry::Box& b)
{
  return a.meets(b) && cell_at(a.low.cwiseMax(b.low), cell.level) == cell;
}

/// Messages to the ranks of each two boxes that meet: the other one's rank and box.
std::map<Rank, Bytes> introductions(const std::vector<Registered>& here)
{
  std::map<Rank, Bytes> to;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (!here[i].at_home) continue;  // two boxes that are not at home here meet at a finer level
    for (std::size_t j = i + 1; j < here.size() && here[j].cell == here[i].cell; ++j) {
      const Registered &a = here[i], &b = here[j];
      if (a.rank == b.rank || !meet_in(a.cell, a.box, b.box)) continue;
      put(to[a.rank], b.rank), put(to[a.rank], packed(b.box));
      put(to[b.rank], a.rank), put(to[b.rank], packed(a.box));
    }
  }
  return to;
}

}  // namespace

std::vector<RankBoxes> rank_rendezvous(const Comm& comm, std::span<const geometry::Box> mine)
{
  if (comm.size() == 1) return {};
  const Levels levels(comm, mine);
  std::map<Rank, std::vector<Extent>> met;
  for (const Message& message : sparse_exchange(comm, introductions(gather_registrations(comm, levels, mine))))
    for (ByteReader in(message.bytes); !in.done();) {
      const Rank rank = in.get<Rank>();
      met[rank].push_back(in.get<Extent>());
    }
  std::vector<RankBoxes> result;
  for (auto& [rank, extents] : met) {  // a box that meets several of this rank's has been told of several times
    std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.bound < b.bound; });
    extents.erase(std::unique(extents.begin(), extents.end(),
                              [](const Extent& a, const Extent& b) { return a.bound == b.bound; }),
                  extents.end());
    result.push_back({rank, {}});
    for (const Extent& e : extents) result.back().boxes.push_back(unpacked(e));
  }
  return result;
}

}  // namespace sunder::contact
