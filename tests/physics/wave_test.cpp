#include "simulation/diagnostics/totals.hpp"
#include "support/bare_stepper.hpp"
#include "support/worst.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace {

using namespace sunder;

material::Material elastic()
{
  material::Material m;
  m.lambda = 4e9, m.mu = 3e9, m.density = 2000;
  return m;
}

/// Speed of a plane pulse along a bar whose sides may not move sideways, over that of the modulus [Pa].
double confined_wave_speed(const material::Material& material, double modulus, int cells_across_pulse)
{
  const double h = 0.02 / cells_across_pulse, length = 0.4, amplitude = 1e-8;
  const int nx = static_cast<int>(std::lround(length / h));
  auto problem =
      test::distributed(Comm(), test::box_mesh(nx, 1, 1, h), {material}, test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  const double c = std::sqrt(modulus / material.density);
  const double dt = 0.5 * problem.halo->comm().min(element::tightest_limit(model).step);
  // A smooth pulse travelling to the right: u = f(x - c t), v = -c f'.
  const double centre = 0.1, width = 0.02;
  const auto pulse = [&](double x) { return amplitude * std::exp(-std::pow((x - centre) / width, 2)); };
  const auto slope = [&](double x) { return -2 * (x - centre) / (width * width) * pulse(x); };
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    const double x = model.mesh.node(n).X.x();
    model.p[i].x += pulse(x);
    model.v[i].x = -c * slope(x + c * dt / 2);  // the velocity of half a step earlier
  }
  test::BareStepper stepper(problem, [](element::Model& m) {  // no sideways motion
    for (LocalIndex n = 0; n < m.mesh.num_nodes(); ++n) {
      const auto i = static_cast<std::size_t>(n);
      m.v[i].y = m.v[i].z = 0;
      m.p[i].y = m.mesh.node(n).X.y(), m.p[i].z = m.mesh.node(n).X.z();
    }
  });
  // Centre of mass of the displacement squared, before and after.
  const auto where = [&] {
    double weight = 0, moment = 0;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      if (!model.mesh.owned(n)) continue;
      const double X = model.mesh.node(n).X.x(), u = model.p[static_cast<std::size_t>(n)].x - X;
      weight += u * u, moment += u * u * X;
    }
    return problem.halo->comm().sum(moment) / problem.halo->comm().sum(weight);
  };
  const double begin = where();
  const int steps = static_cast<int>(0.2 / (c * dt));
  for (int s = 0; s < steps; ++s) stepper.step(dt);
  return (where() - begin) / (steps * dt) / c;
}

}  // namespace

TEST_CASE("a confined pulse travels at the dilatational wave speed and converges to it", "[physics][wave]")
{
  const double modulus = elastic().p_wave_modulus();
  const double coarse = std::abs(confined_wave_speed(elastic(), modulus, 4) - 1),
               fine = std::abs(confined_wave_speed(elastic(), modulus, 8) - 1);
  CAPTURE(coarse, fine);
  CHECK(fine < 0.01);
  CHECK(coarse / fine > 3);  // second order would be 4
}

TEST_CASE("in rubber a confined pulse runs at the same speed", "[physics][wave][neo_hookean]")
{
  material::Material rubber = elastic();
  rubber.law = material::Law::neo_hookean;
  CHECK(std::abs(confined_wave_speed(rubber, rubber.p_wave_modulus(), 8) - 1) < 0.01);
}

TEST_CASE("in wood a confined pulse runs at the speed of its direction", "[physics][wave][anisotropy]")
{
  material::Material wood = elastic();
  const material::Mat6 C =
      material::orthotropic_stiffness({12e9, 0.9e9, 0.5e9, 0.37, 0.47, 0.43, 0.75e9, 0.72e9, 0.04e9});
  wood.anisotropy.emplace(C, material::Mat6::Zero(), Mat3::Identity());
  CHECK(std::abs(confined_wave_speed(wood, C(0, 0), 8) - 1) < 0.01);
  Mat3 across;
  across << 0, 1, 0, -1, 0, 0, 0, 0, 1;  // axis 2 along the bar
  wood.anisotropy.emplace(C, material::Mat6::Zero(), across);
  CHECK(std::abs(confined_wave_speed(wood, C(1, 1), 8) - 1) < 0.01);
}

