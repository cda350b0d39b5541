#include "core/reduction.hpp"

#include "core/hash.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace sunder;

TEST_CASE("a reduction sums and finds the greatest of numbers of several kinds at once", "[reduction][parallel]")
{
  const Comm comm;
  const Rank me = comm.rank(), ranks = comm.size();
  double sum = 0.5 * me, most = -1.0 - me, huge = 1e308;
  std::int64_t count = -me, greatest = std::numeric_limits<std::int64_t>::min() + me;
  auto hash = combine(0, static_cast<std::uint64_t>(me));
  Vec3 vector(1, me, -2.0 * me);
  Reduction all;
  all.sum(sum, count, hash), all.max(most, greatest);
  all.sum(vector), all.max(huge);
  all.over(comm);

  const int pairs = ranks * (ranks - 1) / 2;
  std::uint64_t hashes = 0;  // modulo 2^64
  for (Rank r = 0; r < ranks; ++r) hashes += combine(0, static_cast<std::uint64_t>(r));
  CHECK(sum == 0.5 * pairs);
  CHECK(count == -pairs);
  CHECK(hash == hashes);
  CHECK(most == -1.0);
  CHECK(greatest == std::numeric_limits<std::int64_t>::min() + ranks - 1);
  CHECK(vector == Vec3(ranks, pairs, -2.0 * pairs));
  CHECK(huge == 1e308);
}

TEST_CASE("a reduction gives every rank the same bits", "[reduction][parallel]")
{
  const Comm comm;
  std::vector<double> numbers;
  for (std::uint64_t k = 0; k < 1000; ++k)
    numbers.push_back(static_cast<double>(combine(k, static_cast<std::uint64_t>(comm.rank()))) * 1e-10 - 1e9);
  Reduction all;
  for (double& x : numbers) all.sum(x);
  all.over(comm);
  for (const double x : numbers) {
    CHECK(comm.max(x) == x);
    CHECK(comm.min(x) == x);
  }
}

TEST_CASE("after a reduction without terms ranks are still in step", "[reduction][parallel]")
{
  const Comm comm;
  Reduction().over(comm);
  double ranks = 1;
  Reduction all;
  all.sum(ranks);
  all.over(comm);
  CHECK(ranks == comm.size());
}
