#pragma once
/// A set of boxes that changes a little at a time. Local.

#include "core/error.hpp"
#include "geometry/box_tree.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace sunder::geometry {

/// Boxes with keys, in trees of different sizes (the logarithmic method: Bentley and Saxe 1980). What is inserted makes
/// a tree of its own, together with the last trees that are not twice as large. So inserting a box costs O(log^2 n) in
/// the mean, and a query goes down O(log n) trees. What is erased is passed over, until it is half of all.
///
/// Keys are whole numbers from 0; memory grows with the greatest.
class BoxForest {
public:
  /// All that was here goes. box_of(key): a box. Trees are refitted where the keys are the same as before.
  template <class BoxOf>
  void assign(std::span<const int> keys, BoxOf&& box_of)
  {
    if (trees_.size() == 1 && std::ranges::equal(keys_, keys)) return trees_[0].tree.refit(boxes_from(0, box_of));
    trees_.clear(), keys_.clear(), position_.clear();
    num_erased_ = 0;
    insert(keys, box_of);
  }

  /// keys: not in here yet. box_of is asked for others' boxes, too.
  template <class BoxOf>
  void insert(std::span<const int> keys, BoxOf&& box_of)
  {
    if (keys.empty()) return;
    const int begin = make_room(static_cast<int>(keys.size()));
    append(keys);
    trees_.push_back({{}, begin});
    trees_.back().tree.build(boxes_from(begin, box_of));
  }

  void erase(int key);  ///< key: in here.
  bool contains(int key) const
  {
    return static_cast<std::size_t>(key) < position_.size() && position_[static_cast<std::size_t>(key)] >= 0;
  }
  void clear() { *this = {}; }

  /// Calls found(key) for each key whose box meets `box`.
  template <class Found>
  void query(const Box& box, Found&& found) const
  {
    for (const Tree& t : trees_)
      t.tree.query(box, [&](int i) {
        if (const int key = keys_[static_cast<std::size_t>(t.begin + i)]; key >= 0) found(key);
      });
  }

  /// Calls found(key, i) once for each key and each box i of `boxes` that meet: much less than a query for each box.
  template <class Found>
  void query_pairs(const BoxTree& boxes, Found&& found) const
  {
    for (const Tree& t : trees_)
      t.tree.query_pairs(boxes, [&](int k, int i) {
        if (const int key = keys_[static_cast<std::size_t>(t.begin + k)]; key >= 0) found(key, i);
      });
  }

  /// Right after assign(). Calls found(key, key) once for each two whose boxes meet.
  template <class Found>
  void query_pairs(Found&& found) const
  {
    SUNDER_ASSERT(trees_.size() <= 1 && num_erased_ == 0);
    for (const Tree& t : trees_)
      t.tree.query_pairs(
          [&](int i, int j) { found(keys_[static_cast<std::size_t>(i)], keys_[static_cast<std::size_t>(j)]); });
  }

private:
  struct Tree {
    BoxTree tree;
    int begin;  // position of its first box; they end where those of the next tree begin
  };

  int make_room(int more);
  void append(std::span<const int> keys);

  template <class BoxOf>
  std::vector<Box> boxes_from(int begin, BoxOf&& box_of) const
  {
    std::vector<Box> boxes;
    boxes.reserve(keys_.size() - static_cast<std::size_t>(begin));
    for (auto k = static_cast<std::size_t>(begin); k < keys_.size(); ++k) boxes.push_back(box_of(keys_[k]));
    return boxes;
  }

  std::vector<Tree> trees_;
  std::vector<int> keys_;      // by position; -1: erased
  std::vector<int> position_;  // by key; -1: not here
  int num_erased_ = 0;
};

}  // namespace sunder::geometry
