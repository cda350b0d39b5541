#include "material/material.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::material {

namespace {

/// E / (1 - nu^2) [Pa].
double plane_strain_modulus(const Material& m)
{
  return 4 * m.mu * (m.lambda + m.mu) / (m.lambda + 2 * m.mu);
}

double modulus(const Material& m)
{
  return m.anisotropy ? m.p_wave_modulus() : plane_strain_modulus(m);
}

}  // namespace

double critical_intensity(const Material& m)
{
  return m.toughness_form == ToughnessForm::K_Ic ? m.toughness : std::sqrt(m.toughness * plane_strain_modulus(m));
}

double critical_energy(const Material& m)
{
  if (m.cohesion.energy > 0) return m.cohesion.energy;
  return m.toughness_form == ToughnessForm::G_c ? m.toughness : m.toughness * m.toughness / plane_strain_modulus(m);
}

double process_zone(const Material& m)
{
  return modulus(m) * m.cohesion.energy / (m.toughness * m.toughness);
}

double process_zone(const Interface& interface, const Material& a, const Material& b)
{
  return std::min(modulus(a), modulus(b)) * interface.cohesion.energy / (interface.toughness * interface.toughness);
}

double rayleigh_speed(const Material& m)
{
  if (m.anisotropy) return std::numeric_limits<double>::quiet_NaN();
  const double k = m.mu / (m.lambda + 2 * m.mu);  // < 3/4
  const auto f = [k](double x) { return (2 - x) * (2 - x) - 4 * std::sqrt((1 - x) * (1 - x * k)); };
  double low = 0.1, high = 1;  // f < 0 from 0 to the root, which is above 0.4 for every nu, and > 0 from there to 1
  for (int i = 0; i < 60; ++i) (f((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  return std::sqrt(low * m.mu / m.density);
}

Mat3 weakness(const Material& m)
{
  return m.toughness_axes * m.toughness_scale.asDiagonal() * m.toughness_axes.transpose();
}

Material turned(Material m, const Mat3& R)
{
  m.axes = R * m.axes;
  m.toughness_axes = R * m.toughness_axes;
  if (m.anisotropy) m.anisotropy.emplace(Mat6(m.anisotropy->own_C()), Mat6(m.anisotropy->own_D()), m.axes);
  return m;
}

bool is_rotation(const Mat3& R)
{
  constexpr double slack = 1e-6;
  return (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff() <= slack && R.determinant() > 0;
}

}  // namespace sunder::material
