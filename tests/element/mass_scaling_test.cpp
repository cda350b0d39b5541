#include "element/make_model.hpp"
#include "support/bare_stepper.hpp"
#include "support/problem.hpp"
#include "support/worst.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sunder;

namespace {

/// A box of elements of very different heights, at rest.
test::TestProblem uneven_box(const element::StepOptions& options, double viscosity = 1)
{
  material::Material solid = test::chalk();
  solid.phi *= viscosity, solid.psi *= viscosity;
  auto problem = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(3, 3, 3, 0.1, 0.4, 11), {solid},
                                   test::by_method(partition::Method::hilbert));
  problem.model = element::make_model(std::move(problem.model.mesh), {solid}, options);
  return problem;
}

/// Half of the elements allow a larger step.
double median_limit(const element::Model& model)
{
  std::vector<double> limits;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) limits.push_back(element::element_limit(model, e).step);
  std::nth_element(limits.begin(), limits.begin() + limits.size() / 2, limits.end());
  return limits[limits.size() / 2];
}

double total(const std::vector<double>& masses)
{
  double sum = 0;
  for (const double m : masses) sum += m;
  return sum;
}

/// How far a node gets in many steps after a small random push: for ever little if the step is stable.
double swing(test::TestProblem problem, double step)
{
  element::Model& model = problem.model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    model.v[static_cast<std::size_t>(n)].set_xyz(1e-6 * test::random_vector(4, model.mesh.node(n).id.low));
  test::BareStepper stepper(problem);
  double furthest = 0;
  for (int k = 0; k < 2000 && furthest < 1e-2; ++k) {
    stepper.step(step);
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      test::keep_worst(furthest, (model.p[static_cast<std::size_t>(n)].xyz() - model.mesh.node(n).X).norm());
  }
  return furthest;
}

}  // namespace

TEST_CASE("an element gets the mass that brings its limit to the step asked for, and no more",
          "[element][mass_scaling]")
{
  // The lesser of both viscosities shortens no step by much, the greater one is capped.
  for (const auto& [viscosity, cap] : {std::pair{1.0, 1.0}, {100.0, 1.0}, {100.0, 0.3}, {100.0, 0.0}}) {
    const element::Model plain = uneven_box({.viscosity_cap = cap}, viscosity).model;
    const double asked = median_limit(plain);
    const element::Model scaled = uneven_box({.viscosity_cap = cap, .mass_scaling_step = asked}, viscosity).model;
    CAPTURE(viscosity, cap, asked);
    int heavier = 0, same = 0;
    double added = 0;
    std::vector<double> expected(plain.mass.size(), 0.0);  // of the nodes
    for (LocalIndex e = 0; e < plain.mesh.num_slots(); ++e) {
      const element::ElementLimit before = element::element_limit(plain, e), after = element::element_limit(scaled, e);
      const auto X = plain.mesh.corners(e);
      const double mass = 1000 * (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / 6;
      // The step T of a mass m is 4 / (r + sqrt(r^2 + 4 w^2)) with w^2 and r as 1/m. So T^2 w^2 + 2 T r = 4, and what
      // is k times heavier has the step asked for if k = (T^2 w^2 + 2 T r) / 4 with what w and r are without.
      const auto rates = element::element_rates(plain.blocks.gradients(e), plain.materials[0]);
      const double r = rates.viscous_rate * element::viscosity_factor(rates, cap);
      const double factor = (asked * asked * rates.omega * rates.omega + 2 * asked * r) / 4;
      CHECK((factor > 1) == (before.step < asked));
      if (factor > 1) {
        ++heavier;
        CHECK(after.added_mass == Approx((factor - 1) * mass).epsilon(1e-12));
        CHECK(after.step == Approx(asked).epsilon(1e-12));
      } else {
        ++same;
        CHECK(after.added_mass == 0);
        CHECK(after.step == before.step);
      }
      CHECK(before.added_mass == 0);
      added += after.added_mass;
      for (const LocalIndex n : plain.mesh.tet(e))
        expected[static_cast<std::size_t>(n)] += std::max(1.0, factor) * mass / 4;
    }
    CHECK(heavier > 50);
    CHECK(same > 50);
    CHECK(element::tightest_limit(scaled).step == Approx(asked).epsilon(1e-12));
    CHECK(total(scaled.mass) - total(plain.mass) == Approx(added).epsilon(1e-9));
    for (std::size_t n = 0; n < expected.size(); ++n) CHECK(scaled.mass[n] == Approx(expected[n]).epsilon(1e-12));
  }
}

TEST_CASE("no step asked for, or one that all elements allow, adds no mass", "[element][mass_scaling]")
{
  const element::Model plain = uneven_box({}).model;
  const double tightest = element::tightest_limit(plain).step;
  CHECK(uneven_box({.mass_scaling_step = 0.999 * tightest}).model.mass == plain.mass);
  CHECK(uneven_box({.mass_scaling_step = 1.001 * tightest}).model.mass != plain.mass);
}

TEST_CASE("the step asked for is stable with the mass added, and not without", "[element][mass_scaling]")
{
  const double asked = 2 * median_limit(uneven_box({}).model);
  CHECK(swing(uneven_box({.mass_scaling_step = asked}), 0.99 * asked) < 1e-6);
  CHECK(swing(uneven_box({}), 0.99 * asked) > 1e-2);
}
