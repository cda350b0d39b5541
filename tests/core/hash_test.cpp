#include "core/hash.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace sunder;

/// Each made from the one before and any other: no two have the same parents.
std::vector<GlobalId> lineage(std::size_t count)
{
  std::vector<GlobalId> ids{1, 2, 3, 4, 5};
  while (ids.size() < count) ids.push_back(made_id(ids.back(), ids[mix(ids.size()) % ids.size()]));
  return ids;
}

/// How many pairs have the same value.
std::int64_t equal_pairs(std::vector<std::uint64_t> values)
{
  std::sort(values.begin(), values.end());
  std::int64_t pairs = 0, run = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    run = values[i] == values[i - 1] ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

}  // namespace

TEST_CASE("the two words of a made id are independent of each other", "[core][hash]")
{
  // Of n ids, n^2/2 pairs: 16 bits of each word together must agree in 2^-32 of them, as 32 bits of one word do.
  const auto ids = lineage(1 << 18);
  std::vector<std::uint64_t> both, low, high;
  for (const GlobalId& id : ids) {
    both.push_back((id.low & 0xffff) << 16 | (id.high & 0xffff));
    low.push_back(id.low & 0xffffffff), high.push_back(id.high & 0xffffffff);
  }
  const double expected = 8;  // standard deviation sqrt(8)
  for (const auto& values : {both, low, high}) {
    const auto pairs = static_cast<double>(equal_pairs(values));
    CHECK(pairs < expected + 5 * 2.9);
    CHECK(pairs > 0);
  }
}

TEST_CASE("each word of the parents counts, and their order", "[core][hash]")
{
  const GlobalId a(7, 9), b(8, 4), made = made_id(a, b);
  CHECK(is_made(made));
  CHECK_FALSE(is_made(a));
  CHECK(made.low <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  CHECK(made_id(b, a) != made);
  CHECK(made_id({7, 8}, b) != made);  // the low words alone are those of a and b
  CHECK(made_id(a, {8, 5}) != made);
  CHECK(made_id({7, 8}, b).low == made.low);
}
