#include "solvers/exact_dots.hpp"
#include "core/reproducible_sum.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace sunder;
using solvers::exact_dots;

namespace {

std::uint64_t bits(double x)
{
  return std::bit_cast<std::uint64_t>(x);
}

/// Either sign, exponents from -range to range.
std::vector<double> wild_numbers(unsigned seed, std::size_t count, int range)
{
  std::mt19937_64 engine(seed);
  std::vector<double> x;
  for (std::size_t k = 0; k < count; ++k) {
    const double fraction = static_cast<double>(engine() >> 11) * 0x1p-53 + 0.5;
    const int exponent = static_cast<int>(engine() % static_cast<unsigned>(2 * range + 1)) - range;
    x.push_back(std::ldexp(engine() % 2 == 0 ? fraction : -fraction, exponent));
  }
  return x;
}

double by_hand(const std::vector<double>& a, const std::vector<double>& b)
{
  ReproducibleSum sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum.add(a[k] * b[k]);
  return sum.value();
}

double alone(const std::vector<double>& a, const std::vector<double>& b)
{
  return exact_dots(Comm(MPI_COMM_SELF), {{a, b}})[0];
}

}  // namespace

TEST_CASE("a scalar product is the exact sum of its rounded products", "[solvers][dots]")
{
  // Exponents of products from -2 range to 2 range: alike, beyond one cut, subnormal and beyond what can be bounded.
  const int range = GENERATE(0, 1, 20, 60, 200, 505);
  const std::size_t count = GENERATE(0, 1, 7, 8, 9, 255, 256, 257, 5000);
  const auto a = wild_numbers(1, count, range), b = wild_numbers(2, count, range);
  CHECK(bits(alone(a, b)) == bits(by_hand(a, b)));
}

TEST_CASE("a scalar product of what cancels keeps what is left", "[solvers][dots]")
{
  std::vector<double> a(1000), b(1000, 1);
  for (std::size_t k = 0; k < 499; ++k) a[k] = std::ldexp(1.0 + static_cast<double>(k), 900), a[999 - k] = -a[k];
  a[499] = 1e-300, a[500] = 0x1p-1074;
  std::shuffle(a.begin(), a.end(), std::mt19937_64(3));
  CHECK(bits(alone(a, b)) == bits(1e-300 + 0x1p-1074));
}

TEST_CASE("subnormal numbers are summed exactly", "[solvers][dots]")
{
  const std::vector<double> a(777, 0x1p-1074), b(777, 1);
  CHECK(alone(a, b) == 777 * 0x1p-1074);
}

TEST_CASE("a scalar product with what is not finite is not a number, the others are what they are", "[solvers][dots]")
{
  const double bad = GENERATE(std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1e200);
  const Comm comm;
  std::vector<double> a(300, 1), b(300, 2);
  if (comm.rank() == comm.size() - 1) a[123] = b[123] = bad;
  const std::vector<double> ones(300, 1);
  const auto [bad_product, good_product] = exact_dots(comm, {{a, b}, {ones, ones}});
  CHECK(std::isnan(bad_product));
  CHECK(good_product == 300 * comm.size());
}

TEST_CASE("a scalar product does not depend on who holds which entries", "[solvers][dots][parallel]")
{
  const int range = GENERATE(1, 60, 505);
  const auto a = wild_numbers(4, 3000, range), b = wild_numbers(5, 3000, range);
  const double expected = alone(a, b);
  const Comm comm;
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    std::vector<std::size_t> order(a.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(trial));
    std::vector<double> my_a, my_b;
    for (const std::size_t k : order)
      if (k * k % 11 % static_cast<std::size_t>(comm.size()) == static_cast<std::size_t>(comm.rank()))
        my_a.push_back(a[k]), my_b.push_back(b[k]);
    const auto [one, other] = exact_dots(comm, {{my_a, my_b}, {my_b, my_b}});
    CHECK(bits(one) == bits(expected));
    CHECK(bits(other) == bits(alone(b, b)));
  }
}
