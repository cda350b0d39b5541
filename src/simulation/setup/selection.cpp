#include "simulation/setup/selection.hpp"

#include "contact/broad_phase/contact_surface.hpp"
#include "core/blocking.hpp"
#include "core/error.hpp"
#include "partition/halo/face_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace sunder::simulation {
namespace {

struct SideOfFace {
  LocalIndex element;
  std::size_t opposite;  // corner
};

/// The elements on either side of a face of which this rank owns a node.
std::vector<SideOfFace> sides_of(const mesh::TetMesh& mesh, const std::array<LocalIndex, 3>& face)
{
  const auto owned = std::find_if(face.begin(), face.end(), [&mesh](LocalIndex n) { return mesh.owned(n); });
  std::vector<SideOfFace> sides;
  for (const LocalIndex e : mesh.star(*owned)) {
    std::size_t opposite = 0, shared = 0;
    for (std::size_t a = 0; a < 4; ++a)
      if (std::find(face.begin(), face.end(), mesh.tet(e)[a]) != face.end())
        ++shared;
      else
        opposite = a;
    if (shared == 3) sides.push_back({e, opposite});
  }
  return sides;
}

void add_marks(mesh::TetMesh& mesh, LocalIndex e, std::size_t face, std::uint64_t marks)
{
  mesh::FaceMarks all = mesh.face_marks(e);
  all[face] |= marks;
  mesh.set_face_marks(e, all);
}

/// Do all elements around an owned node lie, by their centroids, on that side of the plane?
bool on_side(const config::Selection::Side& side, const mesh::TetMesh& mesh, LocalIndex n)
{
  const auto star = mesh.star(n);
  return std::all_of(star.begin(), star.end(), [&](LocalIndex e) { return is_on_side(side, mesh.corners(e)); });
}

}  // namespace

bool is_on_side(const config::Selection::Side& side, const std::array<Vec3, 4>& corners)
{
  double sum = 0;
  for (const Vec3& x : corners) sum += side.normal.dot(x - side.point);
  return sum > 0;
}

double slack(double size, const Vec3& x)
{
  constexpr double digits = 1e-9, round_off = 1e-14;
  const double far = x.cwiseAbs().maxCoeff();
  return digits * std::min(size, std::max(1.0, far)) + round_off * far;  // 1e9 m in a scene says "everywhere"
}

bool inside(const config::Selection& where, const Vec3& x)
{
  if (where.box) {
    const auto& [low, high] = *where.box;
    const double s = slack((high - low).maxCoeff(), x);
    if ((x.array() < low.array() - s).any() || (x.array() > high.array() + s).any()) return false;
  }
  const auto beyond = [&x](double distance, double radius) { return distance > radius + slack(radius, x); };
  if (where.sphere && beyond((x - where.sphere->center).norm(), where.sphere->radius)) return false;
  if (where.cylinder) {
    const Vec3 r = x - where.cylinder->point, axis = where.cylinder->axis.normalized();
    if (beyond((r - axis * axis.dot(r)).norm(), where.cylinder->radius)) return false;
  }
  return true;
}

std::vector<Selecting> selections(const config::Scene& scene)
{
  std::vector<Selecting> all;
  for (const auto& condition : scene.boundary)
    all.push_back({fmt::format("boundary.{}.where", condition.name), &condition.where, false});
  for (const auto& load : scene.loads) all.push_back({fmt::format("loads.{}.where", load.name), &load.where, true});
  return all;
}

std::string no_node_in(const config::Selection& where)
{
  return where.key + ": expected at least one node there, got none";
}
std::string no_face_in(const config::Selection& where)
{
  return where.key + ": expected at least one face of the surface there, got none";
}

