#include "fracture/released_energy.hpp"

#include "element/stress.hpp"

#include <Eigen/Dense>

#include <algorithm>

namespace sunder::fracture {
namespace {

/// One side of a split node.
struct SplitSide {
  Vec3 force = Vec3::Zero();      ///< [N] of the elements on the node
  Mat3 stiffness = Mat3::Zero();  ///< [N/m] against moving the node alone
};

/// Stiffness of one element against moving one corner, for small strains: V ((lambda + mu) g g^T + mu |g|^2 I) with g
/// the corner's gradient in the world. Of a material with directions: of an isotropic one with its P-wave modulus and
/// without lateral contraction.
Mat3 corner_stiffness(const material::Material& m, double volume, const Vec3& g)
{
  const double mu = m.anisotropy ? m.p_wave_modulus() / 2 : m.mu, lambda = m.anisotropy ? 0 : m.lambda;
  return volume * ((lambda + mu) * g * g.transpose() + mu * g.squaredNorm() * Mat3::Identity());
}

SplitSide side_of(const element::Model& model, LocalIndex n)
{
  SplitSide side;
  for (const LocalIndex e : model.mesh.star(n)) {
    const Tet& tet = model.mesh.tet(e);
    const auto corner = std::find(tet.begin(), tet.end(), n) - tet.begin();
    const Mat34 gradients = model.blocks.gradients(e);
    const Mat3 F = element::deformation(gradients, model.positions(e), model.velocities(e)).F;
    const double volume = model.blocks.volume(e);
    side.force += element::corner_forces(volume, F, element::element_stress(model, e), gradients).col(corner);
    side.stiffness +=
        corner_stiffness(model.material_of(e), volume, F.transpose().partialPivLu().solve(gradients.col(corner)));
  }
  return side;
}

}  // namespace

double released_energy(const element::Model& model, LocalIndex a, LocalIndex b)
{
  const SplitSide of_a = side_of(model, a), of_b = side_of(model, b);
  const double m_a = model.mass[static_cast<std::size_t>(a)], m_b = model.mass[static_cast<std::size_t>(b)];
  const Vec3 c = of_b.force - m_b / (m_a + m_b) * (of_a.force + of_b.force);
  const auto relaxed = [&c](const SplitSide& side) { return c.dot(side.stiffness.ldlt().solve(c)) / 2; };
  return relaxed(of_a) + relaxed(of_b);
}

}  // namespace sunder::fracture
