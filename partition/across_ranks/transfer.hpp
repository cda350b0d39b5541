#pragma once
/// Sends long arrays from one rank to another, in chunks that MPI's 32-bit counts can name.

#include "core/activity.hpp"
#include "core/blocking.hpp"
#include "core/comm.hpp"
#include "core/tags.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace sunder::partition {

/// Local. Sends plain values, Eigen's small matrices included. Rank `to` must call receive(). Arrays arrive in the
/// order they were sent.
template <class T>
requires std::is_trivially_destructible_v<T>
void send(const Comm& comm, const std::vector<T>& values, Rank to)
{
  const WaitingForOthers waiting;
  std::uint64_t count = values.size();
  blocking::send(&count, 1, MPI_UINT64_T, to, tags::transfer, comm.mpi());
  constexpr std::uint64_t chunk = (1u << 30) / sizeof(T);
  for (std::uint64_t k = 0; k < count; k += chunk)
    blocking::send(values.data() + k, static_cast<int>(std::min(chunk, count - k) * sizeof(T)), MPI_BYTE, to,
                   tags::transfer, comm.mpi());
}

/// Local. Receives what rank `from` sends with send().
template <class T>
requires std::is_trivially_destructible_v<T> std::vector<T> receive(const Comm& comm, Rank from)
{
  const WaitingForOthers waiting;
  std::uint64_t count = 0;
  blocking::receive(&count, 1, MPI_UINT64_T, from, tags::transfer, comm.mpi());
  std::vector<T> values(count);
  constexpr std::uint64_t chunk = (1u << 30) / sizeof(T);
  for (std::uint64_t k = 0; k < count; k += chunk)
    blocking::receive(values.data() + k, static_cast<int>(std::min(chunk, count - k) * sizeof(T)), MPI_BYTE, from,
                      tags::transfer, comm.mpi());
  return values;
}

}  // namespace sunder::partition
