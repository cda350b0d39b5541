#include "config/materials.hpp"
#include "config/parser.hpp"
#include "config/schema_material_list.hpp"
#include "core/error.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sunder;

namespace {

const material::Material& library_material(const std::string& name)
{
  const auto& all = config::material_library();
  const auto found = std::find_if(all.begin(), all.end(), [&name](const auto& m) { return m.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

constexpr double none = std::numeric_limits<double>::infinity();

/// A row of a source's table, in the table's units.
struct Row {
  const char* name;
  double lambda, mu, phi, psi, k1, k2, density, toughness, residual;
};

/// unit: what one of the table's is in SI, for stiffness, viscosity and force.
void check_row(const Row& row, double stiffness_unit, double viscosity_unit, double force_unit)
{
  const auto m = library_material(row.name);
  CAPTURE(row.name);
  CHECK(m.name == row.name);
  CHECK(m.lambda == Approx(row.lambda * stiffness_unit).epsilon(1e-14));
  CHECK(m.mu == Approx(row.mu * stiffness_unit).epsilon(1e-14));
  CHECK(m.phi == Approx(row.phi * viscosity_unit).epsilon(1e-14));
  CHECK(m.psi == Approx(row.psi * viscosity_unit).epsilon(1e-14));
  CHECK(m.k1 == row.k1);
  CHECK(m.k2 == row.k2);
  CHECK(m.density == row.density);
  CHECK(m.toughness == Approx(row.toughness * force_unit).epsilon(1e-14));
  CHECK(m.residual == row.residual);
  CHECK_FALSE(m.source.empty());
}

}  // namespace

TEST_CASE("the thesis's materials have the numbers of tables 6.2 to 6.10", "[config][materials]")
{
  const Row rows[] = {
      {"glass", 0.419, 0.578, 1.04, 1.44, none, none, 2595, 6.01, 0.99},
      {"iron", 0.759, 1.474, 18.98, 36.85, 0.002, 0.211, 7500, 24.82, 0},
      {"lead", 0, 0.593, 0, 14.84, 0.001, 0.991, 11370, 11.88, 0},
      {"ceramic", 0.320, 0.484, 4.03, 6.05, none, none, 2051, 2.09, 0.5},
      {"ceramic_comparison", 0.381, 0.575, 4.79, 7.18, none, none, 2435, 2.48, 0.5},
      {"polystyrene", 0.0014, 0.0009, 0.037, 0.025, none, none, 46.45, 0.14, 0.99},
      {"soft_vinyl", 0.0378, 0.0252, 0.945, 0.630, 0.0002, 0.98, 1580, 3.35, 0.99},
      {"hard_vinyl", 0.0378, 0.0252, 0.945, 0.630, 0.09, 1.49, 1580, 3.35, 0.99},
      {"rubber", 0.0335, 0.0224, 2.51, 1.65, 0.0102, 0.0252, 2100, 2.10, 0.99},
  };
  for (const Row& row : rows) check_row(row, 1e9, 1e3, 1e3);
}

TEST_CASE("the 1999 paper's materials have the numbers of its table 1", "[config][materials]")
{
  const Row rows[] = {
      {"p99_glass", 1.04e8, 1.04e8, 0, 6760, none, none, 2588, 10140, 0},
      {"adobe", 6.03e8, 1.21e8, 3015, 6030, none, none, 2309, 6030, 0},
      {"adobe_2", 0, 1.81e8, 0, 18090, none, none, 2309, 6030, 0},
      {"bowl_1", 2.65e6, 3.97e6, 264, 397, none, none, 1013, 52.9, 0},
      {"bowl_2", 2.65e6, 3.97e6, 264, 397, none, none, 1013, 39.6, 0},
      {"bowl_3", 2.65e6, 3.97e6, 264, 397, none, none, 1013, 33.1, 0},
      {"bowl_4", 2.65e6, 3.97e6, 264, 397, none, none, 1013, 13.2, 0},
      {"comparison_bowl", 0, 5.29e7, 0, 198, none, none, 1013, 106, 0},
      {"the_end", 0, 9.21e6, 0, 9.2, none, none, 705, 73.6, 0},
  };
  for (const Row& row : rows) check_row(row, 1, 1, 1);
}

TEST_CASE("real materials carry sound at the speed a bar of them does", "[config][materials]")
{
  // c = sqrt(E / density), E = mu (3 lambda + 2 mu) / (lambda + mu)
  const auto bar_speed = [](const material::Material& m) {
    return std::sqrt(m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu) / m.density);
  };
  CHECK(bar_speed(library_material("steel")) == Approx(std::sqrt(210e9 / 7850)));
  CHECK(bar_speed(library_material("soda_lime_glass")) == Approx(std::sqrt(70e9 / 2500)));
  CHECK_FALSE(library_material("steel").breakable());
  const material::Material concrete = library_material("concrete");
  CHECK(concrete.toughness_form == material::ToughnessForm::stress);
  CHECK(concrete.toughness == 2.9e6);
  CHECK(concrete.cohesion.energy == Approx(73 * std::pow(38, 0.18)).epsilon(0.01));  // f_cm of C30/37 is 38 MPa
  CHECK(concrete.cohesion.softening == material::Softening::bilinear);
}

TEST_CASE("every material of the library can be simulated", "[config][materials]")
{
  REQUIRE(config::material_library().size() == 22);
  for (const auto& m : config::material_library()) {
    CAPTURE(m.name);
    if (m.anisotropy) {
      CHECK(material::eigenvalues(m.anisotropy->C())[0] > 0);
    } else {
      CHECK(m.mu > 0);
      CHECK(3 * m.lambda + 2 * m.mu > 0);
    }
    CHECK(m.density > 0);
    CHECK(m.k2 >= m.k1);
    CHECK_FALSE(m.source.empty());
  }
}

TEST_CASE("an unknown material names the nearest", "[config][materials]")
{
  const std::string scene =
      "bodies: [{name: b, mesh: {geometry: plate.geo, size: 0.1}, material: irom}]\ntime: {end: 1}\n";
  CHECK_THROWS_WITH(
      config::parse_scene(scene, "/tmp/scene.yaml", {}),
      Catch::Contains("expected one of glass iron lead") && Catch::EndsWith("got 'irom'; did you mean 'iron'?"));
}

TEST_CASE("a material of the library can start from an earlier one of it, and from no other", "[config][materials]")
{
  const std::string lead = "lead: {lambda: 1e9, mu: 1e9, density: 11000}\n";
  const auto both = config::read_materials(config::parse_yaml(lead + "tin: {base: lead, density: 7000}\n", "lib.yaml"));
  REQUIRE(both.size() == 2);
  CHECK(both[1].lambda == both[0].lambda);
  CHECK(both[1].density == 7000);
  const auto wrong = config::parse_yaml(lead + "tin: {base: leda}\n", "lib.yaml");
  CHECK_THROWS_WITH(config::read_materials(wrong), Catch::Contains("lib.yaml:2:") && Catch::Contains("'lead'"));
}

TEST_CASE("the list of materials has a row each with its source", "[config][materials]")
{
  const std::string text = config::materials_text();
  for (const auto& m : config::material_library()) {
    CAPTURE(m.name);
    const std::size_t row = text.find("\n" + m.name + " ");
    REQUIRE(row != std::string::npos);
    CHECK(text.find(m.source, row) < text.find('\n', row + 1));
  }
  CHECK(text.find("2.9e+06 Pa, 141 J/m^2") != std::string::npos);
}
