#include "contact/broad_phase/rank_rendezvous.hpp"

#include "contact/broad_phase/cells.hpp"
#include "core/hash.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;

namespace {

/// What this rank has sent and received since it was last cleared.
struct Traffic {
  std::int64_t messages = 0, received = 0;  // received: [bytes]
} traffic;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double greatest = std::numeric_limits<double>::max();

using Bounds = std::array<double, 6>;

Bounds bounds(const Box& b)
{
  return {b.low.x(), b.low.y(), b.low.z(), b.high.x(), b.high.y(), b.high.z()};
}

/// Rank and bounds of every box met, in the order told.
using Met = std::vector<std::pair<Rank, Bounds>>;

Met met(const std::vector<RankBoxes>& ranks)
{
  Met all;
  for (const RankBoxes& r : ranks)
    for (const Box& b : r.boxes) all.emplace_back(r.rank, bounds(b));
  return all;
}

std::vector<std::vector<Box>> boxes_of_all(const Comm& comm, const std::vector<Box>& mine)
{
  std::vector<std::uint64_t> words;
  for (const Box& b : mine)
    for (const double x : bounds(b)) words.push_back(std::bit_cast<std::uint64_t>(x));
  std::vector<std::vector<Box>> all;
  for (Rank r = 0; r < comm.size(); ++r) {
    std::string text;
    if (r == comm.rank()) text.assign(reinterpret_cast<const char*>(words.data()), 8 * words.size());
    comm.broadcast(text, r);
    std::vector<double> x(text.size() / 8);
    if (!x.empty()) std::memcpy(x.data(), text.data(), text.size());
    all.emplace_back();
    for (std::size_t k = 0; k < x.size(); k += 6)
      all.back().push_back({{x[k], x[k + 1], x[k + 2]}, {x[k + 3], x[k + 4], x[k + 5]}});
  }
  return all;
}

/// Each box of each rank against each of this one's.
Met by_brute_force(const Comm& comm, const std::vector<Box>& mine)
{
  const auto all = boxes_of_all(comm, mine);
  Met expected;
  for (Rank r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) continue;
    for (const Box& b : all[static_cast<std::size_t>(r)])
      if (holds_points(b) &&
          std::any_of(mine.begin(), mine.end(), [&](const Box& a) { return holds_points(a) && a.meets(b); }))
        expected.emplace_back(r, bounds(b));
  }
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  return expected;
}

/// Numbers that differ from rank to rank.
std::mt19937_64 random_of(Rank rank, std::uint64_t seed)
{
  return std::mt19937_64(combine(seed, static_cast<std::uint64_t>(rank)));
}

/// Sizes and distances from the origin over as many orders of magnitude each.
std::vector<Box> scattered(Rank rank, std::uint64_t seed, double orders, int count)
{
  auto random = random_of(rank, seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Box> boxes;
  for (int k = 0; k < count; ++k) {
    const double far = std::pow(10, orders / 2 * unit(random)), size = std::pow(10, orders / 2 * unit(random));
    Box b;
    b.low = far * Vec3(unit(random), unit(random), unit(random));
    b.high = b.low + size * Vec3(1 + unit(random), 1 + unit(random), 1 + unit(random));
    boxes.push_back(b);
  }
  return boxes;
}

Box cube(const Vec3& low, double side)
{
  return {low, low + Vec3::Constant(side)};
}

/// A block of ranks, 32 boxes each: four by four by two that overlap their neighbours, as covers of bodies do.
std::vector<Box> block(Rank rank, Rank ranks)
{
  const int side = static_cast<int>(std::ceil(std::cbrt(ranks)));
  const Vec3 corner(rank % side, rank / side % side, rank / (side * side));
  auto random = random_of(rank, 5);
  std::uniform_real_distribution<double> jitter(0, 0.05);
  std::vector<Box> boxes;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 2; ++k) {
        Box b{corner + Vec3(0.25 * i, 0.25 * j, 0.5 * k), corner + Vec3(0.25 * (i + 1), 0.25 * (j + 1), 0.5 * (k + 1))};
        b.grow(jitter(random));
        boxes.push_back(b);
      }
  return boxes;
}

struct Cost {
  std::int64_t pairs, messages, most_received;
};

Cost cost_of(const Comm& comm, const std::vector<Box>& mine)
{
  traffic = {};
  const auto ranks = rank_rendezvous(comm, mine);
  const Traffic spent = traffic;
  std::int64_t pairs = 0;
  for (const RankBoxes& r : ranks) pairs += static_cast<std::int64_t>(r.boxes.size());
  return {comm.sum(pairs), comm.sum(spent.messages), comm.max(spent.received)};
}

}  // namespace

