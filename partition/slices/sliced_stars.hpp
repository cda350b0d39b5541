#pragma once
/// The elements around each node of a rank's block, for a mesh in slices.

#include "core/comm.hpp"
#include "partition/slices/sliced_mesh.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

struct StarElement {
  GlobalIndex id = 0;
  std::array<GlobalIndex, 4> nodes{};
};

class SlicedStars {
public:
  /// Collective. Sends elements to the ranks that have their nodes.
  SlicedStars(const Comm& comm, const SlicedMesh& mesh);

  GlobalIndex first_node() const noexcept { return first_node_; }
  std::size_t num_nodes() const noexcept { return begin_.size() - 1; }
  bool has(GlobalIndex node) const noexcept
  {
    return node >= first_node_ && node < first_node_ + static_cast<GlobalIndex>(num_nodes());
  }
  /// All elements that have a node of the block, ascending by id.
  std::span<const StarElement> elements() const noexcept { return elements_; }
  /// Positions in elements() of those around the n-th node of the block, ascending.
  std::span<const std::uint32_t> around(std::size_t n) const
  {
    return std::span(around_).subspan(begin_[n], begin_[n + 1] - begin_[n]);
  }

private:
  GlobalIndex first_node_ = 0;
  std::vector<StarElement> elements_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> around_;
};

/// Collective. Mesh sizes of the nodes of this rank's block [m], the same bits as node_sizes() of distribute.hpp.
std::vector<double> node_sizes(const Comm& comm, const SlicedMesh& mesh, const SlicedStars& stars);

}  // namespace sunder::partition
