#pragma once
/// The matrix of a solve, assembled from elements by the owner of each row.

#include "contact/law/pair_tangent.hpp"
#include "element/model.hpp"
#include "element/tangent.hpp"
#include "simulation/equilibrium/node_numbering.hpp"
#include "solvers/block_matrix.hpp"

#include <array>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Two elements that share no node, as where bodies touch: their corners' indices in the numbering.
using CoupledNodes = std::array<LocalIndex, 8>;

using NodePair = std::array<LocalIndex, 2>;

/// Local, all of it. A row's blocks are added in the canonical order of elements, so they have the same bits on any
/// number of ranks.
class StiffnessMatrix {
public:
  /// The pattern: a block for each pair of nodes that share an element or are coupled, in the rows of owned nodes. The
  /// numbering must outlive it.
  /// @param at_rest  (nodes of the layout) 1: all unknowns of the node will be fixed, always. It has a block on the
  ///                 diagonal and no other, and what lies between such nodes is not assembled. Empty: there is none
  /// @param joined   pairs of nodes of the mesh that share no element but have a block, as those of a link
  StiffnessMatrix(const mesh::TetMesh& mesh, const NodeNumbering& numbering, std::span<const CoupledNodes> coupled = {},
                  std::span<const std::uint8_t> at_rest = {}, std::span<const NodePair> joined = {});

  void clear();  ///< All blocks are zero, no unknown is fixed.

  /// Adds the tangents of all elements held.
  /// @param old  plastic strain at the start of the step; empty if no material flows
  void add_elements(const element::Model& model, std::span<const element::PlasticBlock> old,
                    const element::TangentOptions& options);
  /// Adds to the block of two nodes of the mesh that share an element or are joined, if the first one is owned.
  void add(LocalIndex row, LocalIndex column, const Mat3& block);
  /// Adds to the blocks of the k-th coupled nodes. To be called in the same order on all ranks, after the elements.
  void add_coupled(std::size_t k, const contact::PairMatrix& values);
  /// Adds to the diagonal of the block of node i of the numbering.
  void add_diagonal(LocalIndex i, double value);

  /// To call last: rows and columns of these unknowns become zero but for the diagonal.
  /// @param fixed  (3 nodes of the layout)
  void fix(std::span<const std::uint8_t> fixed);

  const solvers::BlockMatrix& matrix() const noexcept { return matrix_; }

private:
  void make_rows(const mesh::TetMesh& mesh, std::span<const CoupledNodes> coupled,
                 std::span<const std::uint8_t> at_rest, std::span<const NodePair> joined);
  void place_elements(const mesh::TetMesh& mesh, LocalIndex n, std::span<const std::uint8_t> at_rest,
                      std::span<const std::int32_t> position);
  std::size_t position(LocalIndex row, LocalIndex column) const;
  std::size_t position_of_indices(LocalIndex row, LocalIndex column) const;
  void add_element(const std::array<std::int32_t, 16>& positions, const double (&K)[16][12]);

  const NodeNumbering& numbering_;
  solvers::BlockMatrix matrix_;
  std::vector<std::array<std::int32_t, 16>> positions_;  // (slots) of blocks, row by row; -1: not ours, or at rest
  std::vector<std::uint8_t> wanted_;                     // (blocks of elements) has one of them a position?
  std::vector<std::array<std::int32_t, 64>> coupled_positions_;  // (coupled) likewise
};

}  // namespace sunder::simulation
