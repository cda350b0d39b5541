#include "element/interface_plane.hpp"

#include "element/area_across.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::element {

std::optional<InterfacePlane> interface_plane(const Model& model, LocalIndex n, const material::Interface& between)
{
  const mesh::TetMesh& mesh = model.mesh;
  Vec3 N = Vec3::Zero(), normal = Vec3::Zero();
  for (const LocalIndex e : mesh.star(n)) {
    if (mesh.material(e) != between.a) continue;
    const auto X = mesh.corners(e);
    const Mat34 x = model.positions(e);
    for (const LocalIndex other : mesh.star(n)) {
      if (mesh.material(other) != between.b) continue;
      const auto shared = mesh::shared_face(mesh.tet(e), mesh.tet(other));
      if (!shared) continue;
      const auto& [a, b, c] = mesh::face_corners[shared->first];
      N += (X[b] - X[a]).cross(X[c] - X[a]);
      normal += (x.col(static_cast<Eigen::Index>(b)) - x.col(static_cast<Eigen::Index>(a)))
                    .cross(x.col(static_cast<Eigen::Index>(c)) - x.col(static_cast<Eigen::Index>(a)));
    }
  }
  if (!(N.norm() > 0 && normal.norm() > 0)) return std::nullopt;
  return InterfacePlane{N.normalized(), normal.normalized()};
}

bool on_first_side(const Model& model, LocalIndex e, LocalIndex n, const material::Interface& between,
                   const Vec3& normal)
{
  const MaterialIndex material = model.mesh.material(e);
  if (material == between.a || material == between.b) return material == between.a;
  const Mat34 corners = model.positions(e).colwise() - model.p[static_cast<std::size_t>(n)].xyz();
  return normal.dot(corners.rowwise().sum()) < 0;
}

Vec3 force_across(const Model& model, LocalIndex n, const material::Interface& between, const Vec3& normal)
{
  struct Side {
    Vec3 force = Vec3::Zero();
    double mass = 0;
  } first, second;
  for (const LocalIndex e : model.mesh.star(n)) {
    Side& side = on_first_side(model, e, n, between, normal) ? first : second;
    const double volume = model.blocks.volume(e);
    const Mat3 F = deformation_gradient(model.blocks.gradients(e), model.positions(e));
    side.force -= volume / 2 * F * (element_stress(model, e) * gradient_at(model, e, n));
    side.mass += model.material_of(e).density * volume;
  }
  return (first.mass * second.force - second.mass * first.force) / (first.mass + second.mass);
}

double area_between(const Model& model, LocalIndex n, const material::Interface& between, const InterfacePlane& plane)
{
  double area = 0;
  for (const LocalIndex e : model.mesh.star(n)) {
    const double sign = on_first_side(model, e, n, between, plane.normal) ? 1 : -1;
    area += sign * model.blocks.volume(e) / 2 * plane.N.dot(gradient_at(model, e, n));
  }
  return joined_area(model, n, plane.N, area);
}

double effective_pull(const Vec3& force, const Vec3& normal, double shear_ratio)
{
  const double across = force.dot(normal), along = (force - across * normal).norm();
  return std::hypot(std::max(0.0, across), along / shear_ratio);
}

}  // namespace sunder::element
