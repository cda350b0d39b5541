#include "contact/broad_phase/active_pairs.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;

namespace {

constexpr double interval = 1e-3;  // between calls [s]
constexpr double skin = 0.1;       // of the list [m]

/// Two tetrahedra, the second above the first by `gap`, as a list of one pair.
struct TwoElements {
  explicit TwoElements(double gap)
  {
    near.window = {1, skin};
    near.nodes = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int e = 0; e < 2; ++e) {
      ListedElement element;
      element.id = static_cast<ElementId>(e);
      for (int a = 0; a < 4; ++a) element.nodes[static_cast<std::size_t>(a)] = 4 * e + a;
      near.elements.push_back(element);
      near.pairs_of.push_back({0});
    }
    near.pairs.resize(1);
    near.pairs[0].a = 0, near.pairs[0].b = 1;
    p = {{0, 0, 0, 0},   {1, 0, 0, 0},   {0, 1, 0, 0},   {0, 0, -1, 0},
         {0, 0, gap, 0}, {1, 0, gap, 0}, {0, 1, gap, 0}, {0, 0, gap + 1, 0}};
    v.resize(p.size());
  }

  void raise(double by)
  {
    for (std::size_t k = 4; k < 8; ++k) p[k].z += by;
  }
  void set_speed(double up)
  {
    for (std::size_t k = 4; k < 8; ++k) v[k].z = up;
  }

  PairList near;
  std::vector<Row4> p, v;
  ActivePairs active;
};

}  // namespace

TEST_CASE("a pair that may touch is active before it does, wherever its velocity pointed", "[contact]")
{
  const double speed = GENERATE(0.0, 5.0, -5.0);  // told, while it comes down all the same
  CAPTURE(speed);
  TwoElements two(0.5);
  two.set_speed(speed);
  two.active.select(two.near, two.p, two.v, interval);
  CHECK(two.active.size() == 0);
  bool seen_late = false;
  for (int k = 0; k < 55; ++k) {
    two.raise(-0.01);
    two.active.update(two.near, two.p, two.v, interval / 10, interval);
    const double gap = 0.5 - 0.01 * (k + 1);
    if (gap > 0.45) seen_late = seen_late || two.active.size() == 0;
    if (gap < 0.005) CHECK(two.active.size() == 1);
  }
  CHECK((seen_late || speed < 0));
}

TEST_CASE("a pair found apart forgets what it overlapped", "[contact]")
{
  TwoElements two(-0.1);
  two.active.select(two.near, two.p, two.v, interval);
  REQUIRE(two.active.size() == 1);
  two.near.pairs[0].overlap = two.near.pairs[0].initial_overlap = 1e-3;

  two.raise(1);
  SECTION("when selected anew")
  {
    two.active.select(two.near, two.p, two.v, interval);
  }
  SECTION("when the motions have ended, not before")
  {
    two.active.update(two.near, two.p, two.v, interval, interval);
    REQUIRE(two.active.size() == 1);
    two.active.update(two.near, two.p, two.v, 64 * interval, interval);
  }
  CHECK(two.active.size() == 0);
  CHECK(two.near.pairs[0].overlap == 0);
}

TEST_CASE("a list that goes on keeps what was selected and tests what is new", "[contact]")
{
  TwoElements two(0.5);
  two.active.select(two.near, two.p, two.v, interval);
  REQUIRE(two.active.size() == 0);
  // A third element on the second: a pair with the first far below, and one with the second.
  ListedElement third = two.near.elements[1];
  third.id = 2;
  for (int a = 0; a < 4; ++a) {
    const auto k = two.p.size();
    third.nodes[static_cast<std::size_t>(a)] = static_cast<int>(k);
    two.near.new_nodes.push_back(static_cast<int>(k));
    two.near.nodes.push_back(static_cast<LocalIndex>(k));
    two.p.push_back(two.p[k - 4]), two.v.push_back({});
    two.p.back().z += 0.9;
  }
  two.near.elements.push_back(third);
  ListedPair pair;
  pair.a = 0, pair.b = 2, pair.plane = SeparatingPlane::face_of_first(3);  // as the search does
  two.near.pairs.push_back(pair);
  pair.a = 1;
  two.near.pairs.push_back(pair);
  two.near.pairs_of[0].push_back(1), two.near.pairs_of[1].push_back(2);
  two.near.pairs_of.push_back({1, 2});
  two.near.new_pairs = {1, 2};
  two.active.mend(two.near, two.p, two.v, interval / 10);
  CHECK(two.active.size() == 2);
  two.active.update(two.near, two.p, two.v, 0, interval);
  REQUIRE(two.active.size() == 1);
  CHECK(two.active.pairs()[0] == 2);
  // What was apart is still watched. The second leaves the third for the first.
  two.raise(-0.5);
  two.active.update(two.near, two.p, two.v, interval / 10, interval);
  REQUIRE(two.active.size() == 2);
  CHECK(two.active.pairs()[0] == 2);
  CHECK(two.active.pairs()[1] == 0);
}
