#include "material/material.hpp"
#include "support/random_stiffness.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

using namespace sunder;
using namespace sunder::material;
using test::random_rotation;
using test::random_stiffness;
using test::random_symmetric;

namespace {

/// C_ijkl E_kl by four loops over the tensor's indices.
Mat3 contracted(const Mat6& C, const Mat3& E)
{
  const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  Mat3 S = Mat3::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) S(i, j) += C(place[i][j], place[k][l]) * E(k, l);
  return S;
}

constexpr Orthotropic wood{.E1 = 12e9,
                           .E2 = 0.9e9,
                           .E3 = 0.5e9,
                           .nu12 = 0.37,
                           .nu13 = 0.47,
                           .nu23 = 0.43,
                           .G12 = 0.75e9,
                           .G13 = 0.72e9,
                           .G23 = 0.04e9};

}  // namespace

TEST_CASE("isotropic stiffness is Lame's law", "[material][stiffness]")
{
  const double lambda = 3e9, mu = 2e9;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Mat3 E = random_symmetric(seed), S = lambda * E.trace() * Mat3::Identity() + 2 * mu * E;
    CHECK((contracted(isotropic_stiffness(lambda, mu), E) - S).norm() <= 1e-14 * S.norm());
  }
  const auto values = eigenvalues(isotropic_stiffness(lambda, mu));
  for (int i = 0; i < 5; ++i) CHECK(values[i] == Approx(2 * mu));  // five shears and a change of volume
  CHECK(values[5] == Approx(3 * lambda + 2 * mu));
}

TEST_CASE("a turned law turns stress with strain", "[material][stiffness]")
{
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Mat6 C = random_stiffness(seed, 1e9);
    const Mat3 R = random_rotation(seed), E = random_symmetric(seed);
    const Mat3 S = contracted(C, E), turned_S = contracted(turned(C, R), R * E * R.transpose());
    CHECK((turned_S - R * S * R.transpose()).norm() <= 1e-14 * C.norm());
    CHECK((eigenvalues(turned(C, R)) - eigenvalues(C)).norm() <= 1e-13 * C.norm());
    CHECK((turned(turned(C, R), R.transpose()) - C).norm() <= 1e-14 * C.norm());
  }
  const Mat6 C = random_stiffness(3, 1e9), iso = isotropic_stiffness(3e9, 2e9);
  CHECK(turned(C, Mat3::Identity()) == C);  // to the bit
  CHECK((turned(iso, random_rotation(7)) - iso).norm() <= 1e-15 * iso.norm());
}

TEST_CASE("engineering constants mean what a pulled bar does", "[material][stiffness]")
{
  const Mat6 C = orthotropic_stiffness(wood), S = C.inverse();
  CHECK(C == Mat6(C.transpose()));
  CHECK(eigenvalues(C)[0] > 0);
  CHECK(1 / S(0, 0) == Approx(wood.E1));
  CHECK(1 / S(1, 1) == Approx(wood.E2));
  CHECK(1 / S(2, 2) == Approx(wood.E3));
  CHECK(-S(1, 0) / S(0, 0) == Approx(wood.nu12));  // contraction along 2 of a bar pulled along 1
  CHECK(-S(2, 0) / S(0, 0) == Approx(wood.nu13));
  CHECK(-S(2, 1) / S(1, 1) == Approx(wood.nu23));
  CHECK(1 / S(3, 3) == Approx(wood.G23));
  CHECK(1 / S(4, 4) == Approx(wood.G13));
  CHECK(1 / S(5, 5) == Approx(wood.G12));
  const double E = 7e9, nu = 0.3, G = E / (2 * (1 + nu));
  const Mat6 same = orthotropic_stiffness({E, E, E, nu, nu, nu, G, G, G});
  const Mat6 lame = isotropic_stiffness(E * nu / ((1 + nu) * (1 - 2 * nu)), G);
  CHECK((same - lame).norm() <= 1e-14 * lame.norm());
}

TEST_CASE("constants that contradict each other are not positive definite", "[material][stiffness]")
{
  Orthotropic m = wood;
  m.nu12 = 4;  // more than sqrt(E1 / E2)
  CHECK(eigenvalues(orthotropic_stiffness(m))[0] < 0);
}

TEST_CASE("the greatest quotient is the greatest over the corner motions of an element", "[material][stiffness]")
{
  // Against the 9 x 9 matrix of W -> C : sym(W diag(s)), whose eigenvalues are those of the element.
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Mat6 C = random_stiffness(seed, 1e9);
    const Vec3 s = (test::random_vector(seed, 5).array() + 1.1).matrix();
    Eigen::Matrix<double, 9, 9> K;
    for (int a = 0; a < 9; ++a)
      for (int b = 0; b < 9; ++b) {
        Mat3 U = Mat3::Zero(), V = Mat3::Zero();
        U(a / 3, a % 3) = s[a % 3], V(b / 3, b % 3) = s[b % 3];
        K(a, b) = U.cwiseProduct(contracted(C, 0.5 * (V + V.transpose()))).sum();
      }
    const double exact = Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 9, 9>>(K).eigenvalues()[8];
    CHECK(greatest_quotient(C, s) == Approx(exact).epsilon(1e-12));
  }
}

TEST_CASE("a body's turn turns its material", "[material]")
{
  const Mat3 R = random_rotation(4), axes = random_rotation(5);
  Material m;
  m.axes = axes, m.toughness_scale = {1, 0.5, 0.25};
  m.anisotropy.emplace(random_stiffness(6, 1e9), random_stiffness(7, 10), axes);
  const Material there = turned(m, R);
  CHECK((there.anisotropy->C() - turned(m.anisotropy->C(), R)).norm() <= 1e-14 * m.anisotropy->C().norm());
  CHECK((there.anisotropy->D() - turned(m.anisotropy->D(), R)).norm() <= 1e-14 * m.anisotropy->D().norm());
  CHECK(there.anisotropy->own_C() == m.anisotropy->own_C());
  CHECK((weakness(there) - R * weakness(m) * R.transpose()).norm() <= 1e-15);
  CHECK((weakness(m) - Mat3(m.toughness_scale.asDiagonal())).norm() == 0);
  CHECK(is_rotation(R));
  CHECK_FALSE(is_rotation(-R));
  CHECK_FALSE(is_rotation(1.001 * R));
}
