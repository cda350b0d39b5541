#include "solvers/prerounded_sums.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

using namespace sunder;
using solvers::PreroundedSums;

namespace {

struct Summand {
  std::size_t sum;
  double x;
};

std::vector<Summand> summands(double bound, std::size_t sums, std::size_t each)
{
  std::mt19937_64 engine(6);
  std::vector<Summand> list;
  for (std::size_t k = 0; k < sums * each; ++k) {
    const double fraction = static_cast<double>(static_cast<std::int64_t>(engine())) * 0x1p-63;
    list.push_back({k % sums, std::ldexp(fraction, -static_cast<int>(engine() % 60)) * bound});
  }
  return list;
}

}  // namespace

TEST_CASE("sums rounded beforehand do not depend on order and ranks", "[solvers][sum][parallel]")
{
  const double bound = GENERATE(1.0, 3e-300, 7.7e200, 0x1p-1070);
  constexpr std::size_t sums = 5, each = 1000;
  auto list = summands(bound, sums, each);
  std::vector<double> expected(sums), exact(sums), found(sums);
  PreroundedSums alone(sums), together(sums);
  alone.start(bound, each);
  for (const auto& [sum, x] : list) alone.add(sum, {&x, 1});
  alone.over(Comm(MPI_COMM_SELF), expected);
  const Comm comm;
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    std::shuffle(list.begin(), list.end(), std::mt19937_64(trial));
    together.start(bound, each);
    for (std::size_t k = 0; k < list.size(); ++k)
      if (k * k % 13 % static_cast<std::size_t>(comm.size()) == static_cast<std::size_t>(comm.rank()))
        together.add(list[k].sum, {&list[k].x, 1});
    together.over(comm, found);
    for (std::size_t s = 0; s < sums; ++s)
      CHECK(std::bit_cast<std::uint64_t>(found[s]) == std::bit_cast<std::uint64_t>(expected[s]));
  }
  std::vector<long double> precise(sums);
  for (const auto& [sum, x] : list) precise[sum] += x;
  for (std::size_t s = 0; s < sums; ++s)
    CHECK(std::abs(static_cast<double>(precise[s] - static_cast<long double>(expected[s]))) <=
          1e-14 * std::abs(expected[s]) + 1e-20 * bound);
}

TEST_CASE("as many summands as announced, all at the bound, are summed exactly", "[solvers][sum]")
{
  const std::int64_t count = GENERATE(1, 1023, 1024, 100000);
  const double bound = GENERATE(1.0, 1.9999999999999998, 0.1);
  PreroundedSums sums(1);
  sums.start(bound, count);
  for (std::int64_t k = 0; k < count; ++k) sums.add(0, {&bound, 1});
  std::vector<double> value(1);
  sums.over(Comm(MPI_COMM_SELF), value);
  // Two grids hold all 53 bits of these summands, so the one rounding is that of the product and of the value.
  CHECK(value[0] == Approx(static_cast<double>(count) * bound).epsilon(3e-16));
}

TEST_CASE("sums of nothing are zero", "[solvers][sum]")
{
  PreroundedSums sums(2);
  sums.start(0, 1);
  std::vector<double> values(2, 9);
  sums.over(Comm(), values);
  CHECK(values == std::vector<double>{0, 0});
}
