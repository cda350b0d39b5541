#pragma once
/// Elastic laws of no symmetry, from fixed seeds.

#include "material/stiffness.hpp"
#include "support/cube_mesh.hpp"

namespace sunder::test {

/// Positive definite with all 21 constants of the order of `size` [Pa].
inline material::Mat6 random_stiffness(std::uint64_t seed, double size)
{
  material::Mat6 A;
  for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = random_number(seed, static_cast<std::uint64_t>(i));
  return size * (A * A.transpose() + 0.3 * material::Mat6::Identity());
}

inline Mat3 random_rotation(std::uint64_t seed)
{
  const Vec3 axis = random_vector(seed, 0);
  return Eigen::AngleAxisd(3 * random_number(seed, 9), axis.normalized()).toRotationMatrix();
}

inline Mat3 random_symmetric(std::uint64_t seed)
{
  const Vec3 d = random_vector(seed, 0), o = random_vector(seed, 1);
  Mat3 M;
  M << d[0], o[0], o[1], o[0], d[1], o[2], o[1], o[2], d[2];
  return M;
}

}  // namespace sunder::test
