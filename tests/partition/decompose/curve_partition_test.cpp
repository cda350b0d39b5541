#include "partition/decompose/curve_partition.hpp"

#include "partition/decompose/hilbert.hpp"
#include "support/all_gather.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <tuple>

namespace {

using namespace sunder;
using partition::CurveNode;

auto key_of(const CurveNode& n)
{
  return std::tuple(n.key, n.home, n.row);
}

/// Of ranks that have very different numbers of them; equal keys are frequent.
std::vector<CurveNode> random_nodes(Rank rank, Rank ranks)
{
  const int count = rank % 3 == 1 ? 0 : 40 * (rank + 1) / ranks;
  std::vector<CurveNode> nodes;
  for (int i = 0; i < count; ++i)
    nodes.push_back({combine(combine(7, static_cast<std::uint64_t>(rank)), static_cast<std::uint64_t>(i)) % 50, 1, rank,
                     static_cast<LocalIndex>(i)});
  return nodes;
}

/// All that ranks know, on each of them, in the order of ranks.
template <class T>
std::vector<T> gathered(const Comm& comm, const std::vector<T>& mine)
{
  std::vector<std::uint64_t> words;
  for (const T& value : mine) words.push_back(static_cast<std::uint64_t>(value));
  std::vector<T> all;
  for (const std::uint64_t word : test::all_gather(comm, words)) all.push_back(static_cast<T>(word));
  return all;
}

/// Points in a box, each with some rank, and as rows.
struct Points {
  std::vector<Vec3> all;
  std::vector<double> work;
  partition::NodeRows mine;
};

Points random_points(const Comm& comm, int count)
{
  Points points;
  for (int i = 0; i < count; ++i) {
    points.all.push_back(test::random_vector(11, static_cast<std::uint64_t>(i)));
    points.work.push_back(1.5 + test::random_number(12, static_cast<std::uint64_t>(i)));
  }
  const int first = count * comm.rank() / comm.size(), last = count * (comm.rank() + 1) / comm.size();
  points.mine.first = first;
  points.mine.weights.assign(points.work.begin() + first, points.work.begin() + last);
  points.mine.position = [all = points.all, first](std::size_t row) {
    return all[static_cast<std::size_t>(first) + row];
  };
  return points;
}

}  // namespace

TEST_CASE("nodes are sorted over ranks, however few some bring", "[partition][parallel]")
{
  const Comm world;
  std::vector<CurveNode> wanted;
  for (Rank r = 0; r < world.size(); ++r) {
    const auto theirs = random_nodes(r, world.size());
    wanted.insert(wanted.end(), theirs.begin(), theirs.end());
  }
  std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  constexpr std::size_t room = 40;
  const auto mine = partition::sorted_over_ranks(world, random_nodes(world.rank(), world.size()), room);
  const std::size_t first = room * static_cast<std::size_t>(world.rank());
  REQUIRE(mine.size() == std::min(room, wanted.size() - std::min(first, wanted.size())));
  for (std::size_t k = 0; k < mine.size(); ++k) REQUIRE(key_of(mine[k]) == key_of(wanted[first + k]));
}

TEST_CASE("the curve is divided into as many parts as there are ranks, of equal work", "[partition][parallel]")
{
  const Comm world;
  const int count = 500;
  const Points points = random_points(world, count);
  const auto owners = gathered(world, partition::partition_along_curve(world, points.mine));
  REQUIRE(owners.size() == count);
  Vec3 lowest = points.all[0], highest = lowest;
  for (const Vec3& x : points.all) lowest = lowest.cwiseMin(x), highest = highest.cwiseMax(x);
  std::vector<std::pair<std::uint64_t, Rank>> along;
  std::vector<double> load(static_cast<std::size_t>(world.size()), 0);
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    along.emplace_back(partition::hilbert_key(points.all[i], lowest, highest), owners[i]);
    load[static_cast<std::size_t>(owners[i])] += points.work[i], total += points.work[i];
  }
  std::sort(along.begin(), along.end());
  for (std::size_t i = 1; i < along.size(); ++i) REQUIRE(along[i - 1].second <= along[i].second);
  for (const double l : load) CHECK(std::abs(l - total / world.size()) <= 2.5);  // the heaviest node
}

TEST_CASE("no rank goes without a node beside one that outweighs all others", "[partition][parallel]")
{
  const Comm world;
  const int count = 3 * world.size();
  for (const int heavy : {0, count / 2, count - 1}) {
    Points points = random_points(world, count);
    points.mine.position = {};  // the rows follow the curve
    const int mine = heavy - static_cast<int>(points.mine.first);
    if (mine >= 0 && mine < static_cast<int>(points.mine.weights.size()))
      points.mine.weights[static_cast<std::size_t>(mine)] = 1e9;
    const auto owners = gathered(world, partition::partition_along_curve(world, points.mine));
    REQUIRE(owners.front() == 0);
    REQUIRE(owners.back() == world.size() - 1);
    for (std::size_t i = 1; i < owners.size(); ++i)
      REQUIRE((owners[i] == owners[i - 1] || owners[i] == owners[i - 1] + 1));
  }
}

TEST_CASE("more ranks than nodes leave some with none", "[partition][parallel]")
{
  const Comm world;
  partition::NodeRows rows;
  rows.first = world.rank() > 0;
  if (world.rank() == 0) rows.weights = {1};
  const auto owners = gathered(world, partition::partition_along_curve(world, rows));
  REQUIRE(owners.size() == 1);
  CHECK((owners[0] >= 0 && owners[0] < world.size()));
}

TEST_CASE("the Hilbert curve goes from neighbour to neighbour", "[partition][hilbert]")
{
  // Sorted by key, the cells of a grid of 2^k follow each other face to face.
  std::vector<std::pair<std::uint64_t, Vec3>> cells;
  const int n = 8;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 x = (Vec3(i, j, k).array() + 0.5) / n;
        cells.emplace_back(partition::hilbert_key(x, Vec3::Zero(), Vec3::Ones()), x);
      }
  std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t c = 1; c < cells.size(); ++c)
    REQUIRE((cells[c].second - cells[c - 1].second).norm() == Approx(1.0 / n));
}
