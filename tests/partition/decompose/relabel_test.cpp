#include "partition/decompose/relabel.hpp"

#include "support/all_gather.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace sunder;

TEST_CASE("parts that are those there were stay where they are, whatever their numbers", "[partition][parallel]")
{
  const Comm world;
  for (int shift = 0; shift < world.size(); ++shift) {
    const Rank part = (world.rank() + shift) % world.size();
    const auto ranks = partition::keep_in_place(world, std::vector<Rank>(5, part), std::vector<double>(5, 1));
    CHECK(ranks == std::vector<Rank>(5, world.rank()));
  }
}

TEST_CASE("a part that moved a little stays, the rest of it comes along", "[partition][parallel]")
{
  const Comm world;
  const Rank above = (world.rank() + 1) % world.size();
  // Part r + 1 is most of what rank r has, and a little of what the rank above has.
  const std::vector<Rank> parts{above, above, world.rank()};
  const auto ranks = partition::keep_in_place(world, parts, std::vector<double>{2, 1, 0.5});
  const Rank below = (world.rank() + world.size() - 1) % world.size();
  CHECK(ranks == std::vector<Rank>{world.rank(), world.rank(), below});
}

TEST_CASE("every part goes to a rank of its own, however they lie", "[partition][parallel]")
{
  const Comm world;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    std::vector<Rank> parts;
    std::vector<double> weights;
    const std::size_t count = world.rank() % 3 == 1 ? 0 : 20;  // some have nothing
    for (std::size_t k = 0; k < count; ++k) {
      const auto key = 100 * static_cast<std::uint64_t>(world.rank()) + k;
      const double x = 0.5 + 0.5 * test::random_number(seed, key);
      parts.push_back(static_cast<Rank>(x * x * world.size()));  // low numbers more often, some not at all
      weights.push_back(2 + test::random_number(seed + 10, key));
    }
    const auto ranks = partition::keep_in_place(world, parts, weights);
    REQUIRE(ranks.size() == parts.size());
    std::vector<std::uint64_t> mine;
    for (std::size_t k = 0; k < count; ++k)
      mine.insert(mine.end(), {static_cast<std::uint64_t>(parts[k]), static_cast<std::uint64_t>(ranks[k])});
    const auto all = test::all_gather(world, mine);
    std::map<std::uint64_t, std::uint64_t> rank_of;
    for (std::size_t k = 0; k < all.size(); k += 2) {
      REQUIRE(all[k + 1] < static_cast<std::uint64_t>(world.size()));
      REQUIRE(rank_of.emplace(all[k], all[k + 1]).first->second == all[k + 1]);
    }
    std::set<std::uint64_t> used;
    for (const auto& [part, rank] : rank_of) CHECK(used.insert(rank).second);
  }
}
