#pragma once
/// The elements around every node, in ascending (canonical) order, kept up to date while the mesh changes.

#include "core/types.hpp"

#include <span>
#include <vector>

namespace sunder::mesh {

/// One pool of element indices, with a range for each node. A range that outgrows its capacity moves to the end of the
/// pool; the pool is packed when half of it is waste. Local, all of it.
class Stars {
public:
  Stars() = default;
  Stars(std::span<const Tet> tets, LocalIndex num_nodes);

  std::span<const LocalIndex> operator[](LocalIndex node) const
  {
    const Range& s = ranges_[static_cast<std::size_t>(node)];
    return {pool_.data() + s.begin, s.size};
  }

  void add_node();                                   ///< With an empty star.
  void append(LocalIndex node, LocalIndex element);  ///< element must exceed all of the star's.
  void remove(LocalIndex node, LocalIndex element);
  void assign(LocalIndex node, std::span<const LocalIndex> elements);  ///< Ascending.

private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint32_t size = 0, capacity = 0;
  };
  void reserve(Range& range, std::uint32_t capacity);
  void pack();

  std::vector<Range> ranges_;
  std::vector<LocalIndex> pool_;
  std::uint64_t wasted_ = 0;
};

}  // namespace sunder::mesh
