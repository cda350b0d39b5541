#pragma once
/// Sums of doubles whose bits depend neither on order nor on the number of ranks.

#include "core/types.hpp"

#include <array>
#include <cstdint>

namespace sunder {

/// Exact accumulator (Kulisch): a fixed-point number wide enough for every double. Its 32-bit digits stand in 64-bit
/// integers, so 2^31 additions need no carry, and the accumulators of several ranks are added digit by digit.
class ReproducibleSum {
public:
  static constexpr int digits = 67;

  void add(double x);  ///< Local. O(1). x must be finite.
  void add(const ReproducibleSum& other);
  double value() const;  ///< The exact sum to 1 ulp; same bits for the same summands.
  void clear() { digit_.fill(0); }

  std::array<std::int64_t, digits>& raw() noexcept { return digit_; }  ///< For MPI_SUM over ranks.
  const std::array<std::int64_t, digits>& raw() const noexcept { return digit_; }

private:
  std::array<std::int64_t, digits> digit_{};
};

struct ReproducibleSum3 {
  ReproducibleSum x, y, z;
  void add(const Vec3& a) { x.add(a.x()), y.add(a.y()), z.add(a.z()); }
  Vec3 value() const { return {x.value(), y.value(), z.value()}; }
  void clear() { x.clear(), y.clear(), z.clear(); }
};

}  // namespace sunder
