#include "partition/across_ranks/dense_numbers.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"

#include <algorithm>
#include <utility>

namespace sunder::partition {
namespace {

struct WantedId {
  NodeId key;
  void combine(const WantedId&) {}
};

/// The ids with the smallest hashes. They are as good as a random sample, and do not depend on which rank has which
/// ids.
void keep_sample(std::vector<NodeId>& ids, std::size_t most)
{
  std::sort(ids.begin(), ids.end(),
            [](NodeId a, NodeId b) { return std::pair(mix(a.low), a) < std::pair(mix(b.low), b); });
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  ids.resize(std::min(ids.size(), most));
}

/// Collective on comm. The sample of all ids, ascending. An id may arrive twice on the way, which does no harm.
std::vector<NodeId> shared_sample(const Comm& comm, std::span<const NodeId> ids, std::size_t most)
{
  std::vector<NodeId> sample(ids.begin(), ids.end());
  keep_sample(sample, most);
  for (std::int64_t distance = 1; distance < comm.size(); distance *= 2) {
    Bytes out;
    put(out, sample);
    const Bytes message = shift(comm, static_cast<Rank>(distance), out);
    const auto more = ByteReader(message).get_vector<NodeId>();
    sample.insert(sample.end(), more.begin(), more.end());
    keep_sample(sample, most);
  }
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace

std::vector<std::int64_t> dense_numbers(const Comm& comm, std::span<const NodeId> ids, std::size_t ranges)
{
  SUNDER_ASSERT(ranges > 0);
  const std::vector<NodeId> bounds = shared_sample(comm, ids, ranges - 1);
  const auto home = [&](NodeId id) {
    const auto range = std::upper_bound(bounds.begin(), bounds.end(), id) - bounds.begin();
    return static_cast<Rank>(range * comm.size() / (static_cast<std::int64_t>(bounds.size()) + 1));
  };
  std::vector<WantedId> mine;
  for (const NodeId id : ids) mine.push_back({id});
  const CombiningExchange<WantedId, std::int64_t> exchange(comm, std::move(mine), home);
  // Ranges ascend with ranks, and ids within a range.
  std::vector<std::int64_t> numbers(exchange.at_home().size());
  std::int64_t next = comm.sum_before(static_cast<std::int64_t>(numbers.size()));
  for (std::int64_t& number : numbers) number = next++;
  const auto known = exchange.answer(numbers);
  std::vector<std::int64_t> result;
  for (const NodeId id : ids) result.push_back(known.at(id));
  return result;
}

}  // namespace sunder::partition
