#pragma once
/// Hierarchy of axis-aligned boxes (T 5.2.1). Local.

#include "geometry/box.hpp"

#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sunder::geometry {

/// A binary tree over boxes. A set of boxes is split at the median along its longest side; if a few boxes lie far from
/// the rest, it is split half way between, so that these few get a branch of their own. refit() keeps the tree and
/// updates its boxes. That is several times cheaper than build(). The tree stays correct, but becomes less tight as
/// bodies deform.
class BoxTree {
public:
  void build(std::span<const Box> boxes);
  /// boxes: as many as the tree was built over, in the same order. Builds the tree anew if it has become too loose, for
  /// instance because what stood together has flown apart.
  void refit(std::span<const Box> boxes);

  int size() const noexcept { return static_cast<int>(items_.size()); }

  /// Boxes of similar size that together contain all boxes: `usual` of them, if the tree has as many. A box that is
  /// several times longer than the median is divided further, up to 4 `usual` boxes in all. So what lies far from the
  /// rest gets boxes of its own.
  std::vector<Box> cover(int usual) const;

  /// Calls found(item) for each item whose box meets `box`.
  template <class Found>
  void query(const Box& box, Found&& found) const
  {
    if (nodes_.empty()) return;
    std::vector<int>& pending = pending_;
    pending.assign(1, 0);
    while (!pending.empty()) {
      const int n = pending.back();
      pending.pop_back();
      const Node& node = nodes_[static_cast<std::size_t>(n)];
      if (!node.box.meets(box)) continue;
      if (node.leaf())
        for (int k = node.begin; k < node.end; ++k) {
          if (boxes_[static_cast<std::size_t>(k)].meets(box)) found(items_[static_cast<std::size_t>(k)]);
        }
      else
        pending.push_back(n + 1), pending.push_back(node.right);
    }
  }

  /// Calls found(item) for each item where enter(box) holds for its box and for all boxes around it.
  template <class Enter, class Found>
  void search(Enter&& enter, Found&& found) const
  {
    std::vector<int>& pending = pending_;
    pending.assign(nodes_.empty() ? 0 : 1, 0);
    while (!pending.empty()) {
      const int n = pending.back();
      pending.pop_back();
      const Node& node = nodes_[static_cast<std::size_t>(n)];
      if (!enter(node.box)) continue;
      if (node.leaf())
        for (int k = node.begin; k < node.end; ++k) {
          if (enter(boxes_[static_cast<std::size_t>(k)])) found(items_[static_cast<std::size_t>(k)]);
        }
      else
        pending.push_back(n + 1), pending.push_back(node.right);
    }
  }

  /// Calls found(i, j) once for each item i of this tree and j of the other where meet(box, other_box) holds for their
  /// boxes and for all boxes around them, in no particular order. The trees may stand in different frames.
  template <class Meet, class Found>
  void query_pairs(const BoxTree& other, Meet&& meet, Found&& found) const
  {
    if (nodes_.empty() || other.nodes_.empty()) return;
    std::vector<std::pair<int, int>> pending{{0, 0}};
    while (!pending.empty()) {
      const auto [m, n] = pending.back();
      pending.pop_back();
      const Node &a = nodes_[static_cast<std::size_t>(m)], &b = other.nodes_[static_cast<std::size_t>(n)];
      if (!meet(a.box, b.box)) continue;
      if (a.leaf() && b.leaf()) {
        for (int i = a.begin; i < a.end; ++i)
          for (int j = b.begin; j < b.end; ++j)
            if (meet(boxes_[static_cast<std::size_t>(i)], other.boxes_[static_cast<std::size_t>(j)]))
              found(items_[static_cast<std::size_t>(i)], other.items_[static_cast<std::size_t>(j)]);
      } else if (b.leaf() || (!a.leaf() && a.end - a.begin >= b.end - b.begin)) {
        pending.emplace_back(m + 1, n), pending.emplace_back(a.right, n);
      } else {
        pending.emplace_back(m, n + 1), pending.emplace_back(m, b.right);
      }
    }
  }

