#pragma once
/// Boxes in a binary tree: which of them overlap?

#include "core/types.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sunder::io {

using Box = Eigen::AlignedBox3d;

/// Local. The same boxes in the same order give the same tree. Halved at the median along the longest axis.
class BoxTree {
public:
  explicit BoxTree(const std::vector<Box>& boxes) : boxes_(boxes), order_(boxes.size())
  {
    std::iota(order_.begin(), order_.end(), 0u);
    if (!boxes.empty()) build(0, order_.size());
  }

  /// visit(i, k) once for each pair of boxes that overlap or touch, i != k; stops when it returns false.
  template <class Visit>
  void for_overlapping_pairs(const Visit& visit) const
  {
    if (!nodes_.empty()) within(0, visit);
  }

private:
  struct Node {
    Box box;
    std::size_t begin = 0, end = 0;   // in order_
    std::size_t left = 0, right = 0;  // in nodes_; 0: a leaf
  };

  std::size_t build(std::size_t begin, std::size_t end)
  {
    constexpr std::size_t leaf_size = 4;
    const std::size_t me = nodes_.size();
    nodes_.push_back({Box(), begin, end, 0, 0});
    Box box, centres;
    for (std::size_t k = begin; k < end; ++k) box.extend(boxes_[order_[k]]), centres.extend(boxes_[order_[k]].center());
    nodes_[me].box = box;
    if (end - begin <= leaf_size) return me;
    Eigen::Index axis = 0;
    centres.sizes().maxCoeff(&axis);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(boxes_[a].center()[axis], a) < std::pair(boxes_[b].center()[axis], b);
    });
    const std::size_t left = build(begin, middle), right = build(middle, end);
    nodes_[me].left = left, nodes_[me].right = right;
    return me;
  }

  template <class Visit>
  bool within(std::size_t n, const Visit& visit) const
  {
    const Node& node = nodes_[n];
    if (node.left != 0)
      return within(node.left, visit) && within(node.right, visit) && between(node.left, node.right, visit);
    for (std::size_t i = node.begin; i < node.end; ++i)
      for (std::size_t k = i + 1; k < node.end; ++k)
        if (!pair(order_[i], order_[k], visit)) return false;
    return true;
  }

  template <class Visit>
  bool between(std::size_t a, std::size_t b, const Visit& visit) const
  {
    const Node &na = nodes_[a], &nb = nodes_[b];
    if (!na.box.intersects(nb.box)) return true;
    if (na.left != 0 && (nb.left == 0 || na.end - na.begin >= nb.end - nb.begin))
      return between(na.left, b, visit) && between(na.right, b, visit);
    if (nb.left != 0) return between(a, nb.left, visit) && between(a, nb.right, visit);
    for (std::size_t i = na.begin; i < na.end; ++i)
      for (std::size_t k = nb.begin; k < nb.end; ++k)
        if (!pair(order_[i], order_[k], visit)) return false;
    return true;
  }

  template <class Visit>
  bool pair(std::uint32_t i, std::uint32_t k, const Visit& visit) const
  {
    return !boxes_[i].intersects(boxes_[k]) || visit(i, k);
  }

  const std::vector<Box>& boxes_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace sunder::io
