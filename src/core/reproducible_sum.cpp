#include "core/reproducible_sum.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sunder {

__extension__ using Wide = unsigned __int128;

// Bit 0 of digit 0 weighs 2^-1074, the smallest subnormal.
void ReproducibleSum::add(double x)
{
  SUNDER_ASSERT(std::isfinite(x));
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7ff);  // of a double: 0 for subnormal ones
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const unsigned shift = exponent == 0 ? 0 : exponent - 1;  // weight of its bit 0
  const bool negative = bits >> 63 != 0;
  const Wide magnitude = static_cast<Wide>(mantissa) << (shift % 32);
  for (unsigned k = 0; k < 3; ++k) {
    const auto limb = static_cast<std::int64_t>(static_cast<std::uint32_t>(magnitude >> (32 * k)));
    digit_[shift / 32 + k] += negative ? -limb : limb;
  }
}

void ReproducibleSum::add(const ReproducibleSum& other)
{
  for (std::size_t k = 0; k < digits; ++k) digit_[k] += other.digit_[k];
}

double ReproducibleSum::value() const
{
  std::array<std::int64_t, digits> d = digit_;
  std::size_t begin = 0, end = digits;  // of the digits that are not 0
  while (begin < end && d[begin] == 0) ++begin;
  while (begin < end && d[end - 1] == 0) --end;
  if (begin == end) return 0;
  // Carry to canonical digits: all in [0, 2^32) but the leading one, which holds the sign.
  const std::size_t leading = std::min<std::size_t>(end, digits - 1);
  auto carry = [&] {
    for (std::size_t k = begin; k < leading; ++k) {
      const std::int64_t over = d[k] >> 32;  // floor
      d[k] -= over << 32;
      d[k + 1] += over;
    }
  };
  carry();
  // A negative sum is read off its magnitude's digits.
  const bool negative = d[leading] < 0;
  if (negative) {
    for (std::size_t k = begin; k <= leading; ++k) d[k] = -d[k];
    carry();
  }
  double sum = 0;
  for (std::size_t k = leading + 1; k-- > begin;)
    if (d[k] != 0) sum += std::ldexp(static_cast<double>(d[k]), 32 * static_cast<int>(k) - 1074);
  return negative ? -sum : sum;
}

}  // namespace sunder