  /// The item that is nearest to x; squared_distance(item) is never less than that to its box. Of several at the same
  /// distance the same one each time. -1 if there are no items.
  template <class SquaredDistance>
  int nearest(const Vec3& x, SquaredDistance&& squared_distance) const
  {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    const auto to_box = [&x](const Box& b) { return ((b.low - x).cwiseMax(x - b.high).cwiseMax(0)).squaredNorm(); };
    std::vector<int>& pending = pending_;
    pending.assign(nodes_.empty() ? 0 : 1, 0);
    while (!pending.empty()) {
      const int n = pending.back();
      pending.pop_back();
      const Node& node = nodes_[static_cast<std::size_t>(n)];
      if (!(to_box(node.box) < least)) continue;
      if (!node.leaf()) {
        const double left = to_box(nodes_[static_cast<std::size_t>(n) + 1].box),
                     right = to_box(nodes_[static_cast<std::size_t>(node.right)].box);
        pending.push_back(left < right ? node.right : n + 1), pending.push_back(left < right ? n + 1 : node.right);
        continue;
      }
      for (int k = node.begin; k < node.end; ++k) {
        if (!(to_box(boxes_[static_cast<std::size_t>(k)]) < least)) continue;
        const double d = squared_distance(items_[static_cast<std::size_t>(k)]);
        if (d < least) least = d, best = items_[static_cast<std::size_t>(k)];
      }
    }
    return best;
  }

  /// Calls found(i, j) once for each pair of items whose boxes meet, i != j, in no particular order. If it returns
  /// bool, false ends the search.
  template <class Found>
  void query_pairs(Found&& found) const
  {
    if (nodes_.empty()) return;
    std::vector<std::pair<int, int>> pending{{0, 0}};
    while (!pending.empty()) {
      const auto [m, n] = pending.back();
      pending.pop_back();
      const Node &a = nodes_[static_cast<std::size_t>(m)], &b = nodes_[static_cast<std::size_t>(n)];
      if (m != n && !a.box.meets(b.box)) continue;
      if (a.leaf() && b.leaf()) {
        if (!test_leaves(a, b, m == n, found)) return;
      } else if (m == n) {
        pending.emplace_back(m + 1, m + 1), pending.emplace_back(a.right, a.right),
            pending.emplace_back(m + 1, a.right);
      } else if (b.leaf() || (!a.leaf() && a.end - a.begin >= b.end - b.begin)) {
        pending.emplace_back(m + 1, n), pending.emplace_back(a.right, n);
      } else {
        pending.emplace_back(m, n + 1), pending.emplace_back(m, b.right);
      }
    }
  }

private:
  struct Node {
    Box box;
    int begin = 0, end = 0;  ///< Range of items_ below it.
    int right = 0;           ///< Its right child; the left one is the next node. 0: a leaf.
    bool leaf() const noexcept { return right == 0; }
  };

  /// Shall the search go on?
  template <class Found>
  bool test_leaves(const Node& a, const Node& b, bool same, Found& found) const
  {
    for (int i = a.begin; i < a.end; ++i)
      for (int j = same ? i + 1 : b.begin; j < b.end; ++j) {
        if (!boxes_[static_cast<std::size_t>(i)].meets(boxes_[static_cast<std::size_t>(j)])) continue;
        const int first = items_[static_cast<std::size_t>(i)], second = items_[static_cast<std::size_t>(j)];
        if constexpr (std::is_same_v<decltype(found(first, second)), bool>) {
          if (!found(first, second)) return false;
        } else {
          found(first, second);
        }
      }
    return true;
  }

  int build_node(std::span<const Vec3> centres, int begin, int end);
  int split(std::span<const Vec3> centres, int begin, int end);
  void fit(std::span<const Box> boxes);

  std::vector<Node> nodes_;  ///< Preorder.
  std::vector<int> items_;   ///< In the order of the leaves.
  std::vector<Box> boxes_;   ///< Of items_, in that order.
  double extent_ = 0;        ///< Sum of all boxes' half perimeters: looseness. [m]
  double extent_built_ = 0;  ///< That of the tree as it was built. [m]
  mutable std::vector<int> pending_;
};

}  // namespace sunder::geometry
