#include "partition/across_ranks/dense_numbers.hpp"

#include "core/hash.hpp"
#include "support/all_gather.hpp"
#include "support/mpi_counts.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <functional>
#include <set>

using namespace sunder;

TEST_CASE("dense numbers are positions in the sorted list of all ids", "[dense_numbers][parallel]")
{
  const Comm comm;
  const auto ranks = static_cast<std::uint64_t>(comm.size()), me = static_cast<std::uint64_t>(comm.rank());
  const auto count = GENERATE(0u, 1u, 40u, 5000u);
  const std::size_t ranges = GENERATE(1u, 2u, 17u, 1024u);  // fewer and more than there are ids, or ranks
  const int choice = GENERATE(0, 1, 2, 3);
  CAPTURE(count, ranges, choice);
  std::vector<NodeId> mine;
  for (std::uint64_t k = 0; k < count; ++k) {
    // Ids of nodes of the input, where one corner of the mesh is dust, and of nodes made by cracks.
    const NodeId id = k % 5 == 0 ? made_bit | mix(k) >> 2 : 1'000'000 + 3 * k;
    const bool held = choice == 0   ? k * ranks / count == me           // ranges of ids
                      : choice == 1 ? mix(k) % ranks == me              // scattered
                      : choice == 2 ? me + 1 == ranks                   // all on one rank
                                    : mix(k) % ranks <= me || k == 0u;  // most on several
    if (held) mine.push_back(id);
  }
  const auto before = test::mpi_counts();
  const auto numbers = partition::dense_numbers(comm, mine, ranges);
  const auto spent = test::mpi_counts() - before;

  const auto all = test::all_gather(comm, mine);
  const std::set<NodeId> distinct(all.begin(), all.end());
  const std::vector<NodeId> sorted(distinct.begin(), distinct.end());
  REQUIRE(numbers.size() == mine.size());
  for (std::size_t k = 0; k < mine.size(); ++k) {
    REQUIRE(numbers[k] >= 0);
    REQUIRE(numbers[k] < static_cast<std::int64_t>(sorted.size()));
    REQUIRE(sorted[static_cast<std::size_t>(numbers[k])] == mine[k]);
  }
  CHECK(spent.messages == 3 * static_cast<std::int64_t>(std::bit_width(ranks - 1)));
  CHECK(spent.collectives() == 1);
  CHECK(spent.longer_with_ranks == 0);
}