TEST_CASE("an undamped free body keeps its energy over 100 000 steps and its momentum to round-off",
          "[physics][energy]")
{
  auto problem = test::distributed(Comm(), test::box_mesh(3, 3, 3, 0.1, 0.2), {elastic()},
                                   test::by_method(partition::Method::metis));
  element::Model& model = problem.model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = model.mesh.node(n);  // spin, drift and a stretch that rings
    model.v[static_cast<std::size_t>(n)].set_xyz(Vec3(3, -1, 2) + Vec3(0, 0, 40).cross(node.X) +
                                                 20 * node.X.x() * Vec3(1, 0.3, 0));
  }
  const double dt = 0.8 * problem.halo->comm().min(element::tightest_limit(model).step);
  test::BareStepper stepper(problem);
  const auto before = simulation::totals(model, problem.halo->comm());
  stepper.step(dt);
  const double initial = stepper.kinetic() + stepper.elastic();
  double worst = 0;
  for (int s = 1; s < 100000; ++s) {
    stepper.step(dt);
    if (s % 500 == 0) test::keep_worst(worst, std::abs(stepper.kinetic() + stepper.elastic() - initial) / initial);
  }
  const auto after = simulation::totals(model, problem.halo->comm());
  CAPTURE(worst);
  CHECK(worst < 1e-3);
  CHECK((after.momentum - before.momentum).norm() < 1e-10 * before.momentum.norm());
  CHECK((after.angular_momentum - before.angular_momentum).norm() < 1e-9 * before.angular_momentum.norm());
}

TEST_CASE("what viscosity takes is what the body loses", "[physics][energy]")
{
  material::Material m = elastic();
  m.phi = 2e3, m.psi = 3e3;
  const auto imbalance = [&m](double share) {
    auto problem =
        test::distributed(Comm(), test::box_mesh(3, 2, 2, 0.1, 0.2), {m}, test::by_method(partition::Method::metis));
    element::Model& model = problem.model;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      model.v[static_cast<std::size_t>(n)].set_xyz(30 * model.mesh.node(n).X.x() * Vec3(1, 0.3, 0));
    const double limit = problem.halo->comm().min(element::tightest_limit(model).step);
    const int steps = static_cast<int>(std::lround(2000 / share));
    test::BareStepper stepper(problem);
    const double initial = stepper.kinetic() + stepper.elastic();
    for (int s = 0; s < steps; ++s) stepper.step(0.4 * share * limit);
    const double lost = initial - stepper.kinetic() - stepper.elastic();
    const double taken = problem.halo->comm().sum(stepper.sums.viscous_work);
    CHECK(taken > 0.05 * initial);
    return std::abs(lost - taken) / initial;
  };
  const double coarse = imbalance(1), fine = imbalance(0.25);
  CAPTURE(coarse, fine);
  CHECK(coarse < 0.02);
  CHECK(fine < 0.5 * coarse);
}

TEST_CASE("a body squashed for good has turned its motion into plastic work, to second order in the step",
          "[physics][plasticity]")
{
  material::Material lead;
  lead.mu = 0.6e9, lead.density = 11000, lead.k1 = 0.001, lead.k2 = 1;
  const auto unaccounted = [&](double share) {  // of the energy; share: of the stable step
    auto problem = test::distributed(Comm(), test::box_mesh(4, 3, 3, 0.05, 0.2), {lead},
                                     test::by_method(partition::Method::hilbert));
    element::Model& model = problem.model;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      model.v[static_cast<std::size_t>(n)].x = -30 * (model.mesh.node(n).X.x() - 0.1);
    test::BareStepper stepper(problem);
    const double put_in = stepper.kinetic();
    const double dt = share * problem.halo->comm().min(element::tightest_limit(model).step);
    for (int s = 0; s * share < 400; ++s) stepper.step(dt);
    const double flowed = problem.halo->comm().sum(stepper.sums.plastic_work);
    CHECK(flowed > 0.9 * put_in);
    return std::abs((stepper.kinetic() + stepper.elastic() + flowed) / put_in - 1);
  };
  const double coarse = unaccounted(0.8), fine = unaccounted(0.2);
  CHECK(coarse < 0.01);
  CHECK(fine < coarse / 10);
}
