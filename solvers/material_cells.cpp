#include "solvers/material_cells.hpp"

#include "solvers/combine_over_ranks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder::solvers {

namespace {

using Point = std::array<double, 3>;

/// A box of the tree, and its parts: two or three, side by side along its longest edge.
struct Box {
  std::int64_t component = 0;
  Point low{}, high{};      // [m]
  std::int64_t nodes = 0;   // of all ranks
  std::int32_t depth = 0;   // cuts above
  std::int32_t first = -1;  // of its parts, which follow one another; -1: not cut
  std::int32_t parts = 1;

  std::size_t longest_axis() const
  {
    std::size_t longest = 0;
    for (std::size_t a = 1; a < 3; ++a)
      if (high[a] - low[a] > high[longest] - low[longest]) longest = a;
    return longest;
  }
  double size() const { return high[longest_axis()] - low[longest_axis()]; }
  double middle(std::size_t axis) const { return low[axis] + (high[axis] - low[axis]) / 2; }
  /// Where part p begins along the axis; p: 0 to parts.
  double cut(std::size_t axis, std::int32_t p) const
  {
    if (p == parts) return high[axis];
    return low[axis] + (high[axis] - low[axis]) * static_cast<double>(p) / static_cast<double>(parts);
  }
};

/// One box a component, around all of its.
void unite_boxes(std::vector<Box>& boxes)
{
  std::ranges::sort(boxes, {}, &Box::component);
  std::size_t last = 0;
  for (std::size_t k = 1; k < boxes.size(); ++k) {
    if (boxes[k].component != boxes[last].component) {
      boxes[++last] = boxes[k];
      continue;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      boxes[last].low[a] = std::min(boxes[last].low[a], boxes[k].low[a]);
      boxes[last].high[a] = std::max(boxes[last].high[a], boxes[k].high[a]);
    }
  }
  if (!boxes.empty()) boxes.resize(last + 1);
}

std::vector<Box> boxes_of_components(const NodeLayout& layout)
{
  std::vector<Box> boxes;
  for (std::size_t n = 0; n < static_cast<std::size_t>(layout.num_owned); ++n) {
    const Point X{layout.X[n].x(), layout.X[n].y(), layout.X[n].z()};
    if (boxes.empty() || boxes.back().component != layout.component[n])
      boxes.push_back({.component = layout.component[n], .low = X, .high = X});
    for (std::size_t a = 0; a < 3; ++a) {
      boxes.back().low[a] = std::min(boxes.back().low[a], X[a]);
      boxes.back().high[a] = std::max(boxes.back().high[a], X[a]);
    }
  }
  combine_over_ranks(layout.comm, boxes, unite_boxes);
  return boxes;
}

/// The tree of boxes, and the leaf of each node.
class Tree {
public:
  Tree(const NodeLayout& layout, std::int64_t most_nodes) : layout_(layout), boxes_(boxes_of_components(layout))
  {
    for (const std::int64_t component : layout.component)
      leaf_.push_back(
          static_cast<std::int32_t>(std::ranges::lower_bound(boxes_, component, {}, &Box::component) - boxes_.begin()));
    num_roots_ = boxes_.size();
    for (std::size_t first = 0; first < boxes_.size();) {
      count_nodes(first);
      first = cut(first, most_nodes);
      move_nodes();
    }
  }

  const std::vector<Box>& boxes() const noexcept { return boxes_; }
  std::size_t leaf(std::size_t node) const noexcept { return static_cast<std::size_t>(leaf_[node]); }

