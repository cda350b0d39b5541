#include "contact/bounding_tree.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <numeric>

namespace sunder::contact {
namespace {

constexpr int leaf_size = 4;

}  // namespace

void BoundingTree::build(std::span<const Box> boxes)
{
  nodes_.clear();
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0);
  std::vector<Vec3> centres;
  centres.reserve(boxes.size());
  for (const Box& b : boxes) centres.push_back(b.low + b.high);
  if (!boxes.empty()) build_node(centres, 0, static_cast<int>(boxes.size()));
  refit(boxes);
}

int BoundingTree::build_node(std::span<const Vec3> centres, int begin, int end)
{
  const int here = static_cast<int>(nodes_.size());
  nodes_.push_back({Box{}, begin, end, 0});
  if (end - begin <= leaf_size) return here;
  Box middle;
  for (int k = begin; k < end; ++k)
    middle.include(centres[static_cast<std::size_t>(items_[static_cast<std::size_t>(k)])]);
  int axis = 0;
  (middle.high - middle.low).maxCoeff(&axis);
  const int half = begin + (end - begin) / 2;
  std::nth_element(items_.begin() + begin, items_.begin() + half, items_.begin() + end, [&](int i, int j) {
    const double x = centres[static_cast<std::size_t>(i)][axis], y = centres[static_cast<std::size_t>(j)][axis];
    return x != y ? x < y : i < j;
  });
  build_node(centres, begin, half);
  const int right = build_node(centres, half, end);
  nodes_[static_cast<std::size_t>(here)].right = right;
  return here;
}

void BoundingTree::refit(std::span<const Box> boxes)
{
  SUNDER_ASSERT(boxes.size() == items_.size());
  boxes_.resize(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) boxes_[k] = boxes[static_cast<std::size_t>(items_[k])];
  fit();
}

void BoundingTree::fit()
{
  extent_ = 0;
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children stand after their parent
    Node& node = nodes_[n];
    node.box = Box{};
    if (node.leaf()) {
      for (int k = node.begin; k < node.end; ++k) node.box.include(boxes_[static_cast<std::size_t>(k)]);
    } else {
      node.box.include(nodes_[n + 1].box);
      node.box.include(nodes_[static_cast<std::size_t>(node.right)].box);
    }
    extent_ += (node.box.high - node.box.low).sum();
  }
}

std::vector<Box> BoundingTree::cover(int most) const
{
  std::vector<Box> boxes;
  std::vector<std::size_t> level;
  if (!nodes_.empty()) level.push_back(0);
  while (!level.empty()) {
    std::vector<std::size_t> next;
    for (const std::size_t n : level)
      if (!nodes_[n].leaf()) next.push_back(n + 1), next.push_back(static_cast<std::size_t>(nodes_[n].right));
    if (next.size() < 2 * level.size() || static_cast<int>(next.size()) > most) break;  // some leaf: go no deeper
    level = std::move(next);
  }
  for (const std::size_t n : level) boxes.push_back(nodes_[n].box);
  return boxes;
}

}  // namespace sunder::contact
