#pragma once
/// The coarse grid of a solver: cells of material space.

#include "solvers/block_matrix.hpp"

#include <vector>

namespace sunder::solvers {

/// Boxes of material space, each with nodes of one connected component. The box around a component is cut across its
/// longest edge into two or three equal parts, and so is each part, as long as it holds more nodes than asked for:
/// where the mesh is fine, cells are small, and a splinter is one cell. A pure function of the nodes of all ranks,
/// whoever owns them. Neighbours tend to have numbers close to each other.
struct MaterialCells {
  std::vector<std::int64_t> components;  ///< (cells) The same on all ranks, as are centres and sizes.
  std::vector<Vec3> centres;             ///< (cells) [m]
  std::vector<double> sizes;             ///< (cells) The longest edge; 1 if all nodes are at one place [m].
  std::vector<std::int32_t> of_node;     ///< (nodes of the layout) The node's cell; -1: none.

  std::size_t count() const noexcept { return components.size(); }
};

/// Collective, a reduction for each generation of parts. Of all cells, the `most_cells` with the most nodes are kept,
/// ties by number.
MaterialCells material_cells(const NodeLayout& layout, std::int64_t most_nodes, std::size_t most_cells);

}  // namespace sunder::solvers
