#include "element/toughness.hpp"

#include "core/sort_unique.hpp"
#include "element/area_across.hpp"
#include "element/interface_plane.hpp"
#include "element/least_area.hpp"

#include <algorithm>
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

bool cohesive(const material::Interface& between)
{
  return between.cohesion.energy > 0;
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

/// Times the stress of a cohesive interface: where sum |f+| + |f-| is no more than that, the node holds, as the
/// effective pull is at most this sum over min(1, shear_ratio) [m^2]. Next to nothing, so that it is always looked at,
/// where elements of other materials may change sides.
double area_to_slide(const Model& model, LocalIndex n, const material::Interface& between, bool others)
{
  constexpr double nothing = 1e-30;
  const auto faces = interface_plane(model, n, between);
  if (!faces) return infinite;
  if (others) return nothing;
  return std::max(nothing, std::min(1.0, between.cohesion.shear_ratio) * area_between(model, n, between, *faces));
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
    const auto faces = interface_plane(model, n, between);
    if (!faces) continue;
    const NodeStrength joint = strength(between, star);
    const Vec3& normal = faces->normal;
    double v = 0, tau = joint.force;
    if (cohesive(between)) {
      v = effective_pull(force_across(model, n, between, normal), normal, between.cohesion.shear_ratio);
      tau = joint.stress * (area_between(model, n, between, *faces) + area_of_links(model, n, faces->N));
    } else {
      v = (pull * normal).norm();
      if (std::isfinite(joint.stress))
        tau = std::min(tau, strength_now(joint, star) * area_across(model, n, faces->N, false));
    }
    const WeakestPlane along{{v, normal}, tau, static_cast<int>(k)};
    if (along.ratio() > plane.ratio()) plane = along;
  }
  return plane;
}

double least_toughness(const Model& model, LocalIndex n)
{
  return toughness_bound(model, n).force;
}

bool breakable(const Model& model, LocalIndex n)
{
  const auto i = static_cast<std::size_t>(n);
  return std::isfinite(model.toughness[i]) || model.strength[i].sliding > 0;
}

ToughnessBound toughness_bound(const Model& model, LocalIndex n)
{
  if (model.mesh.star(n).empty()) return {infinite, {}};
  const Star star = star_of(model, n);
  const NodeStrength own = weakest(model, n, star);
  double force = own.force, stress = strength_now(own, star);
  double sliding = infinite;
  bool joined = false;  // by an interface that may be weaker in its own plane
  if (!model.interfaces.empty()) {
    const std::vector<MaterialIndex> kinds = materials_around(model, n);
    for (const material::Interface& between : model.interfaces) {
      if (!among(between, kinds)) continue;
      const NodeStrength joint = strength(between, star);
      if (cohesive(between)) {
        sliding = std::min(sliding, area_to_slide(model, n, between, kinds.size() > 2) * joint.stress);
        continue;
      }
      force = std::min(force, joint.force), stress = std::min(stress, strength_now(joint, star));
      joined = true;
    }
  }
  StrengthBound across;
  if (std::isfinite(sliding)) across.sliding = sliding;
  if (!std::isfinite(stress)) return {force, across};
  const std::vector<Vec3> parts = parts_of_area(model, n);
  if (!std::isfinite(force) && !joined) across.stress = stress, across.areas = form_of_area(parts);
  std::vector<Vec3> unjoined;
  if (own.cohesion.energy > 0)
    for (const OuterFace& face : outer_faces_around(model, n)) unjoined.push_back(face.area / 6);
  for (const Vec3& part : unjoined) across.unjoined += part.cwiseAbs();
  return {std::min(force, stress * least_area(parts, unjoined)), across};
}

}  // namespace sunder::element
