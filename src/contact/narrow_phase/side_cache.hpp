#pragma once
/// The sides of listed elements, while nodes stand still. Local.

#include "contact/broad_phase/pair_list.hpp"
#include "contact/narrow_phase/element_overlap.hpp"
#include "geometry/corners.hpp"

#include <span>
#include <vector>

namespace sunder::contact {

/// The last sides that were asked for, each at its element modulo the size. Pairs that are near each other come one
/// after the other, so few sides are computed more than twice. Those of a whole surface would take more memory than the
/// bodies.
class SideCache {
public:
  /// The nodes of the list have moved, or its elements have changed.
  void clear() { elements_.assign(size, -1); }
  /// Holds until the next call. After clear().
  /// @param p  (nodes of the list) [m]
  const Side& side(const PairList& list, int element, std::span<const Row4> p)
  {
    const auto e = static_cast<std::size_t>(element), place = e % size;
    if (elements_[place] != element) {
      elements_[place] = element;
      sides_[place] = Side(geometry::corners_of(list.elements[e].nodes, p), list.elements[e].free);
    }
    return sides_[place];
  }

private:
  static constexpr std::size_t size = 2048;

  std::vector<int> elements_;
  std::vector<Side> sides_ = std::vector<Side>(size);
};

}  // namespace sunder::contact
