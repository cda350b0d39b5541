#pragma once
/// The matrix of a solve, assembled from elements by the owner of each row.

#include "element/model.hpp"
#include "element/tangent.hpp"
#include "simulation/equilibrium/node_numbering.hpp"
#include "solvers/block_matrix.hpp"

#include <span>
#include <vector>

namespace sunder::simulation {

/// Local, all of it. A row's blocks are added in the canonical order of elements, so they have the same bits on any
/// number of ranks.
class StiffnessMatrix {
public:
  /// The pattern: a block for each pair of nodes that share an element, in the rows of owned nodes. The numbering must
  /// outlive it.
  StiffnessMatrix(const mesh::TetMesh& mesh, const NodeNumbering& numbering);

  void clear();  ///< All blocks are zero, no unknown is fixed.

  /// Adds the tangents of all elements held.
  /// @param old  plastic strain at the start of the step; empty if no material flows
  void add_elements(const element::Model& model, std::span<const element::PlasticBlock> old,
                    const element::TangentOptions& options);
  /// Adds to the block of two nodes of the mesh that share an element, if the first one is owned.
  void add(LocalIndex row, LocalIndex column, const Mat3& block);
  /// Adds to the diagonal of the block of node i of the numbering.
  void add_diagonal(LocalIndex i, double value);

  /// To call last: rows and columns of these unknowns become zero but for the diagonal.
  /// @param fixed  (3 nodes of the layout)
  void fix(std::span<const std::uint8_t> fixed);

  const solvers::BlockMatrix& matrix() const noexcept { return matrix_; }

private:
  std::size_t position(LocalIndex row, LocalIndex column) const;
  void add_element(const std::array<std::int32_t, 16>& positions, const element::TangentBlock& tangent,
                   std::size_t lane);

  const NodeNumbering& numbering_;
  solvers::BlockMatrix matrix_;
  std::vector<std::array<std::int32_t, 16>> positions_;  // (slots) of blocks, row by row; -1: not ours
};

}  // namespace sunder::simulation
