#include "element/stable_step.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace sunder::element {
namespace {

/// Ascending. In closed form, which is fast and accurate enough for a step; set-up calls this three times an element.
Vec3 eigenvalues(const Mat3& symmetric)
{
  return Eigen::SelfAdjointEigenSolver<Mat3>().computeDirect(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

/// Greatest (a (tr H)^2 + 2 b |sym H|^2) / |u|^2 over the corner vectors u of an element, H = grad u.
/// With the singular values s_i of the gradients, H is W diag(s) between two rotations and |W| <= |u|; the diagonal of
/// W then parts from its pairs (W_ij, W_ji), which leaves a s s^T + 2 b diag(s^2) and b (s_i^2 + s_j^2).
double greatest_quotient(const Vec3& s, double a, double b)
{
  const Mat3 diagonal_part = a * s * s.transpose() + Mat3((2 * b * s.cwiseAbs2()).asDiagonal());
  const double diagonal = eigenvalues(diagonal_part)[2];
  return std::max(diagonal, b * (s[1] * s[1] + s[2] * s[2]));
}

}  // namespace

ElementRates element_rates(const Mat34& gradients, const material::Material& m, double mass_factor)
{
  const Mat3 GGt = gradients * gradients.transpose();
  const double four_over_density = 4 / (m.density * mass_factor);
  if (m.anisotropy) {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(GGt);
    const Vec3 s = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    const Mat3 to_principal = solver.eigenvectors().transpose();  // a reflection turns C as its opposite does
    const auto quotient = [&](const material::Mat6& C) {
      return std::max(0.0, material::greatest_quotient(material::turned(C, to_principal), s));
    };
    return {.omega = std::sqrt(four_over_density * quotient(m.anisotropy->C())),
            .viscous_rate = four_over_density * quotient(m.anisotropy->D())};
  }
  const Vec3 s = eigenvalues(GGt).cwiseMax(0.0).cwiseSqrt();
  return {.omega = std::sqrt(four_over_density * greatest_quotient(s, m.lambda, m.mu)),
          .viscous_rate = four_over_density * greatest_quotient(s, m.phi, m.psi)};
}

double stable_step(double omega, double viscous_rate)
{
  // The root of omega^2 T^2 + 2 r T = 4 in the form that does not cancel where viscosity rules.
  return 4 / (viscous_rate + std::sqrt(viscous_rate * viscous_rate + 4 * omega * omega));
}

double viscosity_factor(const ElementRates& rates, double cap)
{
  const double ratio = rates.damping_ratio();
  return cap > 0 && ratio > cap ? cap / ratio : 1;
}

Scaling scaling_of(const StepOptions& options, const Mat34& gradients, const material::Material& m)
{
  Scaling s;
  s.rates = element_rates(gradients, m);
  s.viscosity = viscosity_factor(s.rates, options.viscosity_cap);
  if (const double T = options.mass_scaling_step; T > 0) {
    const double omega = s.rates.omega, r = s.viscosity * s.rates.viscous_rate;
    s.mass = std::max(1.0, (T * T * omega * omega + 2 * T * r) / 4);
  }
  return s;
}

}  // namespace sunder::element