// The MPI library calls these instead of its own, which count and pass on.
extern "C" int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                          MPI_Request* request)
{
  ++traffic.messages;
  return PMPI_Issend(data, count, type, to, tag, comm, request);
}

extern "C" int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status)
{
  traffic.received += count;
  return PMPI_Mrecv(data, count, type, message, status);
}

TEST_CASE("ranks meet whose boxes do, over twelve orders of magnitude", "[contact][parallel]")
{
  const Comm comm;
  const std::uint64_t seeds = comm.size() < 64 ? 20 : 2;  // all ranks told of all boxes take time
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto mine = scattered(comm.rank(), seed, 12, 24);
    CHECK(met(rank_rendezvous(comm, mine)) == by_brute_force(comm, mine));
  }
  const auto alike = scattered(comm.rank(), 99, 0.5, 24);
  const Met expected = by_brute_force(comm, alike);
  CHECK(met(rank_rendezvous(comm, alike)) == expected);
  if (comm.size() > 1) CHECK(!expected.empty());
}

TEST_CASE("ranks meet whatever their boxes are like", "[contact][parallel]")
{
  const Comm comm;
  const bool odd = comm.rank() % 2 == 1;
  const double r = comm.rank();
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<const char*, std::vector<Box>>> cases{
      {"none", {}},
      {"none on odd ranks", odd ? std::vector<Box>() : block(comm.rank(), comm.size())},
      {"identical", {cube({0.3, 0.3, 0.3}, 0.2), cube({0.3, 0.3, 0.3}, 0.2)}},
      {"points", {cube(Vec3::Zero(), 0), cube({1, r, 0}, 0), cube({1, 1 - r, 0}, 0)}},
      {"faces that coincide, cell upon cell", {cube({r, 0, 0}, 1), cube({-r - 1, 0, 0}, 1), cube({0, 0, 4 * r}, 4)}},
      {"the least there is", {cube(Vec3::Zero(), 5e-324), cube({r * 5e-324, 0, 0}, 5e-324)}},
      {"far from the origin", {cube(Vec3::Constant(1e15 + r), 1), cube(Vec3::Constant(-1e15 - r), 0)}},
      {"one around everything", {odd ? cube({r, r, r}, 1) : cube(Vec3::Constant(-1e9), 2e9), cube({r, 0, 0}, 1e-9)}},
      {"bounds without end",
       {{Vec3::Constant(-infinity), Vec3::Constant(odd ? infinity : r)},
        {Vec3::Constant(r), Vec3::Constant(infinity)},
        {Vec3::Constant(-greatest), Vec3::Constant(greatest)},
        {Vec3::Constant(infinity), Vec3::Constant(infinity)},
        cube({r, r, r}, 0.5)}},
      {"no numbers, and no points",
       {Box(),
        {Vec3(none, 0, 0), Vec3(1, 1, 1)},
        {Vec3(0, 0, 0), Vec3(none, 1, 1)},
        cube({1, 1, 1}, -0.5),
        cube({0, 0, 0}, 1)}},
  };
  for (const auto& [name, mine] : cases) {
    CAPTURE(name);
    CHECK(met(rank_rendezvous(comm, mine)) == by_brute_force(comm, mine));
  }
}

TEST_CASE("what flies ten thousand sizes away crowds nobody", "[contact][parallel]")
{
  const Comm comm;
  auto mine = block(comm.rank(), comm.size());
  const Cost before = cost_of(comm, mine);
  const double size = std::cbrt(comm.size());
  if (comm.rank() == comm.size() / 2) mine.back() = cube(Vec3(1e4, -7e3, 5e3) * size, 0.3);
  const Cost after = cost_of(comm, mine);
  CAPTURE(comm.size(), before.pairs, before.messages, before.most_received);
  CAPTURE(after.pairs, after.messages, after.most_received);
  CHECK(after.pairs <= 2 * before.pairs);
  CHECK(after.messages <= 2 * before.messages);
  CHECK(after.most_received <= 2 * before.most_received);
  if (comm.size() < 64) return;
  WARN(comm.size() << " ranks: pairs " << before.pairs << ", messages " << before.messages << ", most received "
                   << before.most_received << " bytes; with the outlier " << after.pairs << ", " << after.messages
                   << ", " << after.most_received);
  // A rank hears of its neighbours, whatever the others do.
  CHECK(before.most_received < 64 * 1024);
  CHECK(before.messages < 64 * comm.size());
}
