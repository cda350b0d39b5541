#include "partition/across_ranks/sort_evenly.hpp"

#include "core/hash.hpp"
#include "partition/across_ranks/tree.hpp"

#include <catch2/catch.hpp>

#include <functional>

namespace {

using namespace sunder;
using partition::SortKey;

struct Thing {
  std::uint64_t key = 0, position = 0, payload = 0;
  SortKey order() const { return {key, position}; }
};

/// n things, dealt to ranks by `rank_of`, keys by `key_of` their number.
template <class KeyOf, class RankOf>
std::vector<Thing> things(const Comm& comm, std::uint64_t n, KeyOf&& key_of, RankOf&& rank_of)
{
  std::vector<Thing> mine;
  for (std::uint64_t k = 0; k < n; ++k)
    if (rank_of(k) == static_cast<std::uint64_t>(comm.rank())) mine.push_back({key_of(k), k, mix(k)});
  return mine;
}

}  // namespace

TEST_CASE("a sort over ranks gives every rank its even block, whatever the keys and wherever they were",
          "[partition][parallel]")
{
  const Comm world;
  const auto ranks = static_cast<std::uint64_t>(world.size());
  const std::vector<std::function<std::uint64_t(std::uint64_t)>> keys{
      [](auto k) { return mix(k); },          [](auto) { return std::uint64_t{7}; },
      [](auto) { return ~std::uint64_t{0}; }, [](auto k) { return 100000 - k; },
      [](auto k) { return k % 3; },           [](auto k) { return k < 5 ? k : k << 40; }};
  const std::vector<std::function<std::uint64_t(std::uint64_t)>> homes{
      [=](auto k) { return mix(k) % ranks; }, [](auto) { return std::uint64_t{0}; }, [=](auto) { return ranks - 1; }};
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{1000}, std::uint64_t{5003}})
    for (std::size_t key = 0; key < keys.size(); ++key)
      for (std::size_t home = 0; home < homes.size(); ++home) {
        CAPTURE(n, key, home);
        std::vector<Thing> all;
        for (std::uint64_t k = 0; k < n; ++k) all.push_back({keys[key](k), k, mix(k)});
        std::sort(all.begin(), all.end(), [](const Thing& a, const Thing& b) { return a.order() < b.order(); });
        const auto sorted = partition::sort_evenly(world, things(world, n, keys[key], homes[home]));
        const partition::BlockDistribution blocks{static_cast<GlobalIndex>(n), world.size()};
        const auto first = static_cast<std::size_t>(blocks.begin(world.rank()));
        REQUIRE(sorted.size() == static_cast<std::size_t>(blocks.begin(world.rank() + 1)) - first);
        for (std::size_t k = 0; k < sorted.size(); ++k) {
          REQUIRE(sorted[k].order() == all[first + k].order());
          REQUIRE(sorted[k].payload == all[first + k].payload);
        }
      }
}

TEST_CASE("a sum in the order of ranks has the bits of one rank", "[partition][parallel]")
{
  const Comm world;
  std::vector<std::array<double, 2>> all, mine;
  for (std::uint64_t k = 0; k < 3000; ++k)
    all.push_back({1.0 / static_cast<double>(1 + mix(k) % 1000003), static_cast<double>(mix(k) >> 20)});
  const partition::BlockDistribution blocks{3000, world.size()};
  mine.assign(all.begin() + blocks.begin(world.rank()), all.begin() + blocks.begin(world.rank() + 1));
  std::array<double, 2> sum{};
  for (const auto& term : all) sum[0] += term[0], sum[1] += term[1];
  CHECK(partition::sum_in_order<2>(world, mine) == sum);
}

TEST_CASE("every rank knows what any has seen, each once", "[partition][parallel]")
{
  const Comm world;
  const auto me = static_cast<std::uint64_t>(world.rank());
  std::vector<std::uint64_t> expected{3};
  for (std::uint64_t r = 0; r < static_cast<std::uint64_t>(world.size()); ++r) expected.push_back(10 + r);
  CHECK(partition::union_of<std::uint64_t>(world, {10 + me, 3, 10 + me}) == expected);
}

TEST_CASE("rows asked of whoever has them come in the order asked", "[partition][parallel]")
{
  const Comm world;
  const partition::BlockDistribution blocks{101, world.size()};
  std::vector<std::uint64_t> mine;
  for (GlobalIndex row = blocks.begin(world.rank()); row < blocks.begin(world.rank() + 1); ++row)
    mine.push_back(mix(static_cast<std::uint64_t>(row)));
  std::vector<GlobalIndex> wanted;
  for (GlobalIndex row = world.rank() % 3; row < 101; row += 1 + world.rank() % 2) wanted.push_back(row);
  const auto got = partition::fetch<std::uint64_t>(world, blocks, mine, wanted);
  REQUIRE(got.size() == wanted.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == mix(static_cast<std::uint64_t>(wanted[k])));
}
