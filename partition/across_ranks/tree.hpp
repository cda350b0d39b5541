#pragma once
/// Merges lists of all ranks along a tree of ranks. Cost grows with the logarithm of the number of ranks.

#include "core/blocking.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"
#include "partition/across_ranks/transfer.hpp"

#include <string>

namespace sunder::partition {

/// Collective. Merges the lists of all ranks into one, and returns it on every rank. merge(a, b) makes one list of two;
/// a comes from lower ranks. It should keep the result short, as rank 0 gets all of it.
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

/// Collective. All values that any rank has, each once, ascending; the same on every rank.
template <class T>
std::vector<T> union_of(const Comm& comm, std::vector<T> mine)
{
  return merged(comm, sorted_unique(std::move(mine)), [](std::vector<T> a, const std::vector<T>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return sorted_unique(std::move(a));
  });
}

/// Collective. Adds the terms of all ranks one after the other, in the order of ranks. So the sum has the same bits as
/// on one rank that has all terms; a tree would round differently. Each rank waits for the one before it and sends N
/// numbers to the next, so this is only for the few sums of set-up.
template <std::size_t N>
std::array<double, N> sum_in_order(const Comm& comm, std::span<const std::array<double, N>> terms)
{
  std::array<double, N> sum{};
  if (comm.rank() > 0) blocking::receive(sum.data(), N, MPI_DOUBLE, comm.rank() - 1, tags::in_rank_order, comm.mpi());
  for (const auto& term : terms)
    for (std::size_t k = 0; k < N; ++k) sum[k] += term[k];
  if (comm.rank() + 1 < comm.size())
    blocking::send(sum.data(), N, MPI_DOUBLE, comm.rank() + 1, tags::in_rank_order, comm.mpi());
  blocking::broadcast(sum.data(), N, MPI_DOUBLE, comm.size() - 1, comm.mpi());
  return sum;
}

}  // namespace sunder::partition
