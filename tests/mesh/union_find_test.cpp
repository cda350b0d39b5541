#include "mesh/union_find.hpp"

#include "core/hash.hpp"

#include <catch2/catch.hpp>

#include <utility>

namespace {

using namespace sunder;

/// By painting: the smallest member of each one's set.
std::vector<LocalIndex> painted(std::size_t size, const std::vector<std::pair<LocalIndex, LocalIndex>>& pairs)
{
  std::vector<LocalIndex> colour(size);
  std::iota(colour.begin(), colour.end(), 0);
  for (const auto& [i, j] : pairs) {
    const LocalIndex x = colour[static_cast<std::size_t>(i)], y = colour[static_cast<std::size_t>(j)];
    std::replace(colour.begin(), colour.end(), std::max(x, y), std::min(x, y));
  }
  return colour;
}

}  // namespace

TEST_CASE("sets under union are those that painting finds, named by their smallest member", "[mesh][union_find]")
{
  constexpr std::size_t size = 300;
  for (std::uint64_t k = 0; k < 20; ++k) {
    mesh::UnionFind sets(size);
    std::vector<std::pair<LocalIndex, LocalIndex>> pairs;
    for (std::uint64_t i = 0; i < 30 * k; ++i) {
      const auto draw = [&](std::uint64_t of) { return static_cast<LocalIndex>(combine(combine(k, i), of) % size); };
      pairs.emplace_back(draw(1), draw(2));
      sets.unite(pairs.back().first, pairs.back().second);
    }
    const auto expected = painted(size, pairs);
    for (std::size_t i = 0; i < size; ++i) REQUIRE(sets.find(static_cast<LocalIndex>(i)) == expected[i]);
  }
}

TEST_CASE("a long chain united from its far end is one set", "[mesh][union_find]")
{
  constexpr LocalIndex size = 200'000;  // without shorter ways this would take minutes
  mesh::UnionFind sets(static_cast<std::size_t>(size));
  for (LocalIndex i = size - 1; i > 0; --i) sets.unite(i, i - 1);
  for (LocalIndex i = size - 1; i >= 0; --i) REQUIRE(sets.find(i) == 0);
}
