#include "element/toughness.hpp"
#include "fracture/failing_nodes.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

namespace {

using namespace sunder;

constexpr double E = 1e9, nu = 0.25, length = 0.4, width = 0.1;

material::Material brittle(material::ToughnessForm form, double toughness)
{
  material::Material m;
  m.lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), m.mu = E / (2 * (1 + nu)), m.density = 2000;
  m.toughness_form = form, m.toughness = toughness;
  return m;
}

/// Stress at which the first node of a bar of cells of edge h fails, pulled along x, its sides free. [Pa]
double strength(material::Material m, double h, double jitter, const Mat3& turn = Mat3::Identity())
{
  const auto cells = [h](double x) { return static_cast<int>(std::lround(x / h)); };
  auto problem = test::distributed(Comm(), test::box_mesh(cells(length), cells(width), cells(width), h, jitter),
                                   {std::move(m)}, test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  std::vector<LocalIndex> owned;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (model.mesh.owned(n)) owned.push_back(n);
  const auto fails = [&](double stress) {
    const double strain = stress / E;
    const Mat3 F = turn * Mat3(Vec3(1 + strain, 1 - nu * strain, 1 - nu * strain).asDiagonal());
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      model.p[static_cast<std::size_t>(n)].set_xyz(F * model.mesh.node(n).X);
    fracture::FailingNodes failing(element::SeparationCriterion::tensile);
    failing.evaluate(model, owned);
    return problem.halo->comm().max(static_cast<std::int64_t>(failing.nodes().size())) > 0;
  };
  double low = 0, high = 1e7;  // E / 100
  REQUIRE(fails(high));
  while (high - low > 1e-4 * high) (fails((low + high) / 2) ? high : low) = (low + high) / 2;
  return high;
}

}  // namespace

TEST_CASE("toughness by stress is the strength of a bar on any mesh", "[physics][toughness]")
{
  const auto m = brittle(material::ToughnessForm::stress, 2e6);
  for (const double jitter : {0.0, 0.3})
    for (const double h : {0.05, 0.025, 0.0125}) {
      const double s = strength(m, h, jitter);
      CAPTURE(h, jitter);
      CHECK(s == Approx(2e6).epsilon(0.05));
    }
  const Mat3 turn = Eigen::AngleAxisd(2.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  CHECK(strength(m, 0.025, 0.3, turn) == Approx(2e6).epsilon(0.05));
}

TEST_CASE("a neo-Hookean bar fails at its strength too", "[physics][toughness][neo_hookean]")
{
  auto m = brittle(material::ToughnessForm::stress, 2e6);
  m.law = material::Law::neo_hookean;
  CHECK(strength(m, 0.025, 0.3) == Approx(2e6).epsilon(0.05));
}

TEST_CASE("toughness by force is a tougher material on a finer mesh", "[physics][toughness]")
{
  const auto m = brittle(material::ToughnessForm::force, 2000);
  const double coarse = strength(m, 0.05, 0), fine = strength(m, 0.025, 0);
  CHECK(fine / coarse == Approx(4).epsilon(0.02));
}

TEST_CASE("a bar of scattered strength is as strong as Weibull's weakest link, on any mesh", "[physics][toughness]")
{
  auto m = brittle(material::ToughnessForm::stress, 2e6);
  const double modulus = 5, volume = 1e-6,
               expected = 2e6 * std::tgamma(1 + 1 / modulus) * std::pow(length * width * width / volume, -1 / modulus);
  for (const double h : {0.05, 0.025}) {
    double mean = 0;
    constexpr int specimens = 40;  // whose mean scatters by 3.6 %
    for (int seed = 1; seed <= specimens; ++seed) {
      m.weibull = material::Weibull{modulus, volume, seed};
      mean += strength(m, h, 0.2) / specimens;
    }
    CAPTURE(h);
    CHECK(mean == Approx(expected).epsilon(0.1));
  }
}
