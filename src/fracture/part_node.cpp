#include "fracture/part_node.hpp"

#include "core/sort_unique.hpp"
#include "element/cohesion.hpp"
#include "element/toughness.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder::fracture {
namespace {

enum Side : std::size_t { staying, moving };

/// A face of an element around the node, which is or becomes part of a crack.
struct Face {
  Side side;  // of its element
  MaterialIndex material;
  Vec3 outward;   // unit, in the material
  double area;    // [m^2]
  bool made_now;  // by this split
};

std::vector<Face> crack_faces_around(const mesh::TetMesh& mesh, LocalIndex n, std::span<const LocalIndex> to_move)
{
  std::vector<Face> faces;
  const auto side_of = [&](LocalIndex e) {
    return std::find(to_move.begin(), to_move.end(), e) == to_move.end() ? staying : moving;
  };
  const auto star = mesh.star(n);
  for (const LocalIndex e : star) {
    const Side side = side_of(e);
    const mesh::CrackFaces& cracks = mesh.faces(e).cracks;
    std::uint8_t now = 0;  // bits of faces that this split makes
    for (const LocalIndex other : star)
      if (side_of(other) != side)
        if (const auto shared = mesh::shared_face(mesh.tet(e), mesh.tet(other)))
          now = static_cast<std::uint8_t>(now | 1u << shared->first);
    const auto X = mesh.corners(e);
    for (std::size_t f = 0; f < 4; ++f) {
      const bool made_now = now >> f & 1u;
      if (mesh.tet(e)[f] == n || !(made_now || cracks.contain(f))) continue;
      const auto& [a, b, c] = mesh::face_corners[f];
      const Vec3 area = (X[b] - X[a]).cross(X[c] - X[a]) / 2;
      faces.push_back({side, mesh.material(e), area.normalized(), area.norm(), made_now});
    }
  }
  return faces;
}

/// Faces in one plane through the node: areas of those that stay and move, facing one way and the other.
struct Plane {
  Vec3 normal;
  std::array<std::array<double, 2>, 2> areas{};  // [side][0: along the normal, 1: against it]
};

/// Of the surface whose two sides have these areas at the node: none if one is not there. The sides of a face may be
/// cut differently; what was cut off one of them is still on the other.
double joined(double one, double other)
{
  return one > 0 && other > 0 ? std::max(one, other) : 0;
}

std::vector<Plane> planes_of(std::span<const Face> faces)
{
  constexpr double same = 1 - 1e-6;
  std::vector<Plane> planes;
  for (const Face& face : faces) {
    auto plane = std::find_if(planes.begin(), planes.end(),
                              [&face](const Plane& p) { return std::abs(p.normal.dot(face.outward)) > same; });
    if (plane == planes.end()) plane = planes.insert(planes.end(), {face.outward});
    plane->areas[face.side][plane->normal.dot(face.outward) > 0 ? 0 : 1] += face.area;
  }
  return planes;
}

/// What part of a link of node n goes with the elements that move: as their faces share the link's surface.
double moving_part(std::span<const Face> faces, const Vec3& outward)
{
  std::array<double, 2> weight{};
  for (const Face& face : faces) {
    const double along = face.outward.dot(outward);
    if (!face.made_now && along > 0) weight[face.side] += face.area * along * along;
  }
  const double all = weight[staying] + weight[moving];
  return all > 0 ? weight[moving] / all : 0;
}

/// Of the elements with faces of the crack that stay or move.
std::vector<MaterialIndex> materials_along(std::span<const Face> faces, Side side)
{
  std::vector<MaterialIndex> materials;
  for (const Face& face : faces)
    if (face.side == side) materials.push_back(face.material);
  sort_unique(materials);
  return materials;
}

}  // namespace

Parting find_parting(const element::Model& model, LocalIndex n, std::span<const LocalIndex> to_move)
{
  Parting parting;
  const std::vector<Face> faces = crack_faces_around(model.mesh, n, to_move);
  Vec3 sum = Vec3::Zero();
  for (const Plane& plane : planes_of(faces)) {
    const auto& [stay, move] = plane.areas;
    const double before = joined(stay[0] + move[0], stay[1] + move[1]);
    const double parted = std::max(0.0, before - joined(stay[0], stay[1]) - joined(move[0], move[1]));
    parting.area += parted / 3;
    // What moves faces what stays along the normal if the one has more along it, the other more against it.
    sum += (move[0] + stay[1] > move[1] + stay[0] ? parted : -parted) * plane.normal;
  }
  parting.normal = sum.normalized();
  for (const std::size_t k : model.links.of(n)) {
    const element::ModelLink& link = model.links[k];
    parting.moving.push_back({k, moving_part(faces, link.plus == n ? Vec3(-link.normal) : link.normal)});
  }
  const element::NodeStrength strength =
      element::strength_between(model, n, materials_along(faces, staying), materials_along(faces, moving));
  if (!std::isfinite(strength.stress)) return parting;
  parting.strength = strength.stress, parting.cohesion = strength.cohesion;
  double modulus = 0;
  for (const LocalIndex e : model.mesh.star(n)) modulus = std::max(modulus, model.material_of(e).p_wave_modulus());
  parting.stiffness = model.step_options.link_stiffness * modulus * parting.area / model.mesh.node(n).size;
  return parting;
}

void link_parted(element::Model& model, LocalIndex n, LocalIndex copy, const Parting& parting)
{
  constexpr double nothing = 1e-6;  // of a link: not worth a second one
  for (const auto& [k, part] : parting.moving) {
    if (part < nothing) continue;
    if (part > 1 - nothing) {
      model.links.give_to(copy, n, k);
      continue;
    }
    element::ModelLink moved = model.links[k];
    (moved.plus == n ? moved.plus : moved.minus) = copy;
    const element::CohesiveLink whole = moved.link;
    model.links.state(k) = whole.share(1 - part), moved.link = whole.share(part);
    model.links.add(moved);
  }
  model.p[static_cast<std::size_t>(n)].w = 0;  // mark_linked_nodes() follows
  if (parting.cohesion.energy > 0 && parting.area > 0)
    model.links.add({n, copy, parting.normal,
                     element::CohesiveLink({parting.area, parting.strength, parting.stiffness, parting.cohesion})});
}

}  // namespace sunder::fracture
