#include "random_element.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

using namespace sunder;
using namespace sunder::element;
using namespace sunder::element::testing;

namespace {

Mat3 random_symmetric(Random& random)
{
  const Mat3 A = random.rotation();
  return A * Vec3(random.vector(1e6)).asDiagonal() * A.transpose();
}

Vec3 eigenvalues(const Mat3& symmetric)
{
  return Eigen::SelfAdjointEigenSolver<Mat3>(symmetric).eigenvalues();
}

}  // namespace

TEST_CASE("a pulled bar has the stress of the textbook", "[element][stress]")
{
  material::Material m;
  const double E = 2e9, nu = 0.3;
  m.lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), m.mu = E / (2 * (1 + nu));
  const double strain = 1e-7;
  const Mat3 F = Vec3(1 + strain, 1 - nu * strain, 1 - nu * strain).asDiagonal();
  const Mat3 sigma = stress({F, Mat3::Zero()}, {}, m, 1), cauchy = cauchy_stress(F, sigma);
  CHECK(cauchy(0, 0) == Approx(E * strain).epsilon(1e-6));
  CHECK(sigma(0, 0) == Approx(2 * E * strain).epsilon(1e-6));  // sigma is twice S
  CHECK(std::abs(cauchy(1, 1)) < 1e-6 * E * strain);
}

TEST_CASE("a turn turns the Cauchy stress and leaves sigma", "[element][stress]")
{
  Random random(41);
  Mat3 F = Mat3::Identity(), Fdot;
  for (int i = 0; i < 9; ++i) F(i / 3, i % 3) += random.uniform(-0.3, 0.3), Fdot(i / 3, i % 3) = random.uniform(-1, 1);
  const Mat3 R = random.rotation(), sigma = stress({F, Fdot}, {}, jelly(), 0.5);
  const Mat3 turned = stress({R * F, R * Fdot}, {}, jelly(), 0.5);
  CHECK((turned - sigma).norm() <= 1e-13 * sigma.norm());
  const Mat3 cauchy = cauchy_stress(F, sigma);
  CHECK((cauchy_stress(R * F, turned) - R * cauchy * R.transpose()).norm() <= 1e-13 * cauchy.norm());
}

TEST_CASE("stress splits into a part that only pulls and one that only pushes", "[element][stress]")
{
  Random random(42);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3 sigma = random_symmetric(random);
    const StressSplit split = split_by_sign(sigma);
    const double round_off = 1e-14 * sigma.norm();
    CHECK((split.tensile + split.compressive - sigma).norm() <= round_off);
    CHECK(eigenvalues(split.tensile)[0] >= -round_off);
    CHECK(eigenvalues(split.compressive)[2] <= round_off);
    CHECK((split.tensile * split.compressive).norm() <= round_off * sigma.norm());
  }
  const Mat3 pull = Vec3(1, 2, 3).asDiagonal();
  CHECK(split_by_sign(pull).compressive == Mat3::Zero());
  CHECK(split_by_sign(-pull).tensile == Mat3::Zero());
  CHECK(split_by_sign(Mat3::Zero()).tensile == Mat3::Zero());
}

TEST_CASE("principal directions are unit, belong to their value and have a settled sign", "[element][stress]")
{
  Random random(44);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3 sigma = random_symmetric(random);
    const Principal p = largest_principal(sigma);
    CHECK(p.direction.norm() == Approx(1));
    CHECK((sigma * p.direction - p.value * p.direction).norm() <= 1e-13 * sigma.norm());
    CHECK(p.direction.x() > 0);
    CHECK(p.value >= sigma.diagonal().maxCoeff() * (1 - 1e-14));
  }
  CHECK(largest_principal(Vec3(1, 2, 9).asDiagonal()).direction == Vec3::UnitZ());
}
