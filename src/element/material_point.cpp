#include "element/material_point.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace sunder::element {
namespace {

double side_of(const Vec3& x, const std::array<Vec3, 3>& plane)
{
  return (plane[1] - plane[0]).cross(plane[2] - plane[0]).dot(x - plane[0]);
}

}  // namespace

std::array<double, 4> barycentric(const std::array<Vec3, 4>& corners, const Vec3& X)
{
  std::array<double, 4> share{};
  double sum = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    const auto& [i, j, k] = mesh::face_corners[a];
    share[a] = -side_of(X, {corners[i], corners[j], corners[k]});  // faces are anticlockwise from outside
    sum += share[a];
  }
  for (double& s : share) s /= sum;
  return share;
}

void follow_bisection(std::span<MaterialPoint> points, const mesh::TetMesh& mesh, const mesh::BisectedElement& bisected,
                      LocalIndex a, LocalIndex node)
{
  for (MaterialPoint& point : points) {
    if (point.slot != bisected.old) continue;
    const std::array<Vec3, 3> plane{mesh.node(node).X, mesh.node(bisected.others[0]).X,
                                    mesh.node(bisected.others[1]).X};
    const double of_point = side_of(point.X, plane), of_a = side_of(mesh.node(a).X, plane);
    const bool kept = of_a > 0 ? of_point >= 0 : of_point <= 0;
    point.slot = kept ? bisected.kept : bisected.made;
    point.element = kept ? bisected.kept_id : bisected.made_id;
  }
}

void find_slots(std::span<MaterialPoint> points, const mesh::TetMesh& mesh)
{
  for (MaterialPoint& point : points) {
    const auto ids = mesh.element_ids();
    const auto found = point.element == mesh::no_element ? ids.end() : std::find(ids.begin(), ids.end(), point.element);
    point.slot = found == ids.end() ? -1 : static_cast<LocalIndex>(found - ids.begin());
  }
}

}  // namespace sunder::element
