#include "solvers/two_level.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::solvers {

std::optional<std::string> TwoLevelPreconditioner::set_matrix(const NodeLayout& layout, const BlockMatrix& A,
                                                              bool same_pattern)
{
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
  polynomial_.apply(r, z);
  coarse_.restrict_residual(r, z, motions_);
  coarse_.solve(motions_);
  coarse_.add_motions(motions_, z);
}

}  // namespace sunder::solvers
