#pragma once
/// Values of all ranks made one list that every rank has.

#include "core/comm.hpp"
#include "core/sort_unique.hpp"

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace sunder::solvers {

/// Collective. Each rank's values become those of all ranks together, after tidy(values). tidy() must be such that
/// order does not matter, and that what comes in twice counts once: sorting and dropping repetitions, say. Every rank
/// sends what it knows to the rank 1, 2, 4, ... above: time grows with the logarithm of the number of ranks, memory not
/// at all.
template <class T, class Tidy>
void combine_over_ranks(const Comm& comm, std::vector<T>& values, const Tidy& tidy)
{
  static_assert(std::is_trivially_copyable_v<T>);
  tidy(values);
  for (Rank distance = 1; distance < comm.size(); distance *= 2) {
    const std::vector<std::byte> in = shift(comm, distance, std::as_bytes(std::span(values)));
    const std::size_t before = values.size();
    values.resize(before + in.size() / sizeof(T));
    if (!in.empty()) std::memcpy(values.data() + before, in.data(), in.size());
    tidy(values);
  }
}

/// Collective. Makes `values` the sorted union of all ranks' values, each once.
template <class T>
void unite_over_ranks(const Comm& comm, std::vector<T>& values)
{
  combine_over_ranks(comm, values, [](std::vector<T>& list) { sort_unique(list); });
}

}  // namespace sunder::solvers
