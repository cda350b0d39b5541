#include "lattice/strength.hpp"

#include "bond_graph.hpp"
#include "lattice/breaking.hpp"
#include "lattice/crack_growth.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace sunder;
using namespace sunder::lattice;

TEST_CASE("strength factors multiply where they apply", "[lattice]")
{
  StrengthFactor uniform, plane, bands, nodule;
  uniform.uniform = 3;
  plane.plane = CleavingPlane{Vec3(0, 0, 1), Vec3(0, 0, 1), 0.2, 0.1};
  bands.bands = Bands{Vec3(0, 0, 0), Vec3(1, 0, 0), 2, 0.5, 1.5};
  nodule.nodule = Nodule{Vec3(5, 5, 5), 1, 10};
  const std::vector<StrengthFactor> all{uniform, plane, bands, nodule};
  CHECK(strength_factor(all, Vec3(0.5, 0, 0)) == Approx(3 * 0.5));
  CHECK(strength_factor(all, Vec3(1.5, 0, 0)) == Approx(3 * 1.5));
  CHECK(strength_factor(all, Vec3(-0.5, 0, 0)) == Approx(3 * 1.5));
  CHECK(strength_factor(all, Vec3(0.5, 0, 1.09)) == Approx(3 * 0.5 * 0.1));
  CHECK(strength_factor(all, Vec3(0.5, 0, 1.11)) == Approx(3 * 0.5));
  CHECK(strength_factor(all, Vec3(5.5, 5, 5)) == Approx(3 * 1.5 * 10));
}

TEST_CASE("strength may be written as a formula of the place", "[lattice]")
{
  StrengthFactor formula, uniform;
  formula.expression.emplace("x > 0.5 ? 2 : 1 + 0.5*sin(2*pi*z)^2");
  uniform.uniform = 3;
  const std::vector<StrengthFactor> all{formula, uniform};
  CHECK(strength_factor(all, Vec3(1, 0, 0.25)) == 6);
  CHECK(strength_factor(all, Vec3(0, 0, 0.25)) == Approx(4.5));
  CHECK(strength_factor(all, Vec3(0, 7, 0.5)) == Approx(3));
  const Expression y("y"), root("sqrt(x)");
  CHECK(y(Vec3(0, 0.1, 0)) == 0.1);
  CHECK_FALSE(std::isfinite(root(Vec3(-1, 0, 0))));
  CHECK_THROWS_WITH(Expression("1 + sinn(x)"), "Unexpected token \"sinn\" found at position 4.");
  CHECK_THROWS_WITH(Expression("x, y"), "2 values with commas between them");
  CHECK_THROWS_AS(Expression("2*"), Error);
}

TEST_CASE("turbulence is continuous, varied, seeded and in [0, 1]", "[lattice]")
{
  Noise noise;
  noise.size = 0.1, noise.octaves = 5;
  Noise other = noise;
  other.seed = 2;
  double least = 1, most = 0, sum = 0, differences = 0, steepest = 0;
  constexpr int samples = 2000;
  for (int k = 0; k < samples; ++k) {
    const Vec3 x = test::random_vector(1, static_cast<std::uint64_t>(k));
    const double t = turbulence(noise, x);
    least = std::min(least, t), most = std::max(most, t), sum += t;
    differences += std::abs(t - turbulence(other, x));
    steepest = std::max(steepest, std::abs(turbulence(noise, x + Vec3(1e-9, 0, 0)) - t));
    CHECK(turbulence(noise, x) == t);
  }
  CHECK(least >= 0);
  CHECK(most <= 1);
  CHECK(most - least > 0.4);
  CHECK(sum / samples == Approx(0.3).margin(0.15));
  CHECK(differences / samples > 0.03);
  CHECK(steepest < 1e-6);
}

TEST_CASE("crack growth has the paper's presets", "[lattice]")
{
  constexpr double right = std::numbers::pi / 2;
  for (const double theta : {0.0, 0.3, right}) CHECK(growth_factor(CrackGrowth::none(), theta) == 1);
  CHECK(growth_factor(CrackGrowth::moderate(), 0) == Approx(0.5));
  CHECK(growth_factor(CrackGrowth::moderate(), right) == Approx(1));
  CHECK(growth_factor(CrackGrowth::major(), 0) == Approx(0.001));
  CHECK(growth_factor(CrackGrowth::major(), right / 2) == Approx(1));
  CHECK(growth_factor(CrackGrowth::major(), right) == Approx(0.001));
  CrackGrowth table;
  table.table = {{0, 0.2}, {0.5, 0.6}, {1, 1}};
  CHECK(growth_factor(table, 0) == Approx(0.2));
  CHECK(growth_factor(table, right / 4) == Approx(0.4));
  CHECK(growth_factor(table, right) == Approx(1));
}

TEST_CASE("bonds are as strong as their faces are large, and their elements", "[lattice][parallel]")
{
  const Comm comm;
  const auto problem = test::distributed(comm, test::box_mesh(3, 2, 2, 0.1, 0.3), {test::chalk()}, test::scattered(5));
  const auto bonds = make_bonds(problem.model.mesh, *problem.halo);
  const auto volumes = test::element_volumes(problem);
  const auto counted = test::counted_elements(problem);
  StrengthOptions options;
  options.stress = 1e6, options.volume_exponent = 1;
  const auto strengths = bond_strengths(comm, bonds, volumes, counted, options);
  const double mean = 0.3 * 0.2 * 0.2 / (6 * 3 * 2 * 2);
  for (std::size_t b = 0; b < strengths.size(); ++b) {
    const auto& [a, c] = bonds.elements[b];
    const double volume = (volumes[static_cast<std::size_t>(a)] + volumes[static_cast<std::size_t>(c)]) / 2;
    REQUIRE(strengths[b] == Approx(1e6 * bonds.areas[b] * volume / mean));
  }
}

TEST_CASE("a strength that is not positive is refused with its place", "[lattice][parallel]")
{
  const Comm comm;
  const auto problem = test::distributed(comm, test::box_mesh(3, 2, 2, 0.1), {test::chalk()},
                                         test::by_method(partition::Method::hilbert));
  const auto bonds = make_bonds(problem.model.mesh, *problem.halo);
  StrengthOptions options;
  options.stress = 1e6;
  options.factors.resize(1);
  options.factors[0].nodule = Nodule{Vec3(0.05, 0.05, 0.05), 0.04, 0};
  CHECK_THROWS_WITH(
      bond_strengths(comm, bonds, test::element_volumes(problem), test::counted_elements(problem), options),
      Catch::Contains("lattice.strength: at (") && Catch::Contains("expected a strength > 0 and finite, found 0 N"));
}
