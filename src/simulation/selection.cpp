#include "simulation/selection.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::simulation {

bool inside(const config::Selection& where, const Vec3& x)
{
  constexpr double slack = 1e-9;  // so that a box that ends on a face takes the face's nodes whatever the round-off
  if (where.box) {
    const auto& [low, high] = *where.box;
    const double s = slack * std::max(1.0, (high - low).cwiseAbs().maxCoeff());
    if ((x.array() < low.array() - s).any() || (x.array() > high.array() + s).any()) return false;
  }
  if (where.sphere && (x - where.sphere->center).norm() > where.sphere->radius * (1 + slack)) return false;
  if (where.cylinder) {
    const Vec3 r = x - where.cylinder->point, axis = where.cylinder->axis.normalized();
    if ((r - axis * axis.dot(r)).norm() > where.cylinder->radius * (1 + slack)) return false;
  }
  return true;
}

void select_by_place(const std::vector<config::BoundaryCondition>& conditions, const partition::Halo& halo,
                     mesh::TetMesh& mesh)
{
  std::vector<std::uint64_t> marks(static_cast<std::size_t>(mesh.num_nodes()), 0);
  std::vector<std::int64_t> count(conditions.size(), 0);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    for (std::size_t k = 0; k < conditions.size(); ++k) {
      if (!(mesh.node(n).marks >> k & 1u) || !inside(conditions[k].where, mesh.node(n).X)) continue;
      marks[static_cast<std::size_t>(n)] |= std::uint64_t{1} << k;
      ++count[k];
    }
  }
  halo.comm().sum_in_place(count);
  for (std::size_t k = 0; k < conditions.size(); ++k)
    if (count[k] == 0)
      throw Error(fmt::format("boundary.{}.where: expected at least one node there, got none", conditions[k].name));
  halo.owners_to_ghosts(std::span<std::uint64_t>(marks));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_marks(n, marks[static_cast<std::size_t>(n)]);
}

}  // namespace sunder::simulation
