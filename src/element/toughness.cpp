#include "element/toughness.hpp"

#include "core/sort_unique.hpp"

#include <Eigen/Eigenvalues>

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

NodeStrength lesser(const NodeStrength& a, const NodeStrength& b)
{
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

NodeStrength strength_of(const Model& model, LocalIndex n, const Star& star)
{
  const mesh::Node& node = model.mesh.node(n);
  const std::vector<MaterialIndex> kinds = materials_around(model, n);
  NodeStrength weakest{infinite, infinite, {.energy = infinite}};
  for (const MaterialIndex m : kinds) weakest = lesser(weakest, strength(model.materials[m], node.X, star));
  if (kinds.size() < 2 || model.interfaces.empty()) return weakest;
  NodeStrength joint{infinite, infinite, {.energy = infinite}};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto found = std::find_if(model.interfaces.begin(), model.interfaces.end(), [&](const auto& between) {
        return (between.a == kinds[i] && between.b == kinds[j]) || (between.a == kinds[j] && between.b == kinds[i]);
      });
      joint =
          lesser(joint, found != model.interfaces.end() ? strength(*found, star)
                                                        : lesser(strength(model.materials[kinds[i]], node.X, star),
                                                                 strength(model.materials[kinds[j]], node.X, star)));
    }
  return joint;
}

}  // namespace

NodeStrength node_strength(const Model& model, LocalIndex n)
{
  return strength_of(model, n, star_of(model, n));
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
  const NodeStrength s = strength_of(model, n, star);
  if (!std::isfinite(s.stress)) return s.force;
  Mat3 turn = Mat3::Zero();  // mean deformation gradient: what took the material's normal to n_hat
  for (const LocalIndex e : model.mesh.star(n))
    turn += model.blocks.volume(e) * deformation_gradient(model.blocks.gradients(e), model.positions(e));
  const Vec3 normal = (turn.transpose() * n_hat).normalized();
  double area = 0;
  for (const LocalIndex e : model.mesh.star(n)) {
    const Vec3 g = model.blocks.gradients(e).col(corner_of(model.mesh, e, n));
    area += model.blocks.volume(e) / 2 * std::abs(normal.dot(g));
  }
  for (const std::size_t k : model.links.of(n))
    if (const ModelLink& link = model.links[k]; !link.link.broken())
      area += link.link.law().area * std::abs(normal.dot(link.normal));
  return std::min(s.force, strength_now(s, star) * area);
}

double least_toughness(const Model& model, LocalIndex n)
{
  return toughness_bound(model, n).force;
}

ToughnessBound toughness_bound(const Model& model, LocalIndex n)
{
  if (model.mesh.star(n).empty()) return {infinite, 0};
  const Star star = star_of(model, n);
  const NodeStrength s = strength_of(model, n, star);
  if (!std::isfinite(s.stress)) return {s.force, 0};
  // |n . g| >= (n . g)^2 / |g|: no area is below the least eigenvalue of sum vol/2 g g^T / |g|.
  Mat3 areas = Mat3::Zero();
  for (const LocalIndex e : model.mesh.star(n)) {
    const Vec3 g = model.blocks.gradients(e).col(corner_of(model.mesh, e, n));
    areas += model.blocks.volume(e) / (2 * g.norm()) * g * g.transpose();
  }
  // Closed form, several times faster than iterating: it may lose half of the digits.
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.computeDirect(areas, Eigen::EigenvaluesOnly);
  const double least = solver.eigenvalues()[0] - 1e-7 * areas.trace();
  const double stress = strength_now(s, star);
  return {std::min(s.force, stress * std::max(0.0, least)), std::isfinite(s.force) ? 0 : stress};
}

}  // namespace sunder::element
