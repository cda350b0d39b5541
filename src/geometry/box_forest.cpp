#include "geometry/box_forest.hpp"

#include <utility>

namespace sunder::geometry {

void BoxForest::erase(int key)
{
  SUNDER_ASSERT(contains(key));
  keys_[static_cast<std::size_t>(std::exchange(position_[static_cast<std::size_t>(key)], -1))] = -1;
  ++num_erased_;
}

/// Takes off the last trees that so many more boxes shall make one tree with, and closes the gaps among their boxes.
/// Returns the position of the first of these boxes.
int BoxForest::make_room(int more)
{
  const bool all = 2 * num_erased_ > std::ssize(keys_);
  auto begin = static_cast<int>(keys_.size());
  for (int end = begin; !trees_.empty(); end = begin) {
    const int size = end - trees_.back().begin;
    if (!all && size >= 2 * (static_cast<int>(keys_.size()) - end + more)) break;
    begin = trees_.back().begin;
    trees_.pop_back();
  }
  auto kept = static_cast<std::size_t>(begin);
  for (std::size_t k = kept; k < keys_.size(); ++k) {
    if (keys_[k] < 0) {
      --num_erased_;
      continue;
    }
    keys_[kept] = keys_[k];
    position_[static_cast<std::size_t>(keys_[kept])] = static_cast<int>(kept);
    ++kept;
  }
  keys_.resize(kept);
  return begin;
}

void BoxForest::append(std::span<const int> keys)
{
  for (const int key : keys) {
    if (static_cast<std::size_t>(key) >= position_.size()) position_.resize(static_cast<std::size_t>(key) + 1, -1);
    position_[static_cast<std::size_t>(key)] = static_cast<int>(keys_.size());
    keys_.push_back(key);
  }
}

}  // namespace sunder::geometry