  /// Leaves that hold nodes, in the order of a walk through the tree.
  std::vector<std::size_t> leaves() const
  {
    std::vector<std::size_t> leaves, waiting;
    for (std::size_t root = num_roots_; root-- > 0;) waiting.push_back(root);
    while (!waiting.empty()) {
      const std::size_t k = waiting.back();
      waiting.pop_back();
      if (boxes_[k].first >= 0) {
        for (std::int32_t p = boxes_[k].parts; p-- > 0;)
          waiting.push_back(static_cast<std::size_t>(boxes_[k].first + p));
      } else if (boxes_[k].nodes > 0) {
        leaves.push_back(k);
      }
    }
    return leaves;
  }

private:
  void count_nodes(std::size_t first)
  {
    std::vector<std::int64_t> nodes(boxes_.size() - first);
    for (std::size_t n = 0; n < static_cast<std::size_t>(layout_.num_owned); ++n)
      if (leaf(n) >= first) ++nodes[leaf(n) - first];
    layout_.comm.sum_in_place(nodes);
    for (std::size_t k = 0; k < nodes.size(); ++k) boxes_[first + k].nodes = nodes[k];
  }

  /// Cuts boxes from `first` on that hold too many nodes. Three parts where they suffice and two do not: with halves
  /// alone, cells would be up to twice as many as asked for.
  /// @return  the first part
  std::size_t cut(std::size_t first, std::int64_t most_nodes)
  {
    constexpr std::int32_t deepest = 50;  // nodes at one place never part
    const std::size_t end = boxes_.size();
    for (std::size_t k = first; k < end; ++k) {
      Box& box = boxes_[k];
      if (box.nodes <= most_nodes || box.depth == deepest || !(box.size() > 0)) continue;
      box.first = static_cast<std::int32_t>(boxes_.size());
      box.parts = box.nodes > 2 * most_nodes && box.nodes <= 3 * most_nodes ? 3 : 2;
      const Box whole = box;
      const std::size_t axis = whole.longest_axis();
      for (std::int32_t p = 0; p < whole.parts; ++p) {
        Box part{.component = whole.component, .low = whole.low, .high = whole.high, .depth = whole.depth + 1};
        part.low[axis] = whole.cut(axis, p), part.high[axis] = whole.cut(axis, p + 1);
        boxes_.push_back(part);
      }
    }
    return end;
  }

  void move_nodes()
  {
    for (std::size_t n = 0; n < leaf_.size(); ++n) {
      const Box& box = boxes_[leaf(n)];
      if (box.first < 0) continue;
      const std::size_t axis = box.longest_axis();
      std::int32_t part = 0;
      while (part + 1 < box.parts && layout_.X[n][static_cast<Eigen::Index>(axis)] >= box.cut(axis, part + 1)) ++part;
      leaf_[n] = box.first + part;
    }
  }

  const NodeLayout& layout_;
  std::vector<Box> boxes_;  // the components', then parts
  std::size_t num_roots_ = 0;
  std::vector<std::int32_t> leaf_;  // (nodes of the layout)
};

/// Those with the most nodes, in the order given.
void keep_most_populous(const std::vector<Box>& boxes, std::size_t count, std::vector<std::size_t>& leaves)
{
  if (leaves.size() <= count) return;
  std::vector<std::size_t> places(leaves.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto key = [&](std::size_t place) { return std::pair(-boxes[leaves[place]].nodes, place); };
  std::ranges::sort(places, {}, key);
  places.resize(count);
  std::ranges::sort(places);
  for (std::size_t& place : places) place = leaves[place];
  leaves = std::move(places);
}

}  // namespace

MaterialCells material_cells(const NodeLayout& layout, std::int64_t most_nodes, std::size_t most_cells)
{
  const Tree tree(layout, most_nodes);
  std::vector<std::size_t> leaves = tree.leaves();
  keep_most_populous(tree.boxes(), most_cells, leaves);
  MaterialCells cells;
  std::vector<std::int32_t> number(tree.boxes().size(), -1);
  for (const std::size_t leaf : leaves) {
    const Box& box = tree.boxes()[leaf];
    number[leaf] = static_cast<std::int32_t>(cells.count());
    cells.components.push_back(box.component);
    cells.centres.emplace_back(box.middle(0), box.middle(1), box.middle(2));
    cells.sizes.push_back(box.size() > 0 ? box.size() : 1);
  }
  for (std::size_t n = 0; n < layout.ids.size(); ++n) cells.of_node.push_back(number[tree.leaf(n)]);
  return cells;
}

}  // namespace sunder::solvers
