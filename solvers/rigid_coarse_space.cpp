#include "solvers/rigid_coarse_space.hpp"

#include "core/blocking.hpp"
#include "core/sort_unique.hpp"
#include "solvers/combine_over_ranks.hpp"
#include "solvers/elimination_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::solvers {

namespace {

double largest_magnitude(const Comm& comm, std::span<const double> v)
{
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  return comm.max(largest);
}

/// Cholesky's factorisation of a Gram matrix, the largest diagonal entry first. What is left when it stops depends on
/// the motions chosen.
std::array<std::uint8_t, 6> independent(std::span<double> gram)
{
  constexpr double dependent = 1e-6;
  std::array<std::uint8_t, 6> chosen{};
  double first = 0;
  for (;;) {
    std::size_t p = 6;
    for (std::size_t m = 0; m < 6; ++m)
      if (!chosen[m] && (p == 6 || gram[7 * m] > gram[7 * p])) p = m;
    if (p == 6 || !(gram[7 * p] > dependent * first)) return chosen;
    first = std::max(first, gram[7 * p]);
    chosen[p] = 1;
    const double pivot = gram[7 * p];
    std::array<double, 6> column;
    for (std::size_t m = 0; m < 6; ++m) column[m] = gram[6 * m + p];
    for (std::size_t m = 0; m < 6; ++m)
      for (std::size_t n = 0; n < 6; ++n) gram[6 * m + n] -= column[m] * column[n] / pivot;
  }
}

/// The work of a force on the six motions, at an offset from the centre: the force and its torque.
void forces_to_motions(const double* f, const Vec3& d, double* y)
{
  y[0] = f[0], y[1] = f[1], y[2] = f[2];
  y[3] = d[1] * f[2] - d[2] * f[1];
  y[4] = d[2] * f[0] - d[0] * f[2];
  y[5] = d[0] * f[1] - d[1] * f[0];
}

}  // namespace

/// From the centre of the node's cell, over its size: rotations are as large as translations.
Vec3 RigidCoarseSpace::offset(std::size_t node) const
{
  const auto cell = static_cast<std::size_t>(cells_.of_node[node]);
  return (layout_->X[node] - cells_.centres[cell]) / cells_.sizes[cell];
}

void RigidCoarseSpace::zero_fixed(std::size_t node, double* f) const
{
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (A_->fixed[3 * node + axis]) f[axis] = 0;
}

void RigidCoarseSpace::zero_dropped(std::size_t cell, double* y) const
{
  for (std::size_t m = 0; m < 6; ++m)
    if (!kept_[cell][m]) y[m] = 0;
}

/// The rows of Z of a node that has a cell.
RigidCoarseSpace::Motions RigidCoarseSpace::motions(std::size_t node) const
{
  Motions Z;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double f[3] = {0, 0, 0};
    f[axis] = 1;
    zero_fixed(node, f);
    double* const row = Z.data() + 6 * axis;
    forces_to_motions(f, offset(node), row);
    zero_dropped(static_cast<std::size_t>(cells_.of_node[node]), row);
  }
  return Z;
}

void RigidCoarseSpace::set_pattern(const NodeLayout& layout, const BlockMatrix& A, std::int64_t most_nodes,
                                   std::size_t most_cells)
{
  layout_ = &layout, A_ = &A;
  cells_ = material_cells(layout, most_nodes, most_cells);
  kept_.assign(num_cells(), {1, 1, 1, 1, 1, 1});
  find_product_pattern();
  drop_dependent_motions();
  factor_ = BlockCholesky<6>(elimination_order(num_cells(), pattern_), pattern_);
  sums_ = PreroundedSums(6 * num_cells());
}

