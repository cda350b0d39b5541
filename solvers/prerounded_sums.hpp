#pragma once
/// Many sums at once whose bits depend neither on order nor on the number of ranks.

#include "core/comm.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::solvers {

/// Sums of numbers whose bound is known beforehand (Demmel, Nguyen 2013). Each summand is rounded to a grid so coarse
/// that plain additions of such multiples are exact, and what is left to a finer grid, likewise. A summand keeps
/// 2 (52 - log2 summands) bits below the bound, e.g. 84 if sums have 1000 summands: a smaller one loses its last bits,
/// the same ones on any number of ranks.
class PreroundedSums {
public:
  explicit PreroundedSums(std::size_t count) : coarse_(count), fine_(count) {}

  /// Local. Empties the sums. The same arguments on all ranks.
  /// @param bound     of |summand|, finite
  /// @param summands  at most as many go into one sum, over all ranks; at least 1
  void start(double bound, std::int64_t summands);

  /// Local. Adds x[0] to sum k, x[1] to sum k + 1, and so on.
  void add(std::size_t k, std::span<const double> x)
  {
    for (std::size_t e = 0; e < x.size(); ++e) {
      const double high = (x[e] + coarse_shifter_) - coarse_shifter_, rest = x[e] - high;
      coarse_[k + e] += high;
      fine_[k + e] += (rest + fine_shifter_) - fine_shifter_;
    }
  }

  /// Collective: one reduction. values: (count)
  void over(const Comm& comm, std::span<double> values);

private:
  double coarse_shifter_ = 0, fine_shifter_ = 0;
  std::vector<double> coarse_, fine_;
};

}  // namespace sunder::solvers
