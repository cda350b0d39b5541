#pragma once
/// The largest stable step of an element. docs/deformation.md.

#include "core/types.hpp"
#include "material/material.hpp"

namespace sunder::element {

/// What keeps small elements and links from making the step too small. docs/deformation.md, docs/cohesion.md.
struct StepOptions {
  double viscosity_cap = 1;      ///< Greatest damping ratio of an element at its own highest frequency; 0: none.
  double mass_scaling_step = 0;  ///< [s]: elements with a smaller limit get mass until they reach it; 0: none.
  double link_stiffness = 4;     ///< Of links that are born, over that of the layer of elements beside them.
};

/// Highest elastic frequency and viscous rate of one undeformed element with lumped mass, node mass rho vol/4.
/// With s_i the singular values of G = [grad N_a]:
///   omega^2 = (4/rho) max(lambda_max(lambda s s^T + 2 mu diag(s^2)), mu (s_i^2 + s_j^2)),
/// and the rate likewise with phi, psi. With a general C in the axes of the singular vectors, omega^2 is 4/rho times
/// the largest eigenvalue of the 6 x 6 matrix d_I C_IJ d_J (Voigt), d = s_i or sqrt(s_i^2 + s_j^2), and the rate
/// likewise with D. Each is exact; together they bound a step with both. The highest frequency of a mesh is at most the
/// greatest of its elements (Irons' theorem). Stretching an element raises its frequency; time.safety covers that.
struct ElementRates {
  double omega = 0;         ///< [1/s]
  double viscous_rate = 0;  ///< [1/s], before any cap
  double damping_ratio() const { return viscous_rate / (2 * omega); }
};
/// Local. mass_factor: the element's mass over rho vol.
ElementRates element_rates(const Mat34& gradients, const material::Material& m, double mass_factor = 1);

/// Local. Largest stable step of central differences with viscous forces taken at the last half step:
/// (-r + sqrt(r^2 + 4 omega^2)) / omega^2, r the viscous rate after the cap. [s]
double stable_step(double omega, double viscous_rate);

/// Local. The viscosity cap: the factor in (0, 1] on an element's viscosity that keeps its damping ratio, at its own
/// highest frequency, at or below cap. 1 if cap is 0, which means no cap.
double viscosity_factor(const ElementRates& rates, double cap);

/// What the options make of an element.
struct Scaling {
  double viscosity = 1;  ///< Factor on phi and psi.
  double mass = 1;       ///< Factor on the mass.
  ElementRates rates;    ///< Without either.
};
/// Local. With r the capped viscous rate, a step T = mass_scaling_step is stable once the mass is
/// (T^2 omega^2 + 2 T r) / 4 times larger: stable_step() solved for the mass.
Scaling scaling_of(const StepOptions& options, const Mat34& gradients, const material::Material& m);

}  // namespace sunder::element
