#include "contact/law/penalty.hpp"

#include "contact/law/obstacle_force.hpp"
#include "contact/obstacle_contact.hpp"
#include "geometry/random_tets.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

namespace {

std::array<Vec3, 4> as_array(const Mat34& p)
{
  return {p.col(0), p.col(1), p.col(2), p.col(3)};
}

/// Largest omega^2 of one element's contact with a half-space alone, a quarter of its mass at each corner. All forces
/// are along the normal, so only motion along it has a frequency: a 4 x 4 problem, forces differentiated numerically.
double squared_frequency(const Obstacle& o, const rigid::Motion& motion, const Mat34& p, double mass)
{
  const double h = 1e-6;
  auto along_normal = [&](const Mat34& x) -> Eigen::Vector4d {
    return element_contact(o, motion, x, Mat34::Zero()).forces.transpose() * o.normal;
  };
  Eigen::Matrix4d K;
  for (int a = 0; a < 4; ++a) {
    Mat34 forward = p, backward = p;
    forward.col(a) += h * o.normal, backward.col(a) -= h * o.normal;
    K.col(a) = (along_normal(backward) - along_normal(forward)) / (2 * h);
  }
  Eigen::Vector4d shape = Eigen::Vector4d(1, 0.9, 0.8, 0.7).normalized();
  double stiffness = 0;
  for (int k = 0; k < 300; ++k) {  // power iteration
    const Eigen::Vector4d force = K * shape;
    stiffness = force.norm();
    if (stiffness == 0) return 0;
    shape = force / stiffness;
  }
  return stiffness / (mass / 4);
}

}  // namespace

TEST_CASE(
    "the step a penalty allows bounds the contact's frequency, and is "
    "not wasteful",
    "[contact][penalty]")
{
  Random random(31);
  Obstacle o;
  o.shape = rigid::Shape::half_space;
  o.response.stiffness = 7e5;
  const double mass = 0.3;
  double tightest = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Mat34 p = trial % 4 == 0 ? regular_tet() : random.tet(1);
    o.normal = trial % 4 == 0 ? Vec3(Vec3::UnitZ()) : random.direction();
    const Vec3 inside = p * Eigen::Vector4d(0.3, 0.3, 0.3, 0.1) + 0.3 * random.vector(1);
    const double step = penalty_step(o.response.stiffness, mass, as_array(p));
    const double omega2 = squared_frequency(o, {inside, Vec3::Zero()}, p, mass);
    CAPTURE(trial, step, omega2);
    CHECK(omega2 * step * step <= 4);
    tightest = std::max(tightest, omega2 * step * step);
  }
  CHECK(tightest > 1);  // at most twice shorter than needed
}

TEST_CASE("a flat contact of default stiffness is as stiff as a layer of elements", "[contact][penalty]")
{
  const double modulus = 2e9, h = 0.02, depth = 1e-6;
  Obstacle o;
  o.shape = rigid::Shape::half_space;
  o.response.stiffness = default_stiffness(modulus, h);
  Mat34 p = h * regular_tet();
  p.row(2).array() -= depth;
  const double area = std::sqrt(3.0) / 4 * h * h;
  const double force = element_contact(o, {}, p, Mat34::Zero()).forces.row(2).sum();
  CHECK(force == Approx(modulus * depth / h * area).epsilon(1e-3));
}

TEST_CASE("the step a penalty allows goes with the root of mass over stiffness, and with one over size",
          "[contact][penalty]")
{
  const auto p = as_array(regular_tet());
  const double step = penalty_step(1e6, 2, p);
  CHECK(step == Approx(std::sqrt(2 / (1e6 * std::sqrt(3.0) / 4))));
  CHECK(penalty_step(4e6, 2, p) == Approx(step / 2));
  CHECK(penalty_step(1e6, 8, p) == Approx(2 * step));
  CHECK(penalty_step(1e6, 2, as_array(2 * regular_tet())) == Approx(step / 2));
}
