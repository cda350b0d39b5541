#include "simulation/selection.hpp"

#include "contact/surface.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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

std::vector<Selecting> selections(const config::Scene& scene)
{
  std::vector<Selecting> all;
  for (const auto& condition : scene.boundary)
    all.push_back({fmt::format("boundary.{}.where", condition.name), &condition.where});
  for (const auto& load : scene.loads) all.push_back({fmt::format("loads.{}.where", load.name), &load.where});
  return all;
}

void select_by_place(const std::vector<Selecting>& selections, const partition::Halo& halo, mesh::TetMesh& mesh)
{
  std::vector<std::uint64_t> marks(static_cast<std::size_t>(mesh.num_nodes()), 0);
  std::vector<std::int64_t> count(selections.size(), 0);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    for (std::size_t k = 0; k < selections.size(); ++k) {
      if (!(mesh.node(n).marks >> k & 1u) || !inside(*selections[k].where, mesh.node(n).X)) continue;
      marks[static_cast<std::size_t>(n)] |= std::uint64_t{1} << k;
      ++count[k];
    }
  }
  halo.comm().sum_in_place(count);
  for (std::size_t k = 0; k < selections.size(); ++k)
    if (count[k] == 0) throw AgreedError(selections[k].path + ": expected at least one node there, got none");
  halo.owners_to_ghosts(std::span<std::uint64_t>(marks));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_marks(n, marks[static_cast<std::size_t>(n)]);
}

void select_loaded_faces(const config::Scene& scene, const partition::Halo& halo, mesh::TetMesh& mesh)
{
  if (scene.loads.empty()) return;
  std::vector<LocalIndex> all(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(all.begin(), all.end(), LocalIndex{0});
  contact::Surface surface;
  surface.update(mesh, halo, all);

  const std::size_t first = scene.boundary.size();
  std::vector<std::int64_t> count(scene.loads.size(), 0);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    mesh::FaceMarks marks{};
    for (std::size_t a = 0; a < 4; ++a) {
      if (!(surface.free_faces(e) >> a & 1u)) continue;
      std::uint64_t common = ~std::uint64_t{0};
      for (const std::size_t c : mesh::face_corners[a]) common &= mesh.node(mesh.tet(e)[c]).marks;
      marks[a] = static_cast<std::uint16_t>(common >> first);
      for (std::size_t k = 0; k < scene.loads.size(); ++k) count[k] += mesh.counted(e) && (marks[a] >> k & 1u);
    }
    if (marks != mesh::FaceMarks{}) mesh.set_face_marks(e, marks);
  }
  halo.comm().sum_in_place(count);
  for (std::size_t k = 0; k < scene.loads.size(); ++k)
    if (count[k] == 0)
      throw AgreedError(fmt::format("loads.{}.where: expected at least one face of the surface there, got none",
                                    scene.loads[k].name));
  const std::uint64_t of_boundary = (std::uint64_t{1} << first) - 1;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_marks(n, mesh.node(n).marks & of_boundary);
}

}  // namespace sunder::simulation
