#include "geometry/box_forest.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>
#include <vector>

using namespace sunder;
using namespace sunder::geometry;

namespace {

class Boxes {
public:
  Box next()
  {
    const Vec3 low(number_(random_), number_(random_), number_(random_));
    return {low, low + Vec3::Constant(0.1)};
  }

private:
  std::mt19937 random_{3};
  std::uniform_real_distribution<double> number_{0, 1};
};

std::set<int> found(const BoxForest& forest, const Box& box)
{
  std::set<int> keys;
  forest.query(box, [&](int key) { CHECK(keys.insert(key).second); });
  return keys;
}

std::set<int> by_brute_force(const std::map<int, Box>& boxes, const Box& box)
{
  std::set<int> keys;
  for (const auto& [key, other] : boxes)
    if (other.meets(box)) keys.insert(key);
  return keys;
}

void check_pairs(const BoxForest& forest, const std::map<int, Box>& here, const std::vector<Box>& boxes)
{
  BoxTree tree;
  tree.build(boxes);
  std::vector<std::set<int>> keys(boxes.size());
  forest.query_pairs(tree, [&](int key, int i) { CHECK(keys[static_cast<std::size_t>(i)].insert(key).second); });
  for (std::size_t i = 0; i < boxes.size(); ++i) CHECK(keys[i] == by_brute_force(here, boxes[i]));
}

}  // namespace

TEST_CASE("a forest that is changed a little at a time finds what is in it, and nothing else", "[geometry]")
{
  Boxes boxes;
  std::map<int, Box> here;
  const auto box_of = [&here](int key) { return here.at(key); };
  BoxForest forest;
  const auto put = [&](std::vector<int> keys, bool first) {
    for (const int key : keys) here[key] = boxes.next();
    if (first)
      forest.assign(keys, box_of);
    else
      forest.insert(keys, box_of);
  };
  std::vector<int> keys;
  for (int key = 0; key < 1000; ++key) keys.push_back(2 * key);
  put(keys, true);
  std::mt19937 random(5);
  for (int change = 0; change < 200; ++change) {
    std::vector<int> again;
    for (int k = 0; k < 5; ++k) {
      const auto which = std::next(here.begin(), static_cast<std::ptrdiff_t>(random() % here.size()));
      const int key = which->first;
      forest.erase(key);
      here.erase(which);
      CHECK_FALSE(forest.contains(key));
      if (change % 3 == 0) again.push_back(key);  // it comes back with another box
    }
    if (change % 3 != 0) again = {1001 + 2 * change};
    put(again, false);
    for (const auto& [key, box] : here) REQUIRE(forest.contains(key));
    const Box box = boxes.next();
    CHECK(found(forest, box) == by_brute_force(here, box));
    check_pairs(forest, here, {box, boxes.next(), boxes.next(), boxes.next(), boxes.next(), boxes.next()});
  }
}

TEST_CASE("a forest that is assigned anew forgets what it had", "[geometry]")
{
  Boxes boxes;
  std::map<int, Box> here;
  const auto box_of = [&here](int key) { return here.at(key); };
  BoxForest forest;
  for (const int first : {0, 50, 50}) {  // the last time the same keys with other boxes
    here.clear();
    std::vector<int> keys;
    for (int key = first; key < first + 100; ++key) keys.push_back(key), here[key] = boxes.next();
    forest.assign(keys, box_of);
    std::set<std::pair<int, int>> pairs, expected;
    forest.query_pairs([&](int a, int b) { CHECK(pairs.insert(std::minmax(a, b)).second); });
    for (const auto& [a, box_a] : here)
      for (const auto& [b, box_b] : here)
        if (a < b && box_a.meets(box_b)) expected.insert({a, b});
    CHECK(pairs == expected);
    CHECK(!pairs.empty());
    forest.erase(first);
    forest.insert(std::vector<int>{first}, box_of);
  }
}
