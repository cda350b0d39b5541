/// J-integral and stress intensities at crack fronts against what linear elasticity has. docs/output.md.

#include "simulation/diagnostics/crack_front_rows.hpp"
#include "simulation/diagnostics/crack_tip_field.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>
#include <numbers>

using namespace sunder;
using simulation::CrackMode;

namespace {

constexpr double width = 0.1, young = 3e9, poisson = 0.2, density = 1200;
constexpr double traction = 1e5;  // [Pa]
constexpr double modulus = young / (1 - poisson * poisson);

/// Collective.
std::vector<simulation::CrackFrontRow> front_rows(const test::Simulation& simulation)
{
  simulation::CrackFrontSums sums(simulation.scene, simulation.state);
  Reduction all;
  sums.join(all);
  all.over(simulation.state.comm);
  return sums.rows();
}

/// A plate in x, z, `cells` of them over its width and one thick, with a slit from x = 0 at half its height. It cannot
/// move along y: plane strain. Forces have been computed.
struct Plate {
  int cells;
  double height, crack;     // [m]
  std::string toughness{};  // of its material: more keys; it does not break without
};
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const Plate& plate, const std::string& rest)
{
  const double h = width / plate.cells;
  mesh::MeshData mesh = test::box_mesh(plate.cells, 1, static_cast<int>(std::lround(plate.height / h)), h);
  test::cut_slit(mesh, plate.height / 2, plate.crack);
  const std::string text = fmt::format(
      R"(
materials:
  pmma: {{E: {}, nu: {}, density: {}{}}}
bodies:
  - {{name: plate, mesh: {{file: {}}}, material: pmma}}
collisions: {{enabled: false}}
output: {{crack_fronts: [{{name: tip, point: [{}, 0, {}], growth: [1, 0, 0], normal: [0, 0, 1], radius: 0.02}}]}}
{})",
      young, poisson, density, plate.toughness, test::mesh_file("crack_front", mesh), plate.crack, plate.height / 2,
      rest);
  auto simulation = std::make_unique<test::Simulation>(comm, test::scene(text));
  simulation->compute_forces();
  return simulation;
}

/// At both ends, through equilibria.
std::string pulled(double height)
{
  return fmt::format(R"(
boundary:
  - {{name: flat, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1]}}}}, fixed: true, axes: y}}
loads:
  - {{name: up, where: {{box: {{min: [-1, -1, {1}], max: [1, 1, 1]}}}}, traction: [0, 0, {0}]}}
  - {{name: down, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}}}, traction: [0, 0, -{0}]}}
solver: {{method: static, floating: inertia_relief}}
time: {{end: 1}}
)",
                     traction, height - 1e-6);
}

}  // namespace

TEST_CASE("the fields of a crack tip have the J-integral of their intensity on any circle", "[crack_front]")
{
  for (const bool plane_stress : {false, true}) {
    const simulation::CrackTipMaterial m{.mu = 1.25e9, .nu = 0.3, .plane_stress = plane_stress};
    const double young_of_m = 2 * m.mu * (1 + m.nu);
    for (const CrackMode mode : {CrackMode::opening, CrackMode::sliding})
      for (const double r : {0.01, 0.7}) {
        constexpr int points = 20000;
        double J = 0;
        for (int k = 0; k < points; ++k) {
          const double theta = std::numbers::pi * ((2 * k + 1.0) / points - 1);
          const Vec3 n(std::cos(theta), std::sin(theta), 0);
          const auto f = simulation::crack_tip_field(mode, r * n.x(), r * n.y(), m);
          const Mat3 strain = ((1 + m.nu) * f.stress - m.nu * f.stress.trace() * Mat3::Identity()) / young_of_m;
          CHECK(std::abs(strain(0, 0) - f.slope.x()) < 1e-12 * (std::abs(f.slope.x()) + strain.norm()));
          const double W = f.stress.cwiseProduct(strain).sum() / 2;
          J += (W * n.x() - (f.stress * n).dot(f.slope)) * r * 2 * std::numbers::pi / points;
        }
        CHECK(J == Approx(1 / m.modulus()).epsilon(1e-6));
      }
  }
}

TEST_CASE("J of an edge crack agrees over three tubes and with the handbook", "[physics][crack_front]")
{
  const Plate plate{.cells = 160, .height = 0.2, .crack = 0.03};
  const auto simulation = simulate(Comm(), plate, pulled(plate.height));
  simulation->advance(1, 1);
  simulation->compute_forces();
  const auto row = front_rows(*simulation).at(0);
  const double K = 1.660 * traction * std::sqrt(std::numbers::pi * plate.crack);  // a/W = 0.3 (Tada, Paris, Irwin)
  for (const double J : row.J) {
    CHECK(J == Approx(K * K / modulus).epsilon(0.03));
    CHECK(J == Approx(row.J[2]).epsilon(0.001));
  }
  CHECK(row.K_I == Approx(K).epsilon(0.02));
  CHECK(std::abs(row.K_II) < 0.002 * K);
  CHECK(row.K_I * row.K_I / modulus == Approx(row.J[2]).epsilon(0.005));
  CHECK(row.advance == 0);
}

