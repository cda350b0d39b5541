#include "element/toughness.hpp"

#include "core/sort_unique.hpp"
#include "mesh/star_components.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sunder::element {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The star of a node as it is now, and its mesh size before fracture.
struct Star {
  double size_before = 0, size = 0;  ///< [m]
  double volume = 0;                 ///< A quarter of each element's [m^3]

  double refinement() const { return size_before / size; }
};

Star star_of(const Model& model, LocalIndex n)
{
  Star star{model.mesh.node(n).size, 0, 0};
  double edges = 0;
  for (const LocalIndex e : model.mesh.star(n)) {
    for (const LocalIndex corner : model.mesh.tet(e))
      if (corner != n) star.size += (model.mesh.node(corner).X - model.mesh.node(n).X).norm(), ++edges;
    star.volume += model.blocks.volume(e) / 4;
  }
  star.size /= edges;
  return star;
}

int corner_of(const mesh::TetMesh& mesh, LocalIndex e, LocalIndex n)
{
  int corner = 0;
  while (mesh.tet(e)[static_cast<std::size_t>(corner)] != n) ++corner;
  return corner;
}

NodeStrength strength(material::ToughnessForm form, double toughness, const material::ReferenceSize& reference,
                      double size)
{
  switch (form) {
    case material::ToughnessForm::force:
      return {material::force_at(toughness, reference, size), infinite, {}};
    case material::ToughnessForm::stress:
      return {infinite, toughness, {}};
    default:
      return {infinite, crack_tip_factor * toughness / std::sqrt(size), {}};
  }
}

NodeStrength strength(const material::Material& m, const Vec3& X, const Star& star)
{
  const bool energy = m.toughness_form == material::ToughnessForm::G_c;
  NodeStrength s =
      strength(m.toughness_form, energy ? critical_intensity(m) : m.toughness, m.reference, star.size_before);
  s.cohesion = m.cohesion;
  if (m.weibull && m.breakable()) {
    const double ratio = star.refinement();
    const double factor = weibull_factor(*m.weibull, X, star.volume * ratio * ratio * ratio);
    s.force *= factor, s.stress *= factor;
  }
  return s;
}

NodeStrength strength(const material::Interface& between, const Star& star)
{
  NodeStrength s = strength(between.form, between.toughness, between.reference, star.size_before);
  s.cohesion = between.cohesion;
  return s;
}

/// What has no toughness decides nothing, nor what new surface takes.
NodeStrength lesser(const NodeStrength& a, const NodeStrength& b)
{
  const auto breakable = [](const NodeStrength& s) { return std::isfinite(s.force) || std::isfinite(s.stress); };
  if (!breakable(a)) return b;
  if (!breakable(b)) return a;
  return {std::min(a.force, b.force), std::min(a.stress, b.stress),
          b.cohesion.energy < a.cohesion.energy ? b.cohesion : a.cohesion};
}

/// The materials of the elements around a node, ascending.
std::vector<MaterialIndex> materials_around(const Model& model, LocalIndex n)
{
  std::vector<MaterialIndex> kinds;
  for (const LocalIndex e : model.mesh.star(n))
    if (const MaterialIndex m = model.mesh.material(e); kinds.empty() || kinds.back() != m) kinds.push_back(m);
  sort_unique(kinds);
  return kinds;
}

/// The strength on the area that the node has now. It keeps what the node bears when cutting takes area away, so that
/// cutting neither weakens nor toughens. Where the surface takes energy, stress before a crack is bounded on any mesh.
double strength_now(const NodeStrength& strength, const Star& star)
{
  return strength.cohesion.energy > 0 ? strength.stress : strength.stress * star.refinement() * star.refinement();
}

NodeStrength weakest(const Model& model, LocalIndex n, const Star& star)
{
  NodeStrength weakest{infinite, infinite, {}};
  for (const MaterialIndex m : materials_around(model, n))
    weakest = lesser(weakest, strength(model.materials[m], model.mesh.node(n).X, star));
  return weakest;
}

bool joins(const material::Interface& between, MaterialIndex a, MaterialIndex b)
{
  return (between.a == a && between.b == b) || (between.a == b && between.b == a);
}

/// Are both materials of an interface among these, which are ascending?
bool among(const material::Interface& between, std::span<const MaterialIndex> kinds)
{
  return std::binary_search(kinds.begin(), kinds.end(), between.a) &&
         std::binary_search(kinds.begin(), kinds.end(), between.b);
}

