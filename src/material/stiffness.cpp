#include "material/stiffness.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>

namespace sunder::material {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;

/// Bond's matrix K: the Voigt components of R S R^T are K times those of S.
Mat6 stress_turn(const Mat3& R)
{
  Mat6 K;
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J < 6; ++J) {
      const auto [i, j] = voigt[static_cast<std::size_t>(I)];
      const auto [k, l] = voigt[static_cast<std::size_t>(J)];
      K(I, J) = R(i, k) * R(j, l) + (k != l ? R(i, l) * R(j, k) : 0);
    }
  return K;
}

/// Ascending eigenvalues of diag(scale) C diag(scale).
Vec6 scaled_eigenvalues(const Mat6& C, const Vec6& scale)
{
  const Mat6 A = scale.asDiagonal() * C * scale.asDiagonal();
  if (!A.allFinite()) return Vec6::Constant(std::numeric_limits<double>::quiet_NaN());
  return Eigen::SelfAdjointEigenSolver<Mat6>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace

Mat6 isotropic_stiffness(double lambda, double mu)
{
  Mat6 C = Mat6::Zero();
  C.topLeftCorner<3, 3>().setConstant(lambda);
  for (int i = 0; i < 3; ++i) C(i, i) += 2 * mu, C(i + 3, i + 3) = mu;
  return C;
}

Mat6 orthotropic_stiffness(const Orthotropic& m)
{
  Mat3 compliance;
  const double s12 = -m.nu12 / m.E1, s13 = -m.nu13 / m.E1, s23 = -m.nu23 / m.E2;
  compliance << 1 / m.E1, s12, s13, s12, 1 / m.E2, s23, s13, s23, 1 / m.E3;
  const Mat3 normal = compliance.inverse();
  Mat6 C = Mat6::Zero();
  C.topLeftCorner<3, 3>() = 0.5 * (normal + normal.transpose());
  C(3, 3) = m.G23, C(4, 4) = m.G13, C(5, 5) = m.G12;
  return C;
}

Mat6 turned(const Mat6& C, const Mat3& R)
{
  const Mat6 K = stress_turn(R), turn = K * C * K.transpose();
  return 0.5 * (turn + turn.transpose());
}

Vec6 eigenvalues(const Mat6& C)
{
  Vec6 mandel;
  mandel << 1, 1, 1, Vec3::Constant(std::sqrt(2.0));
  return scaled_eigenvalues(C, mandel);
}

double greatest_quotient(const Mat6& C, const Vec3& s)
{
  // With the singular vectors as axes sym(W diag(s)), |W| <= 1, has W_ii s_i on its diagonal and at most
  // sqrt((s_i^2 + s_j^2) / 2) sqrt((W_ij^2 + W_ji^2) / 2) off it, each by a W of its own: a diagonal scaling of C.
  Vec6 scale;
  for (int I = 0; I < 6; ++I) {
    const auto [i, j] = voigt[static_cast<std::size_t>(I)];
    scale[I] = i == j ? s[i] : std::sqrt(s[i] * s[i] + s[j] * s[j]);
  }
  return scaled_eigenvalues(C, scale)[5];
}

}  // namespace sunder::material