void select_by_place(const std::vector<Selecting>& selections, const partition::Halo& halo, mesh::TetMesh& mesh)
{
  std::vector<std::uint64_t> marks(static_cast<std::size_t>(mesh.num_nodes()), 0);
  std::vector<std::int64_t> count(selections.size(), 0);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    for (std::size_t k = 0; k < selections.size(); ++k) {
      const config::Selection& where = *selections[k].where;
      if (!(mesh.node(n).marks >> k & 1u) || !inside(where, mesh.node(n).X)) continue;
      if (where.side && !selections[k].of_load && !on_side(*where.side, mesh, n)) continue;
      marks[static_cast<std::size_t>(n)] |= std::uint64_t{1} << k;
      ++count[k];
    }
  }
  halo.comm().sum_in_place(count);
  for (std::size_t k = 0; k < selections.size(); ++k)
    if (count[k] == 0) throw AgreedError(no_node_in(*selections[k].where));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_marks(n, marks[static_cast<std::size_t>(n)]);
  owners_marks_to_ghosts(halo, mesh);
}

void owners_marks_to_ghosts(const partition::Halo& halo, mesh::TetMesh& mesh)
{
  std::vector<std::uint64_t> marks;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) marks.push_back(mesh.node(n).marks);
  halo.owners_to_ghosts(std::span<std::uint64_t>(marks));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_marks(n, marks[static_cast<std::size_t>(n)]);
}

void mark_face_sets(std::span<const partition::MarkedFace<LocalIndex>> faces, const partition::Halo& halo,
                    mesh::TetMesh& mesh)
{
  partition::FaceExchange<std::uint64_t> marks_of_faces(mesh, halo);
  for (const auto& face : faces)
    for (const auto& [e, opposite] : sides_of(mesh, face.nodes)) {
      add_marks(mesh, e, opposite, face.marks);
      marks_of_faces.add(e, opposite, face.marks);
    }
  marks_of_faces.finish(
      [&mesh](LocalIndex e, std::size_t opposite, std::uint64_t marks) { add_marks(mesh, e, opposite, marks); });
}

void select_loaded_faces(const config::Scene& scene, std::uint64_t surface_marks, const partition::Halo& halo,
                         mesh::TetMesh& mesh)
{
  if (scene.loads.empty()) return;  // bits are where they belong
  std::vector<LocalIndex> all(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(all.begin(), all.end(), LocalIndex{0});
  contact::ContactSurface surface;
  surface.update(mesh, halo, all);

  const std::size_t first = scene.boundary.size();
  const std::uint64_t of_boundary = (std::uint64_t{1} << first) - 1;
  std::vector<std::int64_t> count(scene.loads.size(), 0);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    const mesh::FaceMarks of_sets = mesh.face_marks(e);
    mesh::FaceMarks marks{};
    std::uint64_t of_sides = ~std::uint64_t{0};
    for (std::size_t k = 0; k < scene.loads.size(); ++k)
      if (const auto& side = scene.loads[k].where.side; side && !is_on_side(*side, mesh.corners(e)))
        of_sides &= ~(std::uint64_t{1} << (first + k));
    for (std::size_t a = 0; a < 4; ++a) {
      std::uint64_t selected = (surface.free_faces(e) >> a & 1u) ? (of_sets[a] | ~surface_marks) & of_sides : 0;
      for (const std::size_t c : mesh::face_corners[a]) selected &= mesh.node(mesh.tet(e)[c]).marks;
      marks[a] = selected >> first;
      if (first > 0) marks[a] |= (of_sets[a] & of_boundary) << scene.loads.size();
      for (std::size_t k = 0; k < scene.loads.size(); ++k) count[k] += mesh.primary(e) && (marks[a] >> k & 1u);
    }
    mesh.set_face_marks(e, marks);
  }
  halo.comm().sum_in_place(count);
  for (std::size_t k = 0; k < scene.loads.size(); ++k)
    if (count[k] == 0) throw AgreedError(no_face_in(scene.loads[k].where));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_marks(n, mesh.node(n).marks & of_boundary);
}

void find_face_sets(const config::Scene& scene, const Comm& comm, mesh::TetMesh& mesh)
{
  if (scene.boundary.empty()) return;
  mesh::FaceSets sets{0, static_cast<unsigned>(scene.loads.size())};
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    for (const std::uint64_t marks : mesh.face_marks(e)) sets.marks |= marks >> sets.first;
  blocking::all_reduce(&sets.marks, 1, MPI_UINT64_T, MPI_BOR, comm.mpi());
  mesh.set_face_sets(sets);
}

}  // namespace sunder::simulation