Vec3 gradient_at(const Model& model, LocalIndex e, LocalIndex n)
{
  return model.blocks.gradients(e).col(corner_of(model.mesh, e, n));
}

/// A face around a node that was free before fracture, in the material.
struct OuterFace {
  Vec3 area;       ///< Outward [m^2]
  Vec3 to_centre;  ///< From the node to the centroid of the element [m]
};

std::vector<OuterFace> outer_faces_around(const Model& model, LocalIndex n)
{
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<OuterFace> faces;
  for (const auto& [a, b] : mesh::free_faces_around(mesh, n))
    for (const LocalIndex e : mesh.star(n)) {
      const std::array<LocalIndex, 3> face{n, a, b};
      const auto in_face = [&face](LocalIndex c) { return std::find(face.begin(), face.end(), c) != face.end(); };
      const Tet& tet = mesh.tet(e);
      if (std::count_if(tet.begin(), tet.end(), in_face) < 3) continue;
      const auto f = static_cast<std::size_t>(std::find_if_not(tet.begin(), tet.end(), in_face) - tet.begin());
      if (mesh.faces(e).cracks.contain(f)) continue;
      const auto X = mesh.corners(e);
      const auto& [i, j, k] = mesh::face_corners[f];
      faces.push_back({(X[j] - X[i]).cross(X[k] - X[i]) / 2, (X[0] + X[1] + X[2] + X[3]) / 4 - mesh.node(n).X});
    }
  return faces;
}

/// A(n_hat) of toughness_across(), without (h/s)^2, for a normal in the material. vol g of an element is the sum of
/// thirds of its faces around n. Those that are free join nothing.
double area_across(const Model& model, LocalIndex n, const Vec3& normal, bool cohesive)
{
  double area = 0;
  for (const LocalIndex e : model.mesh.star(n))
    area += model.blocks.volume(e) / 2 * std::abs(normal.dot(gradient_at(model, e, n)));
  if (cohesive) {
    double joined = area;
    for (const OuterFace& face : outer_faces_around(model, n))
      joined += (normal.dot(face.to_centre) < 0 ? -1 : 1) * normal.dot(face.area) / 6;
    area = std::max(joined, StrengthBound::least_joined * area);
  }
  for (const std::size_t k : model.links.of(n))
    if (const ModelLink& link = model.links[k]; !link.link.broken())
      area += link.link.law().area * std::abs(normal.dot(link.normal));
  return area;
}

/// n . areas n is a lower bound of area_across() for the normal n, free faces in it: |n . g| >= (n . g)^2 / |g|.
Mat3 areas_around(const Model& model, LocalIndex n)
{
  Mat3 areas = Mat3::Zero();
  for (const LocalIndex e : model.mesh.star(n)) {
    const Vec3 g = gradient_at(model, e, n);
    areas += model.blocks.volume(e) / (2 * g.norm()) * g * g.transpose();
  }
  return areas;
}

/// Of all normals the least of these bounds.
double least_area(const Mat3& areas)
{
  // Closed form, several times faster than iterating: it may lose half of the digits.
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.computeDirect(areas, Eigen::EigenvaluesOnly);
  return std::max(0.0, solver.eigenvalues()[0] - 1e-7 * areas.trace());
}

/// The sum of the faces around node n between two materials, from the first to the second: in the material, and now.
struct FacesBetween {
  Vec3 X = Vec3::Zero(), x = Vec3::Zero();
};

FacesBetween faces_between(const Model& model, LocalIndex n, MaterialIndex first, MaterialIndex second)
{
  const mesh::TetMesh& mesh = model.mesh;
  FacesBetween sum;
  for (const LocalIndex e : mesh.star(n)) {
    if (mesh.material(e) != first) continue;
    const auto X = mesh.corners(e);
    const Mat34 x = model.positions(e);
    for (const LocalIndex other : mesh.star(n)) {
      if (mesh.material(other) != second) continue;
      const auto shared = mesh::shared_face(mesh.tet(e), mesh.tet(other));
      if (!shared) continue;
      const auto& [a, b, c] = mesh::face_corners[shared->first];
      sum.X += (X[b] - X[a]).cross(X[c] - X[a]);
      sum.x += (x.col(static_cast<Eigen::Index>(b)) - x.col(static_cast<Eigen::Index>(a)))
                   .cross(x.col(static_cast<Eigen::Index>(c)) - x.col(static_cast<Eigen::Index>(a)));
    }
  }
  return sum;
}

}  // namespace

