#include "material/material.hpp"

namespace sunder::material {

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
