#pragma once
/// Implicit time integration by the generalised-alpha family. docs/equilibrium.md.

namespace sunder::solvers {

/// With u the displacement in a step of dt, and 0 and 1 its ends:
///
///   u   = dt v0 + dt^2 (early a0 + beta a1)
///   v1  = v0 + dt ((1 - gamma) a0 + gamma a1)
///   (1 - alpha_f) f1 + alpha_f f0 = m ((1 - alpha_m) a1 + alpha_m a0)
///
/// Newmark (1959) has early = 1/2 - beta and no alphas; Chung and Hulbert (1993) chose the alphas so that high
/// frequencies are damped most for the least damping of low ones.
struct ImplicitScheme {
  double beta = 1, gamma = 1, early = 0, alpha_m = 0, alpha_f = 0;

  /// (v1 - v0) / dt = a1 and u = dt v1: order 1, damps all frequencies.
  static constexpr ImplicitScheme backward_euler() { return {}; }
  /// The trapezoidal rule: order 2, no damping of linear systems.
  static constexpr ImplicitScheme newmark() { return {0.25, 0.5, 0.25, 0, 0}; }
  /// Order 2. spectral_radius: what is left of the highest frequencies after each step, in [0, 1].
  static constexpr ImplicitScheme generalised_alpha(double spectral_radius)
  {
    const double m = (2 * spectral_radius - 1) / (spectral_radius + 1), f = spectral_radius / (spectral_radius + 1);
    const double beta = 0.25 * (1 - m + f) * (1 - m + f);
    return {beta, 0.5 - m + f, 0.5 - beta, m, f};
  }

  constexpr double acceleration(double u, double v0, double a0, double dt) const
  {
    return (u - dt * (v0 + early * dt * a0)) / (beta * dt * dt);
  }
  constexpr double velocity(double v0, double a0, double a1, double dt) const
  {
    return v0 + dt * ((1 - gamma) * a0 + gamma * a1);
  }
  constexpr double displacement(double v0, double a0, double a1, double dt) const
  {
    return dt * (v0 + dt * (early * a0 + beta * a1));
  }
  constexpr double rate(double dt) const { return gamma / (beta * dt); }  ///< dv1/du [1/s]
  /// Of the balance divided by 1 - alpha_f: how much inertia comes of u [1/s^2].
  constexpr double inertia(double dt) const { return (1 - alpha_m) / ((1 - alpha_f) * beta * dt * dt); }
  /// Displacement that the step leaves out, to leading order [m]: Zienkiewicz, Xie (1991).
  constexpr double error(double a0, double a1, double dt) const
  {
    const double third_order = (beta - 1.0 / 6) * (a1 - a0);
    return dt * dt * (early + beta == 0.5 ? third_order : 0.5 * a1);
  }
};

}  // namespace sunder::solvers
