#include "core/reproducible_sum.hpp"

#include "core/error.hpp"

#include <cmath>

namespace sunder {

__extension__ using Wide = unsigned __int128;

// Bit 0 of digit 0 weighs 2^-1074, the smallest subnormal.
void ReproducibleSum::add(double x)
{
  SUNDER_ASSERT(std::isfinite(x));
  if (x == 0) return;
  int exponent;
  const double fraction = std::frexp(x, &exponent);                     // |fraction| in [1/2, 1)
  auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));  // exact
  int shift = exponent - 53 + 1074;                                     // weight of its bit 0
  if (shift < 0) mantissa >>= -shift, shift = 0;                        // subnormal: the bits lost are zero
  const bool negative = mantissa < 0;
  const auto magnitude = static_cast<Wide>(negative ? -mantissa : mantissa) << (shift % 32);
  for (int k = 0; k < 3; ++k) {
    const auto limb = static_cast<std::int64_t>(static_cast<std::uint32_t>(magnitude >> (32 * k)));
    digit_[static_cast<std::size_t>(shift / 32 + k)] += negative ? -limb : limb;
  }
}

void ReproducibleSum::add(const ReproducibleSum& other)
{
  for (std::size_t k = 0; k < digits; ++k) digit_[k] += other.digit_[k];
}

double ReproducibleSum::value() const
{
  // Carry to canonical digits: all in [0, 2^32) but the leading one, which holds the sign.
  std::array<std::int64_t, digits> d = digit_;
  auto carry = [&d] {
    for (std::size_t k = 0; k + 1 < digits; ++k) {
      const std::int64_t over = d[k] >> 32;  // floor
      d[k] -= over << 32;
      d[k + 1] += over;
    }
  };
  carry();
  // The leading digit weighs more than any double: a negative sum is read off its magnitude's digits.
  const bool negative = d.back() < 0;
  if (negative) {
    for (std::int64_t& digit : d) digit = -digit;
    carry();
  }
  double sum = 0;
  for (std::size_t k = digits; k-- > 0;) sum += std::ldexp(static_cast<double>(d[k]), 32 * static_cast<int>(k) - 1074);
  return negative ? -sum : sum;
}

}  // namespace sunder
