#include "element/stress.hpp"

#include "material/laws.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace sunder::element {
namespace {

using EigenSolver = Eigen::SelfAdjointEigenSolver<Mat3>;

material::Matrix<double> numbers(const Mat3& F)
{
  material::Matrix<double> m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.m[i][j] = F(i, j);
  return m;
}

/// eps^e = F^T F - I - plastic
auto elastic_strain(const Mat3& F, const std::array<double, 6>& plastic)
{
  const auto& [xx, yy, zz, xy, yz, xz] = plastic;
  const Mat3 strain = F.transpose() * F - Mat3::Identity() - material::matrix({xx, yy, zz, xy, yz, xz});
  return material::symmetric(strain);
}

}  // namespace

Mat3 deformation_gradient(const Mat34& gradients, const Mat34& p)
{
  // Edges first: far from the origin, sum_a p_a (x) grad N_a would cancel.
  return (p.rightCols<3>().colwise() - p.col(0)) * gradients.rightCols<3>().transpose();
}

Deformation deformation(const Mat34& gradients, const Mat34& p, const Mat34& v)
{
  return {deformation_gradient(gradients, p), deformation_gradient(gradients, v)};
}

Mat3 stress(const Deformation& d, const std::array<double, 6>& plastic, const material::Material& m, double viscosity)
{
  const Mat3 half_nu = d.F.transpose() * d.Fdot, nu = half_nu + half_nu.transpose();
  const auto of_law = [&]<class Law>(Law /*of m*/) {
    const auto elastic = Law::stress(Law::constants(m), numbers(d.F), elastic_strain(d.F, plastic));
    const auto viscous = Law::Viscosity::constants(m);
    return matrix(Law::Viscosity::add(viscous, viscosity, elastic, material::symmetric(nu)).sigma);
  };
  return with_law(m, of_law, material::Laws{});
}

double elastic_energy_density(const Mat3& F, const std::array<double, 6>& plastic, const material::Material& m)
{
  const auto of_law = [&]<class Law>(Law /*of m*/) {
    return Law::energy(Law::constants(m), numbers(F), elastic_strain(F, plastic));
  };
  return with_law(m, of_law, material::Laws{});
}

Mat3 cauchy_stress(const Mat3& F, const Mat3& sigma)
{
  return F * sigma * F.transpose() / (2 * F.determinant());
}

StressSplit split_by_sign(const Mat3& sigma)
{
  // Closed form, several times faster than iterating. It loses digits where two eigenvalues meet, but there the split
  // does not depend on which vectors span their plane; and what it loses in one part it puts into the other.
  EigenSolver solver;
  solver.computeDirect(sigma);
  const Vec3 value = solver.eigenvalues();  // ascending
  if (value[0] >= 0) return {sigma, Mat3::Zero()};
  if (value[2] <= 0) return {Mat3::Zero(), sigma};
  Mat3 tensile = Mat3::Zero();
  for (int i = 0; i < 3; ++i)
    if (const Vec3 n = solver.eigenvectors().col(i); value[i] > 0) tensile += value[i] * n * n.transpose();
  return {tensile, sigma - tensile};
}

Mat34 corner_forces(double volume, const Mat3& F, const Mat3& sigma, const Mat34& gradients)
{
  const Mat3 P = -volume / 2 * F * sigma;
  Mat34 f;
  f.rightCols<3>() = P * gradients.rightCols<3>();
  f.col(0) = -(f.col(1) + f.col(2) + f.col(3));  // balance: an element cannot push itself
  return f;
}

Mat3 m(const Vec3& a)
{
  const double length = a.norm();
  return length > 0 ? Mat3(a * a.transpose() / length) : Mat3::Zero();
}

void Separation::add(const Vec3& tensile_force, const Vec3& compressive_force)
{
  tensile_sum_ += tensile_force;
  compressive_sum_ += compressive_force;
  sum_ += m(tensile_force) - m(compressive_force);
}

Mat3 Separation::tensor(SeparationCriterion criterion) const
{
  if (criterion == SeparationCriterion::sources) return 0.5 * (sum_ - m(tensile_sum_) + m(compressive_sum_));
  const double tension = tensile_sum_.norm();
  if (tension == 0) return 0.5 * sum_;
  const Vec3 d = tensile_sum_ / tension;
  const double unbalanced = std::clamp(tension + compressive_sum_.dot(d), 0.0, tension);
  return 0.5 * (sum_ - unbalanced * d * d.transpose());
}

double eigenvalue_bound(const Mat3& symmetric)
{
  const double mean = symmetric.trace() / 3, twice_j2 = (symmetric - mean * Mat3::Identity()).squaredNorm();
  return (mean + std::sqrt(twice_j2 * 2 / 3)) + 1e-12 * (std::abs(mean) + std::sqrt(twice_j2));
}

Principal largest_principal(const Mat3& symmetric)
{
  const EigenSolver solver(symmetric);  // iterative: the direction is a fracture plane's
  Vec3 n = solver.eigenvectors().col(2);
  for (int i = 0; i < 3; ++i)
    if (n[i] != 0) {
      if (n[i] < 0) n = -n;
      break;
    }
  return {solver.eigenvalues()[2], n};
}

}  // namespace sunder::element