TEST_CASE("a crack that a plane wave strikes has the intensity of theory", "[physics][crack_front]")
{
  // The wave comes from above and is confined, so that it is plane. Until something comes back, the crack is one half
  // of the plane z = height/2 (Freund, Dynamic Fracture Mechanics, 1990, 2.5): under a step of s0 its intensity is
  // 2 s0/(1 - nu) sqrt(c_d t (1 - 2 nu)/pi). Here the stress rises linearly in the time `rise`.
  const Plate plate{.cells = 80, .height = 0.1, .crack = 0.05};
  const double c_d = std::sqrt(young * (1 - poisson) / (1 + poisson) / (1 - 2 * poisson) / density);
  const double arrival = plate.height / 2 / c_d, window = 2 * plate.crack / c_d, rise = window / 5;
  const auto simulation = simulate(Comm(), plate,
                                   fmt::format(R"(
boundary:
  - {{name: flat, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1]}}}}, fixed: true, axes: y}}
  - {{name: low, where: {{box: {{min: [-1, -1, -1], max: [1.0e-6, 1, 1]}}}}, fixed: true, axes: xy}}
  - {{name: high, where: {{box: {{min: [0.099999, -1, -1], max: [1, 1, 1]}}}}, fixed: true, axes: xy}}
loads:
  - name: up
    where: {{box: {{min: [-1, -1, 0.099999], max: [1, 1, 1]}}}}
    traction: [{{time: 0, traction: [0, 0, 0]}}, {{time: {1}, traction: [0, 0, {0}]}}]
time: {{end: 1}}
)",
                                               traction, rise));
  const auto of_step = [&](double t) {  // the integral of its intensity over time
    return t <= 0 ? 0
                  : 2 * traction / (1 - poisson) * std::sqrt(c_d * (1 - 2 * poisson) / std::numbers::pi) * 2 / 3 *
                        std::pow(t, 1.5);
  };
  for (const double share : {0.3, 0.45, 0.6, 0.75, 0.9}) {
    while (simulation->state.time < arrival + share * window) simulation->advance(simulation->step_size());
    simulation->compute_forces();
    const double t = simulation->state.time - arrival, K = (of_step(t) - of_step(t - rise)) / rise;
    const auto row = front_rows(*simulation).at(0);
    CHECK(row.K_I == Approx(K).epsilon(0.02));
    CHECK(std::abs(row.K_II) < 0.005 * K);
    for (const double J : row.J) CHECK(J == Approx(K * K / modulus).epsilon(0.01));
  }
}

TEST_CASE("a front follows its crack; on any number of ranks it is the same to round-off",
          "[physics][crack_front][parallel]")
{
  const auto measured = [](const Comm& comm) {
    const Plate plate{.cells = 20, .height = 0.1, .crack = 0.03, .toughness = ", toughness: {stress: 2.0e5, G_c: 0.5}"};
    const auto simulation = simulate(comm, plate, R"(
boundary:
  - {name: up, where: {box: {min: [-1, -1, 0.099999], max: [1, 1, 1]}}, velocity: [0, 0, 0.1]}
  - {name: down, where: {box: {min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}, velocity: [0, 0, -0.1]}
time: {end: 1}
)");
    std::vector<simulation::CrackFrontRow> rows;
    double farthest = 0;
    for (int k = 1; k <= 8; ++k) {
      while (simulation->state.time < k * 1e-4) simulation->advance(simulation->step_size());
      simulation->compute_forces();
      rows.push_back(front_rows(*simulation).at(0));
      for (LocalIndex n = 0; n < simulation->model().mesh.num_nodes(); ++n)
        if (std::isfinite(simulation->model().history[static_cast<std::size_t>(n)].failure_time))
          farthest = std::max(farthest, simulation->model().mesh.node(n).X.x() - plate.crack);
    }
    // It has run, nearly straight, and its tip is beyond the farthest node that was parted, by an element.
    farthest = comm.max(farthest);
    CHECK(farthest > 0.02);
    CHECK(rows.back().advance >= farthest);
    CHECK(rows.back().advance < farthest + 2 * width / plate.cells);
    return rows;
  };
  const auto alone = measured(Comm(MPI_COMM_SELF)), together = measured(Comm());
  for (std::size_t k = 0; k < alone.size(); ++k) {
    CHECK(together[k].advance == alone[k].advance);
    if (k > 0) CHECK(alone[k].advance >= alone[k - 1].advance);
    for (std::size_t i = 0; i < 3; ++i) CHECK(together[k].J[i] == Approx(alone[k].J[i]).margin(1e-9));
    CHECK(together[k].K_I == Approx(alone[k].K_I).margin(1e-3));
    CHECK(together[k].K_II == Approx(alone[k].K_II).margin(1e-3));
  }
}

TEST_CASE("fronts beside the bodies and directions that are not at right angles are refused", "[crack_front]")
{
  const auto refused = [](const std::string& front) {
    try {
      const std::string text = fmt::format(R"(
materials: {{m: {{E: 1.0e7, nu: 0.3, density: 1000}}}}
bodies: [{{name: b, mesh: {{file: {}}}, material: m}}]
time: {{end: 1}}
output: {{crack_fronts: [{}]}}
)",
                                           test::mesh_file("refused_front", test::box_mesh(2, 2, 2, 0.1)), front);
      test::Simulation simulation(Comm(), test::scene(text));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK_THAT(refused("{name: a, point: [1, 0, 0], growth: [1, 0, 0], normal: [0, 0, 1], radius: 0.1}"),
             Catch::Contains("scene.yaml:5:") &&
                 Catch::Contains("output.crack_fronts.a: expected a tube around the front with nodes in it"));
  CHECK_THAT(refused("{name: a, point: [0, 0, 0], growth: [1, 0, 1], normal: [0, 0, 1], radius: 0.1}"),
             Catch::Contains("output.crack_fronts.a.growth: expected a direction at a right angle to the normal, "
                             "got one at 45 degrees"));
}
