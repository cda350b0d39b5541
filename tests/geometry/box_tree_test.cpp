#include "geometry/box_tree.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace sunder;
using namespace sunder::geometry;

namespace {

/// Cells of a block of side 1, of which the last `outliers` are somewhere within 1e4 of it.
std::vector<Box> debris(int cells, int outliers)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> far(-1e4, 1e4);
  const double side = 1.0 / cells;
  std::vector<Box> boxes;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k) boxes.push_back({side * Vec3(i, j, k), side * Vec3(i + 1.1, j + 1.1, k + 1.1)});
  for (auto b = boxes.end() - outliers; b != boxes.end(); ++b) {
    const Vec3 away(far(random), far(random), far(random));
    b->low += away, b->high += away;
  }
  return boxes;
}

double longest(const Box& b)
{
  return (b.high - b.low).maxCoeff();
}

bool inside(const Box& inner, const Box& outer)
{
  return (outer.low.array() <= inner.low.array()).all() && (inner.high.array() <= outer.high.array()).all();
}

void check_cover(const BoxTree& tree, const std::vector<Box>& boxes, std::size_t most)
{
  const auto cover = tree.cover(32);
  CHECK(cover.size() >= 32);
  CHECK(cover.size() <= most);
  for (const Box& b : boxes) CHECK(std::any_of(cover.begin(), cover.end(), [&](const Box& c) { return inside(b, c); }));
  // None is longer than half the block.
  for (const Box& c : cover) CHECK(longest(c) < 0.7);
}

std::set<std::pair<int, int>> pairs(const BoxTree& tree)
{
  std::set<std::pair<int, int>> found;
  tree.query_pairs([&](int i, int j) { found.insert(std::minmax(i, j)); });
  return found;
}

std::set<std::pair<int, int>> pairs_by_brute_force(const std::vector<Box>& boxes)
{
  std::set<std::pair<int, int>> found;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (boxes[i].meets(boxes[j])) found.insert({static_cast<int>(j), static_cast<int>(i)});
  return found;
}

}  // namespace

TEST_CASE("what lies far from the rest gets boxes of its own", "[geometry]")
{
  const int outliers = GENERATE(0, 1, 2, 20);
  CAPTURE(outliers);
  const auto boxes = debris(10, outliers);
  BoxTree tree;
  tree.build(boxes);
  check_cover(tree, boxes, outliers == 0 ? 32 : 128);
  CHECK(pairs(tree) == pairs_by_brute_force(boxes));
}

TEST_CASE("a tree whose boxes have flown apart is as good as a new one", "[geometry]")
{
  const auto boxes = debris(10, 20);
  BoxTree tree;
  tree.build(debris(10, 0));
  tree.refit(boxes);
  check_cover(tree, boxes, 128);
  CHECK(pairs(tree) == pairs_by_brute_force(boxes));
}

TEST_CASE("a cover of few boxes is these, of none is none", "[geometry]")
{
  BoxTree tree;
  tree.build({});
  CHECK(tree.cover(32).empty());
  const std::vector<Box> two{{Vec3::Zero(), Vec3::Ones()}, {Vec3::Constant(1e4), Vec3::Constant(1e4 + 1)}};
  tree.build(two);
  CHECK(tree.cover(32).size() == 2);
}

TEST_CASE("trees that stand in different frames find the pairs whose boxes meet", "[geometry]")
{
  const auto mine = debris(6, 5), others = debris(5, 0);
  const Vec3 away(0.4, 0.7, -0.2);
  BoxTree tree, other;
  tree.build(mine), other.build(others);
  const auto meet = [&away](const Box& a, const Box& b) { return a.meets({b.low + away, b.high + away}); };
  std::set<std::pair<int, int>> found, expected;
  tree.query_pairs(other, meet, [&](int i, int j) { CHECK(found.insert({i, j}).second); });
  for (std::size_t i = 0; i < mine.size(); ++i)
    for (std::size_t j = 0; j < others.size(); ++j)
      if (meet(mine[i], others[j])) expected.insert({static_cast<int>(i), static_cast<int>(j)});
  CHECK(!expected.empty());
  CHECK(found == expected);
  tree.query_pairs(BoxTree(), meet, [](int, int) { FAIL("a pair with nothing"); });
}

TEST_CASE("a search enters the boxes that it is told to", "[geometry]")
{
  const auto boxes = debris(6, 5);
  BoxTree tree;
  tree.build(boxes);
  const auto below = [](const Box& box) { return box.low.sum() < 0.7; };
  std::set<int> found, expected;
  tree.search(below, [&](int i) { CHECK(found.insert(i).second); });
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (below(boxes[i])) expected.insert(static_cast<int>(i));
  CHECK(!expected.empty());
  CHECK(found == expected);
  BoxTree().search(below, [](int) { FAIL("there is nothing"); });
}
