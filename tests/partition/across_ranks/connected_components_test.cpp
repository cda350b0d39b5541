#include "partition/across_ranks/connected_components.hpp"

#include "core/hash.hpp"
#include "simulation/union_find.hpp"
#include "support/all_gather.hpp"
#include "support/mpi_counts.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <set>

using namespace sunder;

namespace {

/// How a graph goes to ranks: which of them knows this edge.
using Place = std::function<std::uint64_t(std::uint64_t edge, std::uint64_t ranks)>;

struct Found {
  std::map<NodeId, NodeId> least;  // of all ranks' vertices
  std::int64_t count = 0;
  int iterations = 0;
  std::int64_t messages = 0, collectives = 0;  // of this rank
};

std::vector<NodeId> ends_of(const test::Edges& edges)
{
  std::set<NodeId> ends;
  for (const auto& [a, b] : edges) ends.insert({a, b});
  return {ends.begin(), ends.end()};
}

/// Collective. Each rank gives the edges that are placed on it, and their ends.
Found distributed(const Comm& comm, const test::Edges& all, const Place& place)
{
  test::Edges mine;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (place(k, static_cast<std::uint64_t>(comm.size())) == static_cast<std::uint64_t>(comm.rank()))
      mine.push_back(all[k]);
  const std::vector<NodeId> vertices = ends_of(mine);
  const auto before = test::mpi_counts();
  const auto components = partition::connected_components(comm, vertices, mine);
  const auto spent = test::mpi_counts() - before;

  Found found;
  std::vector<NodeId> pairs;
  for (std::size_t k = 0; k < vertices.size(); ++k) pairs.insert(pairs.end(), {vertices[k], components.least[k]});
  pairs = test::all_gather(comm, pairs);
  for (std::size_t k = 0; k < pairs.size(); k += 2) {
    const auto [known, is_new] = found.least.try_emplace(pairs[k], pairs[k + 1]);
    CHECK(known->second == pairs[k + 1]);  // whoever asks
  }
  found.count = comm.sum(components.counted), found.iterations = components.iterations;
  CHECK(comm.max(std::int64_t{found.iterations}) == -comm.max(-std::int64_t{found.iterations}));
  found.messages = spent.messages, found.collectives = spent.collectives();
  return found;
}

void check_against_union_find(const Found& found, const test::Edges& all)
{
  const auto expected = test::least_by_union_find(ends_of(all), all);
  CHECK(found.least == expected);
  std::set<NodeId> smallest_ids;
  for (const auto& [vertex, least] : expected) smallest_ids.insert(least);
  CHECK(found.count == static_cast<std::int64_t>(smallest_ids.size()));
}

/// As many random edges among as many vertices, with ids that are spread out as those of nodes made by cracks are.
test::Edges random_graph(std::uint64_t vertices, std::uint64_t edges, std::uint64_t seed)
{
  test::Edges all;
  for (std::uint64_t k = 0; k < edges; ++k) {
    const std::uint64_t a = combine(combine(seed, k), std::uint64_t{0}) % vertices,
                        b = combine(combine(seed, k), std::uint64_t{1}) % vertices;
    all.emplace_back(mix(a), mix(b));
  }
  return all;
}

/// Parts of an unbroken body: bricks, each beside up to 26 others.
test::Edges bricks(int nx, int ny, int nz)
{
  test::Edges all;
  for (int a = 0; a < nx * ny * nz; ++a)
    for (int k = 0; k < 27; ++k) {
      const int x = a % nx + k % 3 - 1, y = a / nx % ny + k / 3 % 3 - 1, z = a / nx / ny + k / 9 - 1;
      const int b = x + nx * (y + ny * z);
      if (std::min({x, y, z}) >= 0 && x < nx && y < ny && z < nz && a != b)
        all.emplace_back(static_cast<NodeId>(a), static_cast<NodeId>(b));
    }
  return all;
}

std::int64_t hops(const Comm& comm)
{
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(comm.size() - 1)));
}

const std::vector<Place> places{
    [](std::uint64_t edge, std::uint64_t ranks) { return mix(edge) % ranks; },
    [](std::uint64_t edge, std::uint64_t ranks) { return edge % ranks; },
    [](std::uint64_t, std::uint64_t ranks) { return ranks - 1; },                    // all but one know nothing
    [](std::uint64_t edge, std::uint64_t ranks) { return edge % 2 * (ranks / 2); },  // two know all
};

}  // namespace