NodeStrength node_strength(const Model& model, LocalIndex n)
{
  return weakest(model, n, star_of(model, n));
}

NodeStrength strength_between(const Model& model, LocalIndex n, std::span<const MaterialIndex> one_side,
                              std::span<const MaterialIndex> other_side)
{
  const Star star = star_of(model, n);
  NodeStrength joint{infinite, infinite, {}};
  for (const MaterialIndex a : one_side)
    for (const MaterialIndex b : other_side) {
      const auto between = std::find_if(model.interfaces.begin(), model.interfaces.end(),
                                        [a, b](const material::Interface& i) { return joins(i, a, b); });
      if (between == model.interfaces.end()) return weakest(model, n, star);
      joint = lesser(joint, strength(*between, star));
    }
  return joint;
}

double residual_share(const Model& model, LocalIndex n)
{
  double least = 1;
  for (const LocalIndex e : model.mesh.star(n)) least = std::min(least, model.material_of(e).residual);
  return least;
}

double toughness_across(const Model& model, LocalIndex n, const Vec3& n_hat)
{
  const Star star = star_of(model, n);
  const NodeStrength s = weakest(model, n, star);
  if (!std::isfinite(s.stress)) return s.force;
  Mat3 turn = Mat3::Zero();  // mean deformation gradient: what took the material's normal to n_hat
  for (const LocalIndex e : model.mesh.star(n))
    turn += model.blocks.volume(e) * deformation_gradient(model.blocks.gradients(e), model.positions(e));
  const Vec3 normal = (turn.transpose() * n_hat).normalized();
  return std::min(s.force, strength_now(s, star) * area_across(model, n, normal, s.cohesion.energy > 0));
}

WeakestPlane weakest_plane(const Model& model, LocalIndex n, const Mat3& s)
{
  const Principal principal = largest_principal(s);
  WeakestPlane plane{principal, toughness_across(model, n, principal.direction), -1};
  if (model.interfaces.empty()) return plane;
  const std::vector<MaterialIndex> kinds = materials_around(model, n);
  const Star star = star_of(model, n);
  const Mat3 pull = split_by_sign(s).tensile;
  for (std::size_t k = 0; k < model.interfaces.size(); ++k) {
    const material::Interface& between = model.interfaces[k];
    if (!among(between, kinds)) continue;
    const FacesBetween faces = faces_between(model, n, between.a, between.b);
    if (!(faces.X.norm() > 0 && faces.x.norm() > 0)) continue;
    const NodeStrength joint = strength(between, star);
    double tau = joint.force;
    if (std::isfinite(joint.stress))
      tau = std::min(
          tau, strength_now(joint, star) * area_across(model, n, faces.X.normalized(), joint.cohesion.energy > 0));
    const Vec3 normal = faces.x.normalized();
    const WeakestPlane along{{(pull * normal).norm(), normal}, tau, static_cast<int>(k)};
    if (along.ratio() > plane.ratio()) plane = along;
  }
  return plane;
}

double least_toughness(const Model& model, LocalIndex n)
{
  return toughness_bound(model, n).force;
}

ToughnessBound toughness_bound(const Model& model, LocalIndex n)
{
  if (model.mesh.star(n).empty()) return {infinite, {}};
  const Star star = star_of(model, n);
  const NodeStrength own = weakest(model, n, star);
  double force = own.force, stress = strength_now(own, star);
  bool joined = false, cohesive = own.cohesion.energy > 0;
  if (!model.interfaces.empty()) {
    const std::vector<MaterialIndex> kinds = materials_around(model, n);
    for (const material::Interface& between : model.interfaces) {
      if (!among(between, kinds)) continue;
      const NodeStrength joint = strength(between, star);
      force = std::min(force, joint.force), stress = std::min(stress, strength_now(joint, star));
      joined = true, cohesive = cohesive || joint.cohesion.energy > 0;
    }
  }
  if (!std::isfinite(stress)) return {force, {}};
  const Mat3 areas = areas_around(model, n);
  StrengthBound across;
  if (!std::isfinite(force) && !joined) across.stress = stress, across.areas = material::symmetric(areas);
  if (cohesive)
    for (const OuterFace& face : outer_faces_around(model, n)) across.unjoined += face.area.cwiseAbs() / 6;
  if (across.unjoined != Vec3::Zero()) stress *= StrengthBound::least_joined;
  return {std::min(force, stress * least_area(areas)), across};
}

}  // namespace sunder::element
