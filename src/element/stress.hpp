#pragma once
/// One element at a time: stress, its tensile and compressive parts, and the corner forces these make. For uses that
/// need few elements: failure, output, tests. The step's loop is internal_forces.hpp. Local, pure, all of it.

#include "core/types.hpp"
#include "material/material.hpp"

namespace sunder::element {

/// Deformation of one element. Shapes as columns a = 0..3.
struct Deformation {
  Mat3 F;     ///< sum_a p_a (x) grad N_a
  Mat3 Fdot;  ///< sum_a v_a (x) grad N_a [1/s]
};
Deformation deformation(const Mat34& gradients, const Mat34& p, const Mat34& v);
Mat3 deformation_gradient(const Mat34& gradients, const Mat34& p);

/// sigma = 2 S [Pa], T 3.9-3.13: an elastic and a viscous part. With eps^e = F^T F - I - plastic, nu = F^T Fdot +
/// Fdot^T F and s the viscosity factor they are, for St. Venant-Kirchhoff's law,
///   lambda tr(eps^e) I + 2 mu eps^e + s (phi tr(nu) I + 2 psi nu),
/// or C : eps^e + s D : nu if the material has directions. Another law of the material replaces the elastic part.
Mat3 stress(const Deformation& d, const std::array<double, 6>& plastic, const material::Material& m, double viscosity);

/// W, elastic energy per volume of the undeformed material. [J/m^3]
double elastic_energy_density(const Mat3& F, const std::array<double, 6>& plastic, const material::Material& m);

/// Cauchy stress F S F^T / det F of sigma = 2 S. [Pa]
Mat3 cauchy_stress(const Mat3& F, const Mat3& sigma);

/// sigma split by the sign of its eigenvalues, T 4.2, 4.3. sigma = tensile + compressive.
struct StressSplit {
  Mat3 tensile, compressive;
};
StressSplit split_by_sign(const Mat3& sigma);

/// Corner forces f_a = -(vol/2) F sigma grad N_a, T 3.32; columns sum to zero. [N]
Mat34 corner_forces(double volume, const Mat3& F, const Mat3& sigma, const Mat34& gradients);

/// m(a) = a a^T / |a|, zero for a = 0. T 4.1.
Mat3 m(const Vec3& a);

/// Which form of the separation tensor is used. They differ where tension and compression at a node do not balance.
/// docs/fracture.md.
enum class SeparationCriterion {
  tensile,  ///< Compression counts only as far as it balances tension opposite to it. No separation without tension.
  sources,  ///< T 4.6 as printed: the whole compressive resultant counts, also if loads or inertia balance it.
};

/// Accumulates the separation tensor of one node over the elements around it, in their canonical order.
///
///   sources: 1/2 (-m(f+_sum) + sum m(f+) + m(f-_sum) - sum m(f-)), T 4.6
///   tensile: the same with c for f-_sum, c = -t d, d = f+_sum/|f+_sum|, t = clamp(-f-_sum . d, 0, |f+_sum|): the part
///            of the compression that balances the tension. As m(c) = t d d^T,
///
///            1/2 (sum m(f+) - sum m(f-) - u d d^T),  u = |f+_sum| - t = clamp((f+_sum + f-_sum) . d, 0, |f+_sum|)
///
///            where u is the tension that moves the node, or that a support bears. u d d^T vanishes with f+_sum,
///            whatever the direction of d, so the tensor is continuous. No eigenvalue exceeds sum |f+| / 2.
class Separation {
public:
  void add(const Vec3& tensile_force, const Vec3& compressive_force);
  Mat3 tensor(SeparationCriterion criterion) const;  ///< [N]

private:
  Vec3 tensile_sum_ = Vec3::Zero(), compressive_sum_ = Vec3::Zero();
  Mat3 sum_ = Mat3::Zero();
};

/// An upper bound of the largest eigenvalue: tr/3 + 2 sqrt(J2/3). It is exact if the two smaller eigenvalues are equal.
double eigenvalue_bound(const Mat3& symmetric);

/// The largest eigenvalue and its unit eigenvector. The vector's first non-zero component is positive.
struct Principal {
  double value = 0;
  Vec3 direction = Vec3::UnitX();
};
Principal largest_principal(const Mat3& symmetric);

}  // namespace sunder::element