TEST_CASE("components over ranks are those of a union-find", "[components][parallel]")
{
  const Comm comm;
  const auto place = GENERATE(0u, 1u, 2u, 3u);
  const auto edges = GENERATE(0u, 1u, 50u, 300u, 600u, 2000u);  // of 1000 vertices: dust ... one large component
  CAPTURE(place, edges);
  const auto graph = random_graph(1000, edges, 7 * edges + place);
  check_against_union_find(distributed(comm, graph, places[place]), graph);
}

TEST_CASE("a vertex without edges is a component of its own, however many ranks name it", "[components][parallel]")
{
  const Comm comm;
  const std::vector<NodeId> mine{5, static_cast<NodeId>(100 + comm.rank())};  // 5 is the same vertex everywhere
  const auto components = partition::connected_components(comm, mine, {});
  CHECK(components.least == mine);
  CHECK(comm.sum(components.counted) == 1 + comm.size());
  CHECK(components.iterations == 1);
  CHECK(comm.sum(partition::connected_components(comm, {}, {}).counted) == 0);
}

TEST_CASE("iterations grow with the logarithm of a chain over all ranks", "[components][parallel]")
{
  const Comm comm;
  const int shape = GENERATE(0, 1, 2);  // chain with ascending ids, with ids at random, star
  const std::uint64_t length = GENERATE(2u, 16u, 128u, 1024u, 8192u);
  CAPTURE(shape, length);
  test::Edges chain;
  for (std::uint64_t k = 0; k + 1 < length; ++k)
    chain.emplace_back(shape == 0 ? k : shape == 1 ? mix(k) : length, shape == 1 ? mix(k + 1) : k + 1);
  const Found found = distributed(comm, chain, places[1]);  // neighbours in the chain are on neighbouring ranks
  check_against_union_find(found, chain);
  const double log2 = std::log2(static_cast<double>(length));
  if (comm.rank() == 0) WARN(length << " vertices, " << comm.size() << " ranks: " << found.iterations << " iterations");
  CHECK(found.iterations <= 2 * log2 + 8);
  CHECK(found.messages == found.iterations * 2 * hops(comm));
  CHECK(found.collectives == 0);
}

TEST_CASE("an unbroken body on ten thousand ranks takes few iterations", "[components][parallel]")
{
  const Comm comm;
  const auto graph = bricks(20, 20, 25);
  const Found found = distributed(comm, graph, places[0]);
  if (comm.rank() == 0) WARN("10000 parts: " << found.iterations << " iterations");
  CHECK(found.count == 1);
  CHECK(found.iterations <= 2 * std::log2(10'000));
  check_against_union_find(found, graph);
}

TEST_CASE("a component over all ranks costs its home no more messages than any other rank", "[components][parallel]")
{
  const Comm comm;
  const auto side = static_cast<Rank>(std::lround(std::ceil(std::cbrt(comm.size()))));
  const auto me = static_cast<std::uint64_t>(comm.rank()), ranks = static_cast<std::uint64_t>(comm.size());
  test::Edges mine;  // of a part a rank
  for (const auto& [a, b] : bricks(side, side, side))
    if (a == me && b < ranks) mine.emplace_back(a, b);
  const std::vector<NodeId> vertex{me};
  const auto before = test::mpi_counts();
  const auto components = partition::connected_components(comm, vertex, mine);
  const auto spent = test::mpi_counts() - before;
  const std::int64_t most = comm.max(spent.bytes), mean = comm.sum(spent.bytes) / comm.size();
  if (me == 0)
    WARN(ranks << " ranks: " << components.iterations << " iterations, " << spent.text() << "; " << mean
               << " bytes in the mean, " << most << " of the rank that sends most");
  CHECK(most <= 2 * mean);
  CHECK(components.least == std::vector<NodeId>{0});
  CHECK(comm.sum(components.counted) == 1);
  CHECK(components.iterations <= 2 * std::log2(comm.size()) + 8);
  CHECK(spent.messages == components.iterations * 2 * hops(comm));
  CHECK(spent.collectives() == 0);
}
