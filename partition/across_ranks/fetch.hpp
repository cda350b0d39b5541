#pragma once
/// A table that all ranks hold together, each an even block of its rows: reading rows by number, and sending values to
/// rows.

#include "core/bytes.hpp"
#include "core/comm.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/block_distribution.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <vector>

namespace sunder::partition {

/// Number of rows that a rank handles at a time, so that messages stay far below what MPI's 32-bit counts can name.
inline constexpr std::size_t rows_at_once = 1 << 18;

/// Collective: one reduction. Number of batches until every rank has handled all of its rows.
inline std::size_t batches_of(const Comm& comm, std::size_t mine)
{
  return static_cast<std::size_t>(comm.max(static_cast<std::int64_t>((mine + rows_at_once - 1) / rows_at_once)));
}

/// Local. Values as the bytes of a message, and back.
template <class T>
requires std::is_trivially_destructible_v<T> Bytes bytes_of(std::span<const T> values)
{
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  return {first, first + values.size_bytes()};
}
template <class T>
requires std::is_trivially_destructible_v<T> std::vector<T> values_of(const Bytes& bytes)
{
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

/// Local. Calls found(rank, first, last) for each rank that has some of `rows` (ascending): rows[first] to rows[last -
/// 1] are in its block.
template <class Found>
void each_holder(const BlockDistribution& blocks, std::span<const GlobalIndex> rows, Found&& found)
{
  for (std::size_t first = 0; first < rows.size();) {
    const Rank rank = blocks.rank_of(rows[first]);
    const auto end =
        std::lower_bound(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), blocks.begin(rank + 1));
    const auto last = static_cast<std::size_t>(end - rows.begin());
    found(rank, first, last);
    first = last;
  }
}

/// Collective: two sparse exchanges. Returns the rows `wanted` (ascending, each once) of the table, in that order.
/// mine: this rank's block. Calls seen(row) for each row of this rank's block that a rank wants.
template <class T, class Seen>
std::vector<T> fetch(const Comm& comm, const BlockDistribution& blocks, std::span<const T> mine,
                     std::span<const GlobalIndex> wanted, Seen&& seen)
{
  const GlobalIndex begin = blocks.begin(comm.rank());
  std::vector<Message> asked;
  each_holder(blocks, wanted, [&](Rank rank, std::size_t first, std::size_t last) {
    asked.push_back({rank, bytes_of(wanted.subspan(first, last - first))});
  });
  std::vector<Message> answers;
  for (Message& question : sparse_exchange(comm, asked)) {
    std::vector<T> rows;
    for (const GlobalIndex row : values_of<GlobalIndex>(question.bytes)) {
      rows.push_back(mine[static_cast<std::size_t>(row - begin)]);
      seen(row);
    }
    question.bytes = {};
    answers.push_back({question.peer, bytes_of(std::span<const T>(rows))});
  }
  asked = {};
  std::vector<T> values;  // answers come by rank and each in the order asked: as wanted
  values.reserve(wanted.size());
  for (Message& answer : sparse_exchange(comm, answers)) {
    const auto rows = values_of<T>(answer.bytes);
    answer.bytes = {};
    values.insert(values.end(), rows.begin(), rows.end());
  }
  return values;
}
template <class T>
std::vector<T> fetch(const Comm& comm, const BlockDistribution& blocks, std::span<const T> mine,
                     std::span<const GlobalIndex> wanted)
{
  return fetch(comm, blocks, mine, wanted, [](GlobalIndex) {});
}

/// Collective. Sends each value to the rank whose block has the row row(value). That rank calls arrived(value).
template <class T, class Row, class Arrived>
void tell_rows(const Comm& comm, const BlockDistribution& blocks, std::span<const T> told, Row&& row, Arrived&& arrived)
{
  const std::size_t batches = batches_of(comm, told.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t first = std::min(batch * rows_at_once, told.size());
    std::map<Rank, Bytes> to;
    for (const T& value : told.subspan(first, std::min(rows_at_once, told.size() - first)))
      put(to[blocks.rank_of(row(value))], value);
    for (const Message& message : sparse_exchange(comm, std::move(to)))
      for (const T& value : values_of<T>(message.bytes)) arrived(value);
  }
}

/// Local. Where a row is in the list, which is ascending and has it.
inline std::size_t place_of(std::span<const GlobalIndex> rows, GlobalIndex row)
{
  return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
}

}  // namespace sunder::partition
