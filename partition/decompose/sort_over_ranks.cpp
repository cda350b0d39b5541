#include "partition/decompose/curve_partition.hpp"

#include "core/blocking.hpp"
#include "core/tags.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace sunder::partition {
namespace {

constexpr std::size_t at_once = 1 << 22;  // nodes a message: what MPI can count, many times over

bool before(const CurveNode& a, const CurveNode& b)
{
  return std::tie(a.key, a.home, a.row) < std::tie(b.key, b.home, b.row);
}

/// A filler that sorts behind every node.
constexpr CurveNode filler{std::numeric_limits<std::uint64_t>::max(), 0, std::numeric_limits<Rank>::max(), 0};

/// Collective on the two.
std::vector<CurveNode> swapped(const Comm& comm, std::span<const CurveNode> mine, Rank peer)
{
  std::vector<CurveNode> theirs(mine.size());
  for (std::size_t k = 0; k < mine.size(); k += at_once) {
    const int bytes = static_cast<int>(std::min(at_once, mine.size() - k) * sizeof(CurveNode));
    blocking::swap(mine.data() + k, theirs.data() + k, bytes, MPI_BYTE, peer, tags::sort, comm.mpi());
  }
  return theirs;
}

/// Collective on two ranks with sorted blocks of the same size. The lower rank keeps the first half of all, the other
/// the rest.
void merge_and_split(const Comm& comm, std::vector<CurveNode>& mine, Rank peer)
{
  const bool lower = comm.rank() < peer;
  const CurveNode end = lower ? mine.back() : mine.front(), their_end = swapped(comm, {&end, 1}, peer).front();
  if (lower ? !before(their_end, end) : !before(end, their_end)) return;  // in order already
  const std::vector<CurveNode> theirs = swapped(comm, mine, peer);
  std::vector<CurveNode> kept(mine.size());
  if (lower) {
    auto a = mine.begin();
    auto b = theirs.begin();
    for (CurveNode& node : kept) node = before(*b, *a) ? *b++ : *a++;
  } else {
    auto a = mine.rbegin();
    auto b = theirs.rbegin();
    for (auto node = kept.rbegin(); node != kept.rend(); ++node) *node = before(*a, *b) ? *b++ : *a++;
  }
  mine = std::move(kept);
}

}  // namespace

std::vector<CurveNode> sorted_over_ranks(const Comm& comm, std::vector<CurveNode> nodes, std::size_t block)
{
  std::sort(nodes.begin(), nodes.end(), before);
  if (block == 0) return nodes;
  nodes.resize(block, filler);  // equal blocks, or the network would not sort
  const std::int64_t ranks = comm.size(), me = comm.rank();
  std::int64_t half = 1;  // of the least power of two that is no less than the number of ranks
  while (2 * half < ranks) half *= 2;
  for (std::int64_t p = half; p > 0; p /= 2) {
    std::int64_t q = half, r = 0, d = p;
    for (;;) {
      if (me + d < ranks && (me & p) == r) merge_and_split(comm, nodes, static_cast<Rank>(me + d));
      if (me - d >= 0 && ((me - d) & p) == r) merge_and_split(comm, nodes, static_cast<Rank>(me - d));
      if (q == p) break;
      d = q - p, q /= 2, r = p;
    }
  }
  while (!nodes.empty() && nodes.back().home == filler.home) nodes.pop_back();
  return nodes;
}

}  // namespace sunder::partition
