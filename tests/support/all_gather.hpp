#pragma once
/// What every rank has, on every rank: for checks of small cases only.

#include "core/comm.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace sunder::test {

/// Collective. The concatenation over ranks, in rank order.
template <class T>
std::vector<T> all_gather(const Comm& comm, const std::vector<T>& mine)
{
  constexpr std::size_t words = sizeof(T) / sizeof(std::uint64_t);
  static_assert(std::is_trivially_copyable_v<T> && words * sizeof(std::uint64_t) == sizeof(T));
  const auto n = static_cast<int>(words * mine.size());
  std::vector<int> counts(static_cast<std::size_t>(comm.size())), offsets(1, 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm.mpi());
  for (const int count : counts) offsets.push_back(offsets.back() + count);
  std::vector<T> all(static_cast<std::size_t>(offsets.back()) / words);
  MPI_Allgatherv(mine.data(), n, MPI_UINT64_T, all.data(), counts.data(), offsets.data(), MPI_UINT64_T, comm.mpi());
  return all;
}

}  // namespace sunder::test
