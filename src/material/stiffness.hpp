#pragma once
/// Linear laws S = C : E between symmetric tensors, as 6 x 6 matrices. docs/materials.md. Local, pure.
///
/// Voigt's order and convention: rows and columns 11 22 33 23 13 12; S = (S11 S22 S33 S23 S13 S12) and
/// E = (E11 E22 E33 2 E23 2 E13 2 E12), so that C_IJ is the tensor's component C_ijkl and C is symmetric.

#include "core/types.hpp"

namespace sunder::material {

using Mat6 = Eigen::Matrix<double, 6, 6>;

/// Tensor indices of Voigt's six places.
inline constexpr std::array<std::array<int, 2>, 6> voigt{{{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};

/// lambda tr(E) I + 2 mu E.
Mat6 isotropic_stiffness(double lambda, double mu);

/// The nine constants of a material with three planes of symmetry. nu_ij: in a bar pulled along i, the contraction
/// along j over the strain along i. nu_ji = nu_ij E_j / E_i.
struct Orthotropic {
  double E1 = 0, E2 = 0, E3 = 0;        ///< [Pa]
  double nu12 = 0, nu13 = 0, nu23 = 0;  ///< [-]
  double G12 = 0, G13 = 0, G23 = 0;     ///< [Pa]
};

/// C from these constants, as the inverse of the compliance. If they contradict each other, it is not positive definite
/// or not finite.
Mat6 orthotropic_stiffness(const Orthotropic& m);

/// The same law for a material turned by the rotation R: if S = C : E, then R S R^T = turned(C, R) : R E R^T. The
/// identity keeps the bits.
Mat6 turned(const Mat6& C, const Mat3& R);

/// Ascending eigenvalues of C as a map of symmetric tensors (Mandel's form), which no turn changes; NaN if C is not
/// finite. E : C : E lies between the first and the last times E : E.
Eigen::Matrix<double, 6, 1> eigenvalues(const Mat6& C);

/// Largest H : C : H over pairs |u| = 1 where H = sym(u G^T) and s are the singular values of the gradients G, as
/// element/stable_step.hpp needs it; C in the axes of the singular vectors.
double greatest_quotient(const Mat6& C, const Vec3& s);

}  // namespace sunder::material
