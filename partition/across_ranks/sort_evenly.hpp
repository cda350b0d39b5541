#pragma once
/// A sort over all ranks. Afterwards each rank has exactly an even block of the result.

#include "partition/across_ranks/fetch.hpp"

#include <array>
#include <memory>

namespace sunder::partition {

/// What values are sorted by: key, then position. No two values have the same key and position.
struct SortKey {
  std::uint64_t key = 0, position = 0;
  auto operator<=>(const SortKey&) const = default;
};

namespace sorting {

template <class T>
std::size_t below(const std::vector<T>& sorted, const SortKey& bound)
{
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), bound,
                                   [](const T& value, const SortKey& b) { return value.order() < b; });
  return static_cast<std::size_t>(at - sorted.begin());
}

/// Collective: 16 reductions. The bound below which exactly `count` values of all ranks lie. Found eight bits at a
/// time, first of the key, then of the position.
template <class T>
SortKey bound_below_which(const Comm& comm, const std::vector<T>& sorted, GlobalIndex count)
{
  SortKey bound;
  std::array<std::int64_t, 256> below_digit{};
  for (std::uint64_t SortKey::*part : {&SortKey::key, &SortKey::position})
    for (int shift = 56; shift >= 0; shift -= 8) {
      for (std::uint64_t digit = 0; digit < below_digit.size(); ++digit) {
        SortKey tried = bound;
        tried.*part |= digit << shift;
        below_digit[digit] = static_cast<std::int64_t>(below(sorted, tried));
      }
      comm.sum_in_place(below_digit);
      const auto digit = std::upper_bound(below_digit.begin(), below_digit.end(), count) - below_digit.begin() - 1;
      bound.*part |= static_cast<std::uint64_t>(digit) << shift;
    }
  return bound;
}

/// A communicator for one half of the ranks of another. Freed at the end of the scope.
class Group {
public:
  Group(const Comm& comm, bool upper)
  {
    mpi_check(MPI_Comm_split(comm.mpi(), upper ? 1 : 0, comm.rank(), &comm_), "MPI_Comm_split");
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() { MPI_Comm_free(&comm_); }
  Comm comm() const { return Comm(comm_); }

private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Collective. Sends values [0, split) of each rank to ranks [0, half), and the rest to the other ranks. Within a half,
/// ranks get even blocks. `values` shrinks as its end is sent, to save memory.
template <class T>
std::vector<T> deal(const Comm& comm, std::vector<T> values, std::size_t split, Rank half)
{
  const auto low = static_cast<GlobalIndex>(split), high = static_cast<GlobalIndex>(values.size()) - low;
  const GlobalIndex low_before = comm.sum_before(low), high_before = comm.sum_before(high);
  const BlockDistribution to_low{std::max<GlobalIndex>(1, comm.sum(low)), half},
      to_high{std::max<GlobalIndex>(1, comm.sum(high)), comm.size() - half};
  const auto receiver = [&](std::size_t k) {
    return k < split ? to_low.rank_of(low_before + static_cast<GlobalIndex>(k))
                     : half + to_high.rank_of(high_before + static_cast<GlobalIndex>(k - split));
  };
  const Rank me = comm.rank();
  const BlockDistribution& to_me = me < half ? to_low : to_high;
  const Rank place = me < half ? me : me - half;
  std::vector<T> dealt;
  dealt.reserve(static_cast<std::size_t>(to_me.begin(place + 1) - to_me.begin(place)));
  const std::size_t batches = batches_of(comm, values.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t begin = values.size() - std::min(rows_at_once, values.size());
    std::vector<Message> out;
    for (std::size_t first = begin; first < values.size();) {
      const Rank rank = receiver(first);
      std::size_t last = first;
      while (last < values.size() && receiver(last) == rank) ++last;
      out.push_back({rank, bytes_of(std::span<const T>(values).subspan(first, last - first))});
      first = last;
    }
    values.resize(begin);
    for (const Message& message : sparse_exchange(comm, out)) {
      const auto more = values_of<T>(message.bytes);
      dealt.insert(dealt.end(), more.begin(), more.end());
    }
  }
  return dealt;
}

}  // namespace sorting

/// Collective. Sorts the values of all ranks by order(), a SortKey that no two share. Returns this rank's even block
/// (BlockDistribution). Quicksort over halves of the ranks at exact bounds: a value moves once for each halving of the
/// number of ranks. Whatever the keys are, a rank has no more values at a time than its block and those it is sending.
template <class T>
std::vector<T> sort_evenly(const Comm& comm, std::vector<T> values)
{
  const auto earlier = [](const T& a, const T& b) { return a.order() < b.order(); };
  std::sort(values.begin(), values.end(), earlier);
  const BlockDistribution blocks{comm.sum(static_cast<std::int64_t>(values.size())), comm.size()};
  Rank first = 0, last = comm.size();  // of the group, as ranks of comm
  std::unique_ptr<sorting::Group> group;
  while (last - first > 1) {
    const Comm within = group ? group->comm() : comm;
    const Rank half = (last - first) / 2;
    const SortKey bound = sorting::bound_below_which(within, values, blocks.begin(first + half) - blocks.begin(first));
    const std::size_t split = sorting::below(values, bound);
    values = sorting::deal(within, std::move(values), split, half);
    std::sort(values.begin(), values.end(), earlier);
    const bool upper = within.rank() >= half;
    group = std::make_unique<sorting::Group>(within, upper);
    (upper ? first : last) = first + half;
  }
  return values;
}

}  // namespace sunder::partition
