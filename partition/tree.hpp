#pragma once
/// What all ranks find together, merged along a tree: nothing grows with the number of ranks but by its logarithm.

#include "core/sort_unique.hpp"
#include "partition/fetch.hpp"
#include "partition/transfer.hpp"

#include <string>

namespace sunder::partition {

/// Collective. All ranks' lists as one, on every rank. merge(a, b) makes one of two, a of lower ranks, and keeps short
/// what would become long.
template <class T, class Merge>
std::vector<T> merged(const Comm& comm, std::vector<T> mine, Merge&& merge)
{
  for (Rank step = 1; step < comm.size(); step *= 2) {
    if (comm.rank() % (2 * step) == step) {
      send(comm, mine, comm.rank() - step);
      break;
    }
    if (comm.rank() % (2 * step) == 0 && comm.rank() + step < comm.size())
      mine = merge(std::move(mine), receive<T>(comm, comm.rank() + step));
  }
  std::string bytes;
  if (comm.rank() == 0) bytes.assign(reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(T));
  comm.broadcast(bytes);
  mine.resize(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(static_cast<void*>(mine.data()), bytes.data(), bytes.size());
  return mine;
}

/// Collective. Each value that some rank has, once, ascending.
template <class T>
std::vector<T> union_of(const Comm& comm, std::vector<T> mine)
{
  return merged(comm, sorted_unique(std::move(mine)), [](std::vector<T> a, const std::vector<T>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return sorted_unique(std::move(a));
  });
}

/// Collective. Sum of all ranks' terms, added one after the other in the order of ranks: the bits of one rank that has
/// all of them, which it gets where it reads the whole mesh alone. Rounding makes the sum of any tree another one, so
/// ranks add one after the other: a message of N numbers from each to the next, for the few sums of a set-up only.
template <std::size_t N>
std::array<double, N> sum_in_order(const Comm& comm, std::span<const std::array<double, N>> terms)
{
  std::array<double, N> sum{};
  if (comm.rank() > 0)
    mpi_check(MPI_Recv(sum.data(), N, MPI_DOUBLE, comm.rank() - 1, tags::in_rank_order, comm.mpi(), MPI_STATUS_IGNORE),
              "MPI_Recv");
  for (const auto& term : terms)
    for (std::size_t k = 0; k < N; ++k) sum[k] += term[k];
  if (comm.rank() + 1 < comm.size())
    mpi_check(MPI_Send(sum.data(), N, MPI_DOUBLE, comm.rank() + 1, tags::in_rank_order, comm.mpi()), "MPI_Send");
  mpi_check(MPI_Bcast(sum.data(), N, MPI_DOUBLE, comm.size() - 1, comm.mpi()), "MPI_Bcast");
  return sum;
}

}  // namespace sunder::partition
