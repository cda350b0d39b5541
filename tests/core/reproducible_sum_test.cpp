#include "core/reproducible_sum.hpp"
#include "core/comm.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace sunder;

namespace {

double sum_of(const std::vector<double>& x)
{
  ReproducibleSum sum;
  for (const double value : x) sum.add(value);
  return sum.value();
}

std::uint64_t bits(double x)
{
  return std::bit_cast<std::uint64_t>(x);
}

/// Either sign, exponents from -range to range.
std::vector<double> wild_numbers(unsigned seed, int count, int range)
{
  std::mt19937_64 engine(seed);
  std::vector<double> x;
  for (int k = 0; k < count; ++k) {
    const double fraction = static_cast<double>(engine() >> 11) * 0x1p-53 + 0.5;
    const int exponent = static_cast<int>(engine() % static_cast<unsigned>(2 * range + 1)) - range;
    x.push_back(std::ldexp(engine() % 2 == 0 ? fraction : -fraction, exponent));
  }
  return x;
}

}  // namespace

TEST_CASE("a sum's bits do not depend on order or grouping", "[core][sum]")
{
  const int range = GENERATE(3, 60, 900);
  std::vector<double> x = wild_numbers(1, 2000, range);
  const double expected = sum_of(x);
  std::mt19937_64 engine(2);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(x.begin(), x.end(), engine);
    CHECK(bits(sum_of(x)) == bits(expected));
    ReproducibleSum total;
    for (std::size_t first = 0; first < x.size();) {
      ReproducibleSum part;
      for (const std::size_t end = std::min(x.size(), first + 1 + engine() % 300); first < end; ++first)
        part.add(x[first]);
      total.add(part);
    }
    CHECK(bits(total.value()) == bits(expected));
  }
}

TEST_CASE("ranks that add digits get the bits of one rank", "[core][sum][parallel]")
{
  const Comm comm;
  const std::vector<double> x = wild_numbers(3, 3000, 200);
  ReproducibleSum mine;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (static_cast<Rank>(k % static_cast<std::size_t>(comm.size())) == comm.rank()) mine.add(x[k]);
  comm.sum_in_place(mine.raw());
  CHECK(bits(mine.value()) == bits(sum_of(x)));
}

TEST_CASE("the exact sum of one number is that number, to the bit", "[core][sum]")
{
  using limits = std::numeric_limits<double>;
  for (const double x : {0.0, 1.0, 0.1, 1e300, limits::max(), limits::min(), limits::denorm_min(), 1e-310, 0x1.fp-1060,
                         4294967296.0, 1 / 3.0}) {
    CHECK(sum_of({x}) == x);
    CHECK(sum_of({-x}) == -x);
  }
  for (const double x : wild_numbers(4, 2000, 1000)) REQUIRE(sum_of({x}) == x);
}

TEST_CASE("what cancels leaves nothing behind", "[core][sum]")
{
  CHECK(sum_of({1e300, 1, -1e300}) == 1);
  CHECK(sum_of({-1e300, -1, 1e300}) == -1);
  CHECK(sum_of({1e300, -1e-300, -1e300}) == -1e-300);
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(sum_of({1.0, tiny, -1.0}) == tiny);
  CHECK(sum_of({tiny, tiny, tiny}) == 3 * tiny);
  CHECK(sum_of({-tiny, 1e308, -1e308}) == -tiny);

  std::vector<double> x = wild_numbers(5, 1000, 1000);
  const std::size_t n = x.size();
  for (std::size_t k = 0; k < n; ++k) x.push_back(-x[n - 1 - k]);
  CHECK(bits(sum_of(x)) == bits(0.0));
}

TEST_CASE("sums agree with wider arithmetic and change sign with their terms", "[core][sum]")
{
  for (unsigned seed = 10; seed < 40; ++seed) {
    std::vector<double> x = wild_numbers(seed, 500, 4);  // sums to 11 spare bits exactly in long double
    long double wide = 0;
    for (const double value : x) wide += value;
    const double expected = static_cast<double>(wide);
    const double ulp = std::nextafter(std::abs(expected), 1e300) - std::abs(expected);
    CHECK(std::abs(sum_of(x) - expected) <= ulp);
    const double before = sum_of(x);
    for (double& value : x) value = -value;
    CHECK(sum_of(x) == -before);
  }
}

TEST_CASE("a hundred thousand terms sum to the last digit, and a cleared sum begins at zero", "[core][sum]")
{
  ReproducibleSum sum;
  for (int k = 0; k < 100000; ++k) sum.add(-0.1);
  CHECK(sum.value() == Approx(-10000).epsilon(1e-15));
  sum.clear();
  CHECK(sum.value() == 0);
  sum.add(0.25);
  CHECK(sum.value() == 0.25);

  ReproducibleSum3 vectors;
  vectors.add(Vec3(1, -2, 3)), vectors.add(Vec3(0.5, -0.5, -3));
  CHECK(vectors.value() == Vec3(1.5, -2.5, 0));
}
