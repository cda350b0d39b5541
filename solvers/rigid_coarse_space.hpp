#pragma once
/// The soft part of a matrix: rigid motions of cells of material space.

#include "solvers/block_cholesky.hpp"
#include "solvers/material_cells.hpp"
#include "solvers/prerounded_sums.hpp"

#include <optional>
#include <string>

namespace sunder::solvers {

/// Z holds six columns for each cell: the translations and rotations of its nodes, zero elsewhere and in prescribed
/// unknowns (Nicolaides 1987). Motions that depend on others of their cell are left out: their columns are zero.
/// Z^T A Z is known to all ranks and factored by each alike. Sums over nodes are rounded to a grid beforehand
/// (prerounded_sums.hpp), so all has the same bits on any number of ranks.
class RigidCoarseSpace {
public:
  /// Collective. What depends on the layout and the pattern alone. They must outlive this.
  /// @param most_nodes, most_cells  as material_cells()
  void set_pattern(const NodeLayout& layout, const BlockMatrix& A, std::int64_t most_nodes, std::size_t most_cells);

  /// Collective. Layout and pattern are those of set_pattern(), values are finite. They are read here only.
  /// @return  a motion that costs no energy, in plain words; the same on all ranks. Then no other call may follow.
  std::optional<std::string> set_values(const NodeLayout& layout, const BlockMatrix& A);

  /// Collective: two reductions. y = Z^T (r - A v); y: (6 cells), the same on all ranks; r, v: (3 num_owned)
  void restrict_residual(std::span<const double> r, std::span<const double> v, std::span<double> y);

  // Local.
  void solve(std::span<double> y) const { factor_.solve(y); }              ///< y = (Z^T A Z)^-1 y
  void add_motions(std::span<const double> y, std::span<double> z) const;  ///< z += Z y
  std::size_t num_cells() const noexcept { return cells_.count(); }
  std::size_t bytes() const noexcept;

private:
  using Motions = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;

  Vec3 offset(std::size_t node) const;
  Motions motions(std::size_t node) const;
  void zero_fixed(std::size_t node, double* f) const;
  void zero_dropped(std::size_t cell, double* y) const;
  void find_product_pattern();
  void drop_dependent_motions();
  void multiply_motions(const BlockMatrix& A);
  std::vector<SquareBlock<6>> coarse_matrix();

  const NodeLayout* layout_ = nullptr;
  const BlockMatrix* A_ = nullptr;
  MaterialCells cells_;
  std::vector<std::array<std::uint8_t, 6>> kept_;  // (cells) 1: this motion has a column
  // A Z, rows of owned nodes: the cells of their neighbours, ascending.
  std::vector<std::int64_t> product_begin_;
  std::vector<std::int32_t> product_cells_;
  std::vector<Motions> product_;
  double largest_product_ = 0;          // of the magnitudes of all ranks' entries of A Z
  std::int64_t summands_ = 1;           // no column of A Z has more rows
  std::vector<BlockPosition> pattern_;  // of Z^T A Z
  BlockCholesky<6> factor_;
  PreroundedSums sums_{0};
};

}  // namespace sunder::solvers
