#pragma once
/// Sparse matrices of 3 x 3 blocks, one for each pair of nodes that share an element, distributed by rows.

#include "core/comm.hpp"
#include "core/types.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sunder::solvers {

/// The nodes of distributed vectors and matrices. Unknowns are three a node: x, y, z.
///
///   index     [0, num_owned)               [num_owned, ids.size())
///   nodes     this rank's, ascending by id  copies of others', in any order
///
/// A vector of owned nodes has 3 num_owned entries, one of all nodes 3 ids.size().
struct NodeLayout {
  Comm comm;
  LocalIndex num_owned = 0;
  GlobalIndex first_owned = 0;          ///< Sum of num_owned over the ranks below.
  std::vector<NodeId> ids;              ///< (nodes)
  std::vector<GlobalIndex> global;      ///< (nodes) first_owned + index at its owner
  std::vector<Vec3> X;                  ///< (nodes) Material positions [m].
  std::vector<std::int64_t> component;  ///< (nodes) Which connected component of the bodies; the same on all ranks.
  /// Collective. Overwrites the entries of ghosts (3 nodes) by their owners'.
  std::function<void(std::span<double>)> owners_to_ghosts;

  LocalIndex size() const noexcept { return static_cast<LocalIndex>(ids.size()); }
};

using Block = std::array<double, 9>;  ///< 3 x 3, row-major.

/// The rows of the nodes that this rank owns. Symmetric as a whole. An owner has every element around its nodes, so it
/// fills its rows alone. Blocks of a row ascend by the ids of their columns, and each is a sum over elements in
/// canonical order: both have the same bits on any number of ranks.
struct BlockMatrix {
  std::vector<std::int64_t> row_begin;  ///< (num_owned + 1) in columns and values
  std::vector<LocalIndex> columns;      ///< Index in the layout.
  std::vector<Block> values;
  /// (3 nodes) Not 0: the unknown is prescribed. Its row and its column are zero but for the diagonal, which is
  /// positive.
  std::vector<std::uint8_t> fixed;
};

}  // namespace sunder::solvers
