#pragma once
/// Scalar products of distributed vectors whose bits depend neither on order nor on the number of ranks.

#include "core/comm.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace sunder::solvers {

/// Two vectors of this rank's entries, of the same length.
struct Factors {
  std::span<const double> a, b;
};

/// Collective: one reduction for all products, of 544 bytes each. values[k] is the exact sum over ranks of the rounded
/// products of entries, rounded to 1 ulp; not a number if any product is infinite or not a number.
///
/// Within a chunk that fits the cache, entries are cut at bits that all share, so that plain additions of what is above
/// the cut are exact; what is below is cut again until nothing is left (Rump, Ogita, Oishi 2008). The sums of a chunk
/// go into a ReproducibleSum. No rounding, hence no order: chunks may be cut anywhere.
void exact_dots(const Comm& comm, std::span<const Factors> factors, std::span<double> values);

/// Collective. Likewise, e.g. const auto [zr, rr] = exact_dots(comm, {{z, r}, {r, r}});
template <std::size_t N>
std::array<double, N> exact_dots(const Comm& comm, const Factors (&factors)[N])
{
  std::array<double, N> values;
  exact_dots(comm, std::span<const Factors>(factors), values);
  return values;
}

}  // namespace sunder::solvers
