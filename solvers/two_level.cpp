#include "solvers/two_level.hpp"

#include "solvers/block_product.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::solvers {

std::optional<std::string> TwoLevelPreconditioner::set_matrix(const NodeLayout& layout, const BlockMatrix& A,
                                                              bool same_pattern)
{
  layout_ = &layout, A_ = &A;
  if (!same_pattern) {
    const std::int64_t nodes = layout.comm.sum(static_cast<std::int64_t>(layout.num_owned));
    const double cells = std::max(1.0, options_.cells_per_root * std::sqrt(3 * static_cast<double>(nodes)));
    const auto most_nodes =
        std::max<std::int64_t>(options_.nodes_per_cell, std::llround(static_cast<double>(nodes) / cells));
    coarse_.set_pattern(layout, A, most_nodes, static_cast<std::size_t>(4 * cells));
    motions_.resize(6 * coarse_.num_cells());
  }
  if (auto problem = polynomial_.set_matrix(layout, A)) return problem;
  return coarse_.set_values(layout, A);
}

void TwoLevelPreconditioner::start(std::span<const double> b, std::span<double> x)
{
  std::fill(x.begin(), x.end(), 0);
  coarse_.restrict_residual(b, x, motions_);
  coarse_.solve(motions_);
  coarse_.add_motions(motions_, x);
}

void TwoLevelPreconditioner::apply(std::span<const double> r, std::span<double> z)
{
  apply_to_rest(r, r, z);
}

/// z = S rest + Q (r - A S rest)
void TwoLevelPreconditioner::apply_to_rest(std::span<const double> rest, std::span<const double> r, std::span<double> z)
{
  polynomial_.apply(rest, z);
  coarse_.restrict_residual(r, z, motions_);
  coarse_.solve(motions_);
  coarse_.add_motions(motions_, z);
}

void TwoLevelPreconditioner::apply_symmetric(std::span<const double> r, std::span<double> z)
{
  all_.resize(3 * static_cast<std::size_t>(layout_->size())), rest_.resize(r.size());
  start(r, std::span(all_).first(r.size()));
  layout_->owners_to_ghosts(all_);
  multiply(*A_, all_, rest_);
  for (std::size_t k = 0; k < r.size(); ++k) rest_[k] = r[k] - rest_[k];
  apply_to_rest(rest_, r, z);
}

}  // namespace sunder::solvers
