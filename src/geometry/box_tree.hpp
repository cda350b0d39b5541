#pragma once
/// Hierarchy of axis-aligned boxes (T 5.2.1). Local.

#include "geometry/four_boxes.hpp"

#include <bit>
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
        for_each_bit(boxes_of(node).meeting(box), [&](int k) { found(item(node, k)); });
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
        for (int k = 0; k < node.size(); ++k) {
          if (enter(boxes_of(node).box(k))) found(item(node, k));
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
    for_each_pair_of_leaves(other, meet, [&](const Node& a, const Node& b) {
      for (int i = 0; i < a.size(); ++i)
        for (int j = 0; j < b.size(); ++j)
          if (meet(boxes_of(a).box(i), other.boxes_of(b).box(j))) found(item(a, i), other.item(b, j));
    });
  }

  /// Calls found(i, j) once for each item i of this tree and j of the other whose boxes meet, in no particular order.
  template <class Found>
  void query_pairs(const BoxTree& other, Found&& found) const
  {
    const auto meet = [](const Box& a, const Box& b) { return a.meets(b); };
    for_each_pair_of_leaves(other, meet, [&](const Node& a, const Node& b) {
      const FourBoxes& boxes = other.boxes_of(b);
      for (int i = 0; i < a.size(); ++i)
        for_each_bit(boxes.meeting(boxes_of(a).box(i)), [&](int j) { found(item(a, i), other.item(b, j)); });
    });
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
      for (int k = 0; k < node.size(); ++k) {
        if (!(to_box(boxes_of(node).box(k)) < least)) continue;
        const double d = squared_distance(item(node, k));
        if (d < least) least = d, best = item(node, k);
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
      } else if (b.leaf() || (!a.leaf() && a.size() >= b.size())) {
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
    int boxes = 0;           ///< Of a leaf: in boxes_.
    bool leaf() const noexcept { return right == 0; }
    int size() const noexcept { return end - begin; }
  };

  const FourBoxes& boxes_of(const Node& leaf) const { return boxes_[static_cast<std::size_t>(leaf.boxes)]; }
  int item(const Node& node, int k) const { return items_[static_cast<std::size_t>(node.begin + k)]; }

  template <class Visit>
  static void for_each_bit(unsigned bits, Visit&& visit)
  {
    for (; bits != 0; bits &= bits - 1) visit(std::countr_zero(bits));
  }

  /// Calls visit(a, b) for the leaves a of this tree and b of the other that meet(), with all boxes around them.
  template <class Meet, class Visit>
  void for_each_pair_of_leaves(const BoxTree& other, Meet&& meet, Visit&& visit) const
  {
    if (nodes_.empty() || other.nodes_.empty()) return;
    std::vector<std::pair<int, int>> pending{{0, 0}};
    while (!pending.empty()) {
      const auto [m, n] = pending.back();
      pending.pop_back();
      const Node &a = nodes_[static_cast<std::size_t>(m)], &b = other.nodes_[static_cast<std::size_t>(n)];
      if (!meet(a.box, b.box)) continue;
      if (a.leaf() && b.leaf()) {
        visit(a, b);
      } else if (b.leaf() || (!a.leaf() && a.size() >= b.size())) {
        pending.emplace_back(m + 1, n), pending.emplace_back(a.right, n);
      } else {
        pending.emplace_back(m, n + 1), pending.emplace_back(m, b.right);
      }
    }
  }

  /// Shall the search go on?
  template <class Found>
  bool test_leaves(const Node& a, const Node& b, bool same, Found& found) const
  {
    for (int i = 0; i < a.size(); ++i) {
      unsigned meeting = boxes_of(b).meeting(boxes_of(a).box(i));
      if (same) meeting &= ~0U << (i + 1);  // those after i
      for (; meeting != 0; meeting &= meeting - 1) {
        const int first = item(a, i), second = item(b, std::countr_zero(meeting));
        if constexpr (std::is_same_v<decltype(found(first, second)), bool>) {
          if (!found(first, second)) return false;
        } else {
          found(first, second);
        }
      }
    }
    return true;
  }

  int build_node(std::span<const Vec3> centres, int begin, int end);
  int split(std::span<const Vec3> centres, int begin, int end);
  void fit(std::span<const Box> boxes);

  std::vector<Node> nodes_;       ///< Preorder.
  std::vector<int> items_;        ///< In the order of the leaves.
  std::vector<FourBoxes> boxes_;  ///< Of the leaves' items.
  double extent_ = 0;             ///< Sum of all boxes' half perimeters: looseness. [m]
  double extent_built_ = 0;       ///< That of the tree as it was built. [m]
  mutable std::vector<int> pending_;
};

}  // namespace sunder::geometry
