#include "geometry/box_tree.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sunder::geometry {
namespace {

constexpr int leaf_size = 4;  // FourBoxes
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A node of the tree as one box of a cover.
struct Branch {
  double side;  // the longest [m]
  int node;
  bool operator<(const Branch& other) const { return side < other.side; }
};

/// Infinite where it is not a number: what is compared must be one.
double longest_side(const Box& box)
{
  const double side = (box.high - box.low).maxCoeff();
  return side < infinity ? side : infinity;
}

double median_side(std::span<const Branch> branches, std::span<const Box> items)
{
  std::vector<double> sides;
  for (const Branch& branch : branches) sides.push_back(branch.side);
  for (const Box& item : items) sides.push_back(longest_side(item));
  const auto middle = sides.begin() + static_cast<std::ptrdiff_t>(sides.size() / 2);
  std::nth_element(sides.begin(), middle, sides.end());
  return *middle;
}

}  // namespace

void BoxTree::build(std::span<const Box> boxes)
{
  nodes_.clear(), boxes_.clear();
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0);
  std::vector<Vec3> centres;
  centres.reserve(boxes.size());
  for (const Box& b : boxes) centres.push_back(b.low + b.high);
  if (!boxes.empty()) build_node(centres, 0, static_cast<int>(boxes.size()));
  fit(boxes);
  extent_built_ = extent_;
}

int BoxTree::build_node(std::span<const Vec3> centres, int begin, int end)
{
  const int here = static_cast<int>(nodes_.size());
  nodes_.push_back({Box{}, begin, end});
  if (end - begin <= leaf_size) {
    nodes_.back().boxes = static_cast<int>(boxes_.size());
    boxes_.emplace_back();
    return here;
  }
  const int middle = split(centres, begin, end);
  build_node(centres, begin, middle);
  const int right = build_node(centres, middle, end);
  nodes_[static_cast<std::size_t>(here)].right = right;
  return here;
}

/// Divides the items from begin to end in two, none of them empty; returns where the second one begins.
int BoxTree::split(std::span<const Vec3> centres, int begin, int end)
{
  constexpr int few = 16;  // one in so many
  const auto centre = [&](int item) -> const Vec3& { return centres[static_cast<std::size_t>(item)]; };
  const auto first = items_.begin() + begin, last = items_.begin() + end;
  Box around;
  std::for_each(first, last, [&](int item) { around.include(centre(item)); });
  int axis = 0;
  (around.high - around.low).maxCoeff(&axis);
  const double half_way = around.low[axis] / 2 + around.high[axis] / 2;
  const auto below = [&](int item) { return centre(item)[axis] < half_way; };
  const auto left = std::count_if(first, last, below), right = (end - begin) - left;
  if (const auto fewer = std::min(left, right); fewer > 0 && fewer < (end - begin) / few)
    return static_cast<int>(std::stable_partition(first, last, below) - items_.begin());
  const auto half = first + (end - begin) / 2;
  std::nth_element(first, half, last, [&](int i, int j) {
    const double x = centre(i)[axis], y = centre(j)[axis];
    return x != y ? x < y : i < j;
  });
  return static_cast<int>(half - items_.begin());
}

void BoxTree::refit(std::span<const Box> boxes)
{
  constexpr double loose = 2;
  SUNDER_ASSERT(boxes.size() == items_.size());
  fit(boxes);
  if (extent_ > loose * extent_built_) build(boxes);
}

void BoxTree::fit(std::span<const Box> boxes)
{
  extent_ = 0;
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children stand after their parent
    Node& node = nodes_[n];
    node.box = Box{};
    if (node.leaf()) {
      for (int k = 0; k < node.size(); ++k) {
        const Box& box = boxes[static_cast<std::size_t>(item(node, k))];
        node.box.include(box);
        boxes_[static_cast<std::size_t>(node.boxes)].set(k, box);
      }
    } else {
      node.box.include(nodes_[n + 1].box);
      node.box.include(nodes_[static_cast<std::size_t>(node.right)].box);
    }
    extent_ += (node.box.high - node.box.low).sum();
  }
}

std::vector<Box> BoxTree::cover(int usual) const
{
  constexpr double much_longer = 4;
  const auto enough = static_cast<std::size_t>(usual), most = 4 * enough;
  std::vector<Branch> branches;  // a heap: the longest first
  std::vector<Box> items;        // branches that cannot be divided
  const auto add = [&](int node) {
    branches.push_back({longest_side(nodes_[static_cast<std::size_t>(node)].box), node});
    std::push_heap(branches.begin(), branches.end());
  };
  if (!nodes_.empty()) add(0);
  while (!branches.empty()) {
    const std::size_t count = branches.size() + items.size();
    if (count >= most || (count >= enough && branches.front().side <= much_longer * median_side(branches, items)))
      break;
    const int n = branches.front().node;
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    std::pop_heap(branches.begin(), branches.end());
    branches.pop_back();
    if (node.leaf())
      for (int k = 0; k < node.size(); ++k) items.push_back(boxes_of(node).box(k));
    else
      add(n + 1), add(node.right);
  }
  for (const Branch& branch : branches) items.push_back(nodes_[static_cast<std::size_t>(branch.node)].box);
  return items;
}

}  // namespace sunder::geometry
