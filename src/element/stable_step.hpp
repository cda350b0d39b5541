#pragma once
/// How large a step an element allows, and what limits it.

#include "core/types.hpp"
#include "material/material.hpp"

namespace sunder::element {

/// Bounds of the highest elastic frequency and viscous rate of one element with lumped mass.
/// With g_a = grad N_a, s = sum_a |g_a|^2, l = lambda_max(G G^T), node mass rho vol/4:
///   omega^2 <= (4/rho) (lambda s + 2 mu l),  rate <= (4/rho) (phi s + 2 psi l).
/// (tr grad u)^2 <= |u|^2 s and |sym grad u|^2 <= |u|^2 l; the mesh's highest frequency never exceeds
/// the greatest of its elements' (Irons' theorem).
struct ElementRates {
  double omega = 0;         ///< [1/s]
  double viscous_rate = 0;  ///< [1/s], before any cap
  double damping_ratio() const { return viscous_rate / (2 * omega); }
};
ElementRates element_rates(const Mat34& gradients, const material::Material& m, double mass_factor = 1);

/// Largest stable step of central differences with viscous forces taken at the last half step:
/// (-r + sqrt(r^2 + 4 omega^2)) / omega^2, r the viscous rate after the cap. [s]
double stable_step(double omega, double viscous_rate);

/// Factor in (0, 1] on an element's viscosity that keeps its damping ratio at its own highest frequency
/// at or below cap; 1 if cap is 0 (no cap).
double viscosity_factor(const ElementRates& rates, double cap);

}  // namespace sunder::element