void RigidCoarseSpace::find_product_pattern()
{
  const BlockMatrix& A = *A_;
  product_begin_.assign(1, 0);
  product_cells_.clear();
  pattern_.clear();
  std::vector<std::int64_t> rows(num_cells());
  std::vector<std::int32_t> cells;
  for (std::size_t row = 0; row < static_cast<std::size_t>(layout_->num_owned); ++row) {
    cells.clear();
    for (auto k = static_cast<std::size_t>(A.row_begin[row]); k < static_cast<std::size_t>(A.row_begin[row + 1]); ++k)
      if (const std::int32_t cell = cells_.of_node[static_cast<std::size_t>(A.columns[k])]; cell >= 0)
        cells.push_back(cell);
    sort_unique(cells);
    const std::int32_t mine = cells_.of_node[row];
    for (const std::int32_t cell : cells) {
      ++rows[static_cast<std::size_t>(cell)];
      const BlockPosition position{mine, cell};
      if (cell <= mine && (pattern_.empty() || pattern_.back() != position)) pattern_.push_back(position);
    }
    product_cells_.insert(product_cells_.end(), cells.begin(), cells.end());
    product_begin_.push_back(static_cast<std::int64_t>(product_cells_.size()));
  }
  product_.resize(product_cells_.size());
  unite_over_ranks(layout_->comm, pattern_);
  layout_->comm.sum_in_place(rows);
  summands_ = rows.empty() ? 1 : *std::max_element(rows.begin(), rows.end());
}

void RigidCoarseSpace::drop_dependent_motions()
{
  PreroundedSums sums(36 * num_cells());
  sums.start(2, summands_);
  for (std::size_t row = 0; row < static_cast<std::size_t>(layout_->num_owned); ++row) {
    if (cells_.of_node[row] < 0) continue;
    const Motions Z = motions(row);
    const Eigen::Matrix<double, 6, 6> gram = Z.transpose().lazyProduct(Z);
    sums.add(36 * static_cast<std::size_t>(cells_.of_node[row]), std::span(gram.data(), 36));
  }
  std::vector<double> gram(36 * num_cells());
  sums.over(layout_->comm, gram);
  for (std::size_t c = 0; c < num_cells(); ++c) kept_[c] = independent(std::span(gram).subspan(36 * c, 36));
}

void RigidCoarseSpace::multiply_motions(const BlockMatrix& A)
{
  std::fill(product_.begin(), product_.end(), Motions::Zero());
  for (std::size_t row = 0; row < static_cast<std::size_t>(layout_->num_owned); ++row) {
    const auto first = static_cast<std::size_t>(product_begin_[row]),
               last = static_cast<std::size_t>(product_begin_[row + 1]);
    for (auto k = static_cast<std::size_t>(A.row_begin[row]); k < static_cast<std::size_t>(A.row_begin[row + 1]); ++k) {
      const auto column = static_cast<std::size_t>(A.columns[k]);
      if (cells_.of_node[column] < 0) continue;
      std::size_t at = first;
      while (product_cells_[at] != cells_.of_node[column]) ++at;
      const Vec3 d = offset(column);
      for (std::size_t i = 0; i < 3; ++i) {
        double f[3] = {A.values[k][3 * i], A.values[k][3 * i + 1], A.values[k][3 * i + 2]}, y[6];
        zero_fixed(column, f);
        forces_to_motions(f, d, y);
        for (std::size_t m = 0; m < 6; ++m) product_[at].data()[6 * i + m] += y[m];
      }
    }
    for (std::size_t at = first; at < last; ++at)
      for (std::size_t i = 0; i < 3; ++i)
        zero_dropped(static_cast<std::size_t>(product_cells_[at]), product_[at].data() + 6 * i);
  }
  const std::size_t entries = 18 * product_.size();
  largest_product_ =
      largest_magnitude(layout_->comm, std::span(product_.empty() ? nullptr : product_.front().data(), entries));
}

/// The blocks on and below the diagonal. Columns of motions that were dropped are those of the unit matrix.
std::vector<SquareBlock<6>> RigidCoarseSpace::coarse_matrix()
{
  PreroundedSums sums(36 * pattern_.size());
  sums.start(3 * largest_product_, summands_);
  for (std::size_t row = 0; row < static_cast<std::size_t>(layout_->num_owned); ++row) {
    const std::int32_t mine = cells_.of_node[row];
    if (mine < 0) continue;
    const Motions Z = motions(row);
    for (auto at = static_cast<std::size_t>(product_begin_[row]);
         at < static_cast<std::size_t>(product_begin_[row + 1]); ++at) {
      if (product_cells_[at] > mine) break;
      const BlockPosition position{mine, product_cells_[at]};
      const auto k =
          static_cast<std::size_t>(std::lower_bound(pattern_.begin(), pattern_.end(), position) - pattern_.begin());
      const Eigen::Matrix<double, 6, 6, Eigen::RowMajor> block = Z.transpose().lazyProduct(product_[at]);
      sums.add(36 * k, std::span(block.data(), 36));
    }
  }
  std::vector<double> entries(36 * pattern_.size());
  sums.over(layout_->comm, entries);
  std::vector<SquareBlock<6>> blocks(pattern_.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    std::copy_n(entries.begin() + static_cast<std::ptrdiff_t>(36 * k), 36, blocks[k].begin());
    if (pattern_[k].row == pattern_[k].column)
      for (std::size_t m = 0; m < 6; ++m)
        if (!kept_[static_cast<std::size_t>(pattern_[k].row)][m]) blocks[k][7 * m] = 1;
  }
  return blocks;
}

