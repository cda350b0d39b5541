#include "simulation/diagnostics/field_values.hpp"

#include "element/stress.hpp"
#include "element/toughness.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace sunder::simulation {
namespace {

double norm(const Tensor& e)
{
  return std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
}

double von_mises(const Mat3& cauchy)
{
  const Mat3 deviator = cauchy - cauchy.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

/// Of Green's strain (F^T F - I) / 2.
double largest_strain(const Mat3& F)
{
  return element::largest_principal(0.5 * (F.transpose() * F - Mat3::Identity())).value;
}

const std::array<ElementField, 5> all_element_fields{{
    {"Stress", "Pa", 6,
     [](const ElementView& of, std::vector<double>& to) {
       const Tensor s = tensor_of(of.cauchy);
       to.insert(to.end(), s.begin(), s.end());
     }},
    {"VonMisesStress", "Pa", 1,
     [](const ElementView& of, std::vector<double>& to) { to.push_back(von_mises(of.cauchy)); }},
    {"MaxPrincipalStress", "Pa", 1,
     [](const ElementView& of, std::vector<double>& to) { to.push_back(element::largest_principal(of.cauchy).value); }},
    {"MaxPrincipalStrain", "", 1,
     [](const ElementView& of, std::vector<double>& to) { to.push_back(largest_strain(of.F)); }},
    {"PlasticStrain", "", 1,
     [](const ElementView& of, std::vector<double>& to) { to.push_back(norm(of.model.blocks.plastic_strain(of.e))); }},
}};

}  // namespace

Tensor tensor_of(const Mat3& s)
{
  return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(0, 2)};
}

ElementView view_of(const element::Model& model, LocalIndex e)
{
  const auto d = element::deformation(model.blocks.gradients(e), model.positions(e), model.velocities(e));
  const Mat3 sigma = element::element_stress(model, e);
  return {model, e, d.F, sigma, element::cauchy_stress(d.F, sigma)};
}

std::span<const ElementField> element_fields()
{
  return all_element_fields;
}

double damage_of(const element::Model& model, fracture::SplitForces& forces, LocalIndex n,
                 element::SeparationCriterion criterion)
{
  if (model.mesh.star(n).empty() || !element::breakable(model, n)) return 0;
  const Mat3 separation = fracture::separation_tensor(model.mesh, forces, n, criterion);
  return std::max(0.0, element::weakest_plane(model, n, separation).ratio());
}

}  // namespace sunder::simulation
