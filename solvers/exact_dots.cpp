#include "solvers/exact_dots.hpp"

#include "core/reproducible_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace sunder::solvers {

namespace {

#ifdef __AVX512F__
constexpr std::size_t width = 8;
#else
constexpr std::size_t width = 4;  // GCC keeps wider vectors than the machine has in memory
#endif
constexpr std::size_t chunk = 1024;
using Lanes [[gnu::vector_size(8 * width)]] = double;
using LaneBits [[gnu::vector_size(8 * width)]] = long long;

Lanes all(double x)
{
  return x - Lanes{};
}

Lanes magnitude(Lanes x)
{
  constexpr long long all_but_sign = std::numeric_limits<long long>::max();
  return reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(x) & all_but_sign);
}

/// Of -1022 to 1023.
double power_of_two(int exponent)
{
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

double sum_of(Lanes x)
{
  double sum = 0;
  for (std::size_t l = 0; l < width; ++l) sum += x[l];
  return sum;
}

Lanes magnitudes(const Lanes* x, std::size_t rows)
{
  Lanes sum = all(0);
  for (std::size_t k = 0; k < rows; ++k) sum += magnitude(x[k]);
  return sum;
}

struct Cut {
  Lanes sum, rest;  // of what is above the cut, and of the magnitudes of what is below
};

/// Takes what is above the cut out of x. A function of its own: the compiler keeps both sums in registers then.
[[gnu::noinline]] Cut cut(Lanes* x, std::size_t rows, Lanes shifter)
{
  Lanes sum = all(0), rest = all(0);
  for (std::size_t k = 0; k < rows; ++k) {
    const Lanes high = (x[k] + shifter) - shifter, low = x[k] - high;
    x[k] = low;
    sum += high, rest += magnitude(low);
  }
  return {sum, rest};
}

/// Adds the products of one chunk exactly.
/// @return  false if one of them is infinite or not a number
bool add_chunk(const double* a, const double* b, std::size_t count, ReproducibleSum& total)
{
  Lanes x[chunk / width];
  const std::size_t rows = (count + width - 1) / width;
  const std::size_t whole = count / width;
  for (std::size_t k = 0; k < whole; ++k) {
    Lanes of_a, of_b;
    std::memcpy(&of_a, a + width * k, sizeof of_a), std::memcpy(&of_b, b + width * k, sizeof of_b);
    x[k] = of_a * of_b;
  }
  if (whole < rows) {
    x[whole] = all(0);
    for (std::size_t l = width * whole; l < count; ++l) x[whole][l % width] = a[l] * b[l];
  }
  // Of the sum of magnitudes, but for rounding: the cut leaves a bit to spare.
  double bound = sum_of(magnitudes(x, rows));
  if (!(bound <= std::numeric_limits<double>::max() / 16)) {
    bool finite = true;  // the bound alone may have overflowed
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t l = 0; l < width; ++l)
        if (std::isfinite(x[k][l])) {
          total.add(x[k][l]);
        } else {
          finite = false;
        }
    return finite;
  }
  while (bound > 0) {
    // Multiples of 2^g below 2^(g + 53) are added without rounding. Below 2^-1074 there is nothing to cut.
    const int g = std::max(std::ilogb(bound) + 1 - 51, -1074);
    const auto [sum, rest] = cut(x, rows, all(1.5 * power_of_two(g + 52)));
    total.add(sum_of(sum));
    bound = sum_of(rest);
  }
  return true;
}

}  // namespace

void exact_dots(const Comm& comm, std::span<const Factors> factors, std::span<double> values)
{
  constexpr std::size_t each = ReproducibleSum::digits + 1;  // the digits, and how many products are not finite
  std::vector<std::int64_t> all_digits(each * factors.size());
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const auto [a, b] = factors[f];
    SUNDER_ASSERT(a.size() == b.size());
    ReproducibleSum sum;
    std::int64_t failures = 0;
    for (std::size_t first = 0; first < a.size(); first += chunk)
      if (!add_chunk(a.data() + first, b.data() + first, std::min(chunk, a.size() - first), sum)) ++failures;
    std::copy(sum.raw().begin(), sum.raw().end(), all_digits.begin() + static_cast<std::ptrdiff_t>(each * f));
    all_digits[each * f + each - 1] = failures;
  }
  comm.sum_in_place(all_digits);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    ReproducibleSum sum;
    std::copy_n(all_digits.begin() + static_cast<std::ptrdiff_t>(each * f), ReproducibleSum::digits, sum.raw().begin());
    const bool finite = all_digits[each * f + each - 1] == 0;
    values[f] = finite ? sum.value() : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace sunder::solvers