std::optional<std::string> RigidCoarseSpace::set_values(const NodeLayout& layout, const BlockMatrix& A)
{
  layout_ = &layout, A_ = &A;
  multiply_motions(A);
  const auto bad = factor_.factor(coarse_matrix());
  if (!bad) return std::nullopt;
  const auto cell = static_cast<std::size_t>(bad->row);
  const Vec3 centre = cells_.centres[cell];
  const std::string where = fmt::format("component {} (rigid motions of its cell at ({:.6g}, {:.6g}, {:.6g}) m)",
                                        cells_.components[cell], centre.x(), centre.y(), centre.z());
  if (bad->relative_size < -1e-8) return "the matrix is not positive definite on " + where;
  return where + " can move without resistance: nothing holds it";
}

void RigidCoarseSpace::restrict_residual(std::span<const double> r, std::span<const double> v, std::span<double> y)
{
  double largest[2] = {0, 0};  // force, displacement
  for (const double x : r) largest[0] = std::max(largest[0], std::abs(x));
  for (const double x : v) largest[1] = std::max(largest[1], std::abs(x));
  blocking::all_reduce(largest, 2, MPI_DOUBLE, MPI_MAX, layout_->comm.mpi());
  const double bound = std::max(2 * largest[0], 3 * largest_product_ * largest[1]);
  if (!std::isfinite(bound)) return std::fill(y.begin(), y.end(), std::numeric_limits<double>::quiet_NaN());
  sums_.start(bound, 2 * summands_);
  for (std::size_t row = 0; row < static_cast<std::size_t>(layout_->num_owned); ++row) {
    double f[3] = {r[3 * row], r[3 * row + 1], r[3 * row + 2]}, work[6];
    const double* const u = v.data() + 3 * row;
    if (cells_.of_node[row] >= 0) {
      zero_fixed(row, f);
      forces_to_motions(f, offset(row), work);
      sums_.add(6 * static_cast<std::size_t>(cells_.of_node[row]), work);
    }
    for (auto at = static_cast<std::size_t>(product_begin_[row]);
         at < static_cast<std::size_t>(product_begin_[row + 1]); ++at) {
      const double* const AZ = product_[at].data();  // A is symmetric: its rows are columns of Z^T A
      for (std::size_t m = 0; m < 6; ++m) work[m] = -(AZ[m] * u[0] + AZ[6 + m] * u[1] + AZ[12 + m] * u[2]);
      sums_.add(6 * static_cast<std::size_t>(product_cells_[at]), work);
    }
  }
  sums_.over(layout_->comm, y);
  for (std::size_t c = 0; c < num_cells(); ++c) zero_dropped(c, y.data() + 6 * c);
}

void RigidCoarseSpace::add_motions(std::span<const double> y, std::span<double> z) const
{
  for (std::size_t row = 0; row < static_cast<std::size_t>(layout_->num_owned); ++row) {
    if (cells_.of_node[row] < 0) continue;
    const double* const t = y.data() + 6 * cells_.of_node[row];
    const Vec3 d = offset(row);
    double u[3] = {t[0] + (t[4] * d[2] - t[5] * d[1]), t[1] + (t[5] * d[0] - t[3] * d[2]),
                   t[2] + (t[3] * d[1] - t[4] * d[0])};
    zero_fixed(row, u);
    for (std::size_t i = 0; i < 3; ++i) z[3 * row + i] += u[i];
  }
}

std::size_t RigidCoarseSpace::bytes() const noexcept
{
  return product_.size() * (sizeof(Motions) + sizeof(std::int32_t)) + product_begin_.size() * sizeof(std::int64_t) +
         cells_.of_node.size() * sizeof(std::int32_t) + factor_.bytes();
}

}  // namespace sunder::solvers
