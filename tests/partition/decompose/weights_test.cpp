#include "partition/decompose/weights.hpp"

#include "partition/decompose/ptscotch.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <numeric>

namespace {

using namespace sunder;

constexpr double int_max = std::numeric_limits<std::int32_t>::max();

/// A rank's nodes among so many that forged counts stand for the others: light ones, and stretches of heavy ones.
std::vector<double> costs(std::size_t count, double mean)
{
  std::vector<double> exact;
  for (std::size_t n = 0; n < count; ++n)
    exact.push_back(mean * (n / 1000 % 10 == 0 ? 5.5 : 0.5) * (1 + 0.3 * test::random_number(3, n)));
  return exact;
}

}  // namespace

TEST_CASE("what 32 bits number goes to PT-Scotch, what they do not along the curve", "[partition]")
{
  CHECK(partition::ptscotch_numbers(180'000'000, 2'100'000'000, 32));
  CHECK_FALSE(partition::ptscotch_numbers(180'000'000, 2'147'483'648, 32));  // one arc too many
  CHECK_FALSE(partition::ptscotch_numbers(180'000'000, 7'000'000'000, 32));  // 10^9 elements
  CHECK(partition::ptscotch_numbers(180'000'000, 7'000'000'000, 64));
  CHECK_FALSE(partition::ptscotch_numbers(3'000'000'000, 0, 32));
}

TEST_CASE("weights of any number of nodes add up in 32 bits and keep their meaning", "[partition]")
{
  for (const double nodes : {1e3, 1e5, 1e7, 1e8, 1.5e8, 1e9}) {
    const double mean = 3e-7;  // seconds a node
    const auto all_nodes = static_cast<GlobalIndex>(nodes);
    const double unit = partition::weight_unit(mean * nodes, all_nodes);
    const auto exact = costs(1'000'000, mean);
    const auto weights = partition::whole_weights<std::int32_t>(exact, unit);
    const double found = std::accumulate(weights.begin(), weights.end(), 0.0);
    INFO(nodes << " nodes: mean weight " << found / 1e6);
    CHECK(found / 1e6 * nodes < int_max);
    CHECK(*std::min_element(weights.begin(), weights.end()) >= 1);
    if (nodes > 1.5e8) continue;  // more arcs than PT-Scotch numbers: the curve has 64 bits
    for (std::size_t first = 0; first + 5000 <= exact.size(); first += 777) {  // every stretch of some nodes
      const auto begin = static_cast<std::ptrdiff_t>(first), end = begin + 5000;
      const double true_weight = std::accumulate(exact.begin() + begin, exact.begin() + end, 0.0) / unit;
      const double weight = std::accumulate(weights.begin() + begin, weights.begin() + end, 0.0);
      REQUIRE(std::abs(weight - true_weight) <= 1 + 1e-3 * true_weight);
    }
  }
}

TEST_CASE("weights of nodes that weigh nothing are one, and are not taken from others", "[partition]")
{
  const auto weights = partition::whole_weights<int>(std::vector<double>{0, 0, 0, 0, 0, 0, 10, 10}, 1);
  CHECK(weights == std::vector<int>{1, 1, 1, 1, 1, 1, 10, 10});
}

TEST_CASE("counted elements are weights as they are", "[partition]")
{
  const auto box = test::box_mesh(4, 3, 2, 0.1);
  const auto exact = partition::node_weights(box.tets, 0, box.nodes.size(), {});
  const auto weights = partition::whole_weights<int>(exact, 1);
  for (std::size_t n = 0; n < exact.size(); ++n) REQUIRE(weights[n] == static_cast<int>(exact[n]));
  CHECK(std::accumulate(exact.begin(), exact.end(), 0.0) == 4.0 * static_cast<double>(box.tets.size()));
}
