#include "solvers/prerounded_sums.hpp"

#include "core/blocking.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sunder::solvers {

void PreroundedSums::start(double bound, std::int64_t summands)
{
  SUNDER_ASSERT(std::isfinite(bound) && bound >= 0 && summands >= 1);
  std::fill(coarse_.begin(), coarse_.end(), 0);
  std::fill(fine_.begin(), fine_.end(), 0);
  // Multiples of 2^g below 2^(g + 53) are added without rounding; one bit is to spare, as rounding may go up.
  const int doublings = std::bit_width(static_cast<std::uint64_t>(summands));
  const auto grid = [&](int exponent) { return std::max(exponent + doublings - 52, -1074); };
  const auto shifter = [](int g) { return std::ldexp(1.5, g + 52); };
  const int coarse = grid(bound > 0 ? std::ilogb(bound) + 1 : -1074);
  coarse_shifter_ = shifter(coarse);
  fine_shifter_ = shifter(grid(coarse));
}

void PreroundedSums::over(const Comm& comm, std::span<double> values)
{
  SUNDER_ASSERT(values.size() == coarse_.size());
  coarse_.insert(coarse_.end(), fine_.begin(), fine_.end());
  // Exact, hence in any order.
  blocking::all_reduce(coarse_.data(), static_cast<int>(coarse_.size()), MPI_DOUBLE, MPI_SUM, comm.mpi());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = coarse_[k] + coarse_[values.size() + k];
  coarse_.resize(values.size());
}

}  // namespace sunder::solvers
