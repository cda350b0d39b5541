#include "element/area_across.hpp"

#include "mesh/star_components.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder::element {

Vec3 gradient_at(const Model& model, LocalIndex e, LocalIndex n)
{
  int corner = 0;
  while (model.mesh.tet(e)[static_cast<std::size_t>(corner)] != n) ++corner;
  return model.blocks.gradient(e, corner);
}

std::vector<OuterFace> outer_faces_around(const Model& model, LocalIndex n)
{
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<OuterFace> faces;
  for (const auto& [e, face] : mesh::free_faces_around(mesh, n)) {
    if (mesh.faces(e).cracks.contain(face)) continue;
    const auto X = mesh.corners(e);
    const auto& [i, j, k] = mesh::face_corners[face];
    faces.push_back({(X[j] - X[i]).cross(X[k] - X[i]) / 2, (X[0] + X[1] + X[2] + X[3]) / 4 - mesh.node(n).X});
  }
  return faces;
}

double area_across(const Model& model, LocalIndex n, const Vec3& normal, bool cohesive)
{
  double area = 0;
  for (const LocalIndex e : model.mesh.star(n))
    area += model.blocks.volume(e) / 2 * std::abs(normal.dot(gradient_at(model, e, n)));
  if (cohesive) area = joined_area(model, n, normal, area);
  return area + area_of_links(model, n, normal);
}

double joined_area(const Model& model, LocalIndex n, const Vec3& normal, double area)
{
  double joined = area;
  for (const OuterFace& face : outer_faces_around(model, n))
    joined += (normal.dot(face.to_centre) < 0 ? -1 : 1) * normal.dot(face.area) / 6;
  return std::max(joined, StrengthBound::least_joined * area);
}

double area_of_links(const Model& model, LocalIndex n, const Vec3& normal)
{
  double area = 0;
  for (const std::size_t k : model.links.of(n))
    if (const ModelLink& link = model.links[k]; !link.link.broken())
      area += link.link.law().area * std::abs(normal.dot(link.normal));
  return area;
}

std::vector<Vec3> parts_of_area(const Model& model, LocalIndex n)
{
  const auto star = model.mesh.star(n);
  std::vector<Vec3> parts;
  parts.reserve(star.size());
  for (const LocalIndex e : star) parts.push_back(model.blocks.volume(e) / 2 * gradient_at(model, e, n));
  return parts;
}

}  // namespace sunder::element
