#include "element/stable_step.hpp"
#include "random_element.hpp"
#include "support/worst.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>

using namespace sunder;
using namespace sunder::element;
using namespace sunder::element::testing;

namespace {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

Mat34 gradients_of(const Mat34& X)
{
  ElementBlocks blocks;
  blocks.resize(1);
  blocks.set(0, {0, 1, 2, 3}, as_array(X), 0, 1, true);
  return blocks.gradients(0);
}

double node_mass(const Mat34& X, const material::Material& m)
{
  return m.density * volume(X) / 4;
}

Vec12 forces(const Mat34& X, const Mat34& p, const Mat34& v, const material::Material& m)
{
  const Mat34 f = force_on(X, p, v, m);
  return Eigen::Map<const Vec12>(f.data());
}

/// -df/dp or -df/dv at rest, over the node mass, by central differences of the loop's forces.
Mat12 matrix_of(const Mat34& X, const material::Material& m, bool of_velocity)
{
  Mat12 K;
  const double h = of_velocity ? 1e-3 : 1e-7;
  for (int i = 0; i < 12; ++i) {
    Mat34 d = Mat34::Zero();
    d(i % 3, i / 3) = h;
    const Mat34 zero = Mat34::Zero();
    K.col(i) =
        of_velocity ? forces(X, X, -d, m) - forces(X, X, d, m) : forces(X, X - d, zero, m) - forces(X, X + d, zero, m);
  }
  K /= 2 * h * node_mass(X, m);
  return (K + K.transpose()) / 2;
}

double greatest(const Mat12& K)
{
  return Eigen::SelfAdjointEigenSolver<Mat12>(K).eigenvalues()[11];
}

/// A hundredth of an edge, a million times the first push: beyond it large strains may hold what small ones do not.
constexpr double exploded = 1e-3;

/// Largest displacement of one free element after many central-difference steps from a small random push.
double swing(const Mat34& X, const material::Material& m, double step)
{
  Random random(51);
  Mat34 x = X, v = 1e-9 * random.corners(1);
  double farthest = 0;
  for (int i = 0; i < 3000 && farthest < exploded; ++i) {
    v += step / node_mass(X, m) * force_on(X, x, v, m);
    x += step * v;
    const Vec3 drift = (x - X).rowwise().mean();
    test::keep_worst(farthest, ((x - X).colwise() - drift).norm());
  }
  return farthest;
}

}  // namespace

TEST_CASE("frequency and viscous rate are the element's own, measured from its forces", "[element][step]")
{
  Random random(52);
  for (int trial = 0; trial < 40; ++trial) {
    const Mat34 X = trial == 0 ? regular_tet(0.1) : random_tet(random);
    material::Material m = jelly();
    m.lambda = random.uniform(-0.5, 4) * m.mu;  // auxetic to nearly incompressible
    m.phi = random.uniform(0, 3) * m.psi;
    const ElementRates rates = element_rates(gradients_of(X), m);
    CHECK(rates.omega * rates.omega == Approx(greatest(matrix_of(X, m, false))).epsilon(1e-6));
    CHECK(rates.viscous_rate == Approx(greatest(matrix_of(X, m, true))).epsilon(1e-9));
    const ElementRates heavy = element_rates(gradients_of(X), m, 4);
    CHECK(heavy.omega == Approx(rates.omega / 2));
    CHECK(heavy.viscous_rate == Approx(rates.viscous_rate / 4));
  }
}

TEST_CASE("the step is the smallest height over the wave speed, within a shape factor", "[element][step]")
{
  const material::Material m = jelly();
  const double edge = 0.1, height = edge * std::sqrt(2.0 / 3), speed = std::sqrt(m.p_wave_modulus() / m.density);
  const double step = stable_step(element_rates(gradients_of(regular_tet(edge)), m).omega, 0);
  CHECK(step > height / speed / 2);
  CHECK(step < height / speed * 2);
  CHECK(stable_step(element_rates(gradients_of(regular_tet(edge / 2)), m).omega, 0) == Approx(step / 2));
}

TEST_CASE("one element swings for ever below the limit and explodes above", "[element][step]")
{
  material::Material m = jelly();
  const bool viscous = GENERATE(false, true);
  // Regular, and phi : psi = lambda : mu: the fastest mode is also the most viscous, so the bound is the limit itself.
  const Mat34 X = regular_tet(0.1);
  m.phi = viscous ? m.lambda * 5e-3 : 0, m.psi = viscous ? m.mu * 5e-3 : 0;
  const ElementRates rates = element_rates(gradients_of(X), m);
  const double limit = stable_step(rates.omega, rates.viscous_rate);
  CHECK(swing(X, m, 0.98 * limit) < 1e-6);
  CHECK(swing(X, m, 1.1 * limit) >= exploded);
}

TEST_CASE("a sliver is stable below its limit, viscous or not", "[element][step]")
{
  Random random(53);
  for (int trial = 0; trial < 5; ++trial) {
    const Mat34 X = random_tet(random);
    material::Material m = jelly();
    m.psi *= trial;
    const ElementRates rates = element_rates(gradients_of(X), m);
    CHECK(swing(X, m, 0.98 * stable_step(rates.omega, rates.viscous_rate)) < 1e-6);
  }
}

TEST_CASE("the step is 2/omega without viscosity, 2/r with nothing else, and exact between", "[element][step]")
{
  CHECK(stable_step(10, 0) == Approx(0.2));       // 2/omega
  CHECK(stable_step(1e-9, 100) == Approx(0.02));  // 2/r
  CHECK(stable_step(1, 1e12) == Approx(2e-12));   // without cancellation
  const double omega = 7, r = 3, T = stable_step(omega, r);
  CHECK(T * T * omega * omega + 2 * T * r == Approx(4));
}

TEST_CASE("the viscosity factor brings the damping ratio to the cap and never above one", "[element][step]")
{
  ElementRates rates{.omega = 100, .viscous_rate = 600};
  CHECK(rates.damping_ratio() == Approx(3));
  CHECK(viscosity_factor(rates, 1) == Approx(1.0 / 3));
  CHECK(viscosity_factor(rates, 4) == 1);
  CHECK(viscosity_factor(rates, 0) == 1);
  rates.viscous_rate *= viscosity_factor(rates, 0.5);
  CHECK(rates.damping_ratio() == Approx(0.5));

  // The loop honours it: with the cap's factor, the element's viscous forces shrink by it.
  Random random(54);
  const Mat34 X = random_tet(random), v = random.corners(1);
  Bench bench({jelly()});
  bench.add(X, X, v, 0, 1.0), bench.add(X, X, v, 0, 0.25);
  bench.run();
  CHECK((bench.force(1) - 0.25 * bench.force(0)).norm() <= 1e-12 * bench.force(0).norm());
}
