/// Pressure alone breaks nothing, and takes nothing from the strength in tension. docs/fracture.md.

#include "element/stress.hpp"
#include "physics/measured.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <limits>

using namespace sunder;

namespace {

constexpr double edge = 0.02;                       // of the cube [m]
constexpr double strength = 5e6, pressure = 100e6;  // [Pa]
constexpr double never = std::numeric_limits<double>::infinity();

/// A cube of stone of irregular elements, with these loads; damped so that it hardly rings.
std::string cube(int cells, const std::string& loads, const std::string& criterion = "tensile")
{
  const auto mesh = test::box_mesh(cells, cells, cells, edge / cells, 0.25, 7);
  return fmt::format(R"(
materials:
  stone: {{E: 5.0e+10, nu: 0.25, density: 2500, phi: 12000, psi: 12000, toughness: {{stress: {}}}}}
bodies:
  - {{name: cube, mesh: {{file: {}}}, material: stone}}
loads:
{}
collisions: {{enabled: false}}
fracture: {{criterion: {}}}
time: {{end: 1, viscosity_cap: 0}}
)",
                     strength, test::mesh_file(fmt::format("pressed_cube_{}", cells), mesh), loads, criterion);
}

/// All around, from zero to `pressure` in `ramp`, or at once.
std::string all_around(double ramp)
{
  const std::string over_time = fmt::format("[{{time: 0, pressure: 0}}, {{time: {}, pressure: {}}}]", ramp, pressure);
  return fmt::format("  - {{name: sea, where: {{body: cube}}, pressure: {}}}\n",
                     ramp > 0 ? over_time : fmt::format("{}", pressure));
}

/// Selects one face of the cube.
std::string face(int axis, bool far)
{
  Vec3 low(-1, -1, -1), high(1, 1, 1);
  (far ? low : high)[axis] = far ? 0.999 * edge : 0.001 * edge;
  return fmt::format("box: {{min: [{}, {}, {}], max: [{}, {}, {}]}}", low.x(), low.y(), low.z(), high.x(), high.y(),
                     high.z());
}

/// A pull along x that rises at `rate` [Pa/s] once the other faces are under pressure.
constexpr double pressed_by = 15e-6, pull_from = 20e-6, rate = 8e6 / 60e-6;
std::string pull(double on_other_faces)
{
  std::string loads;
  for (const bool far : {false, true}) {
    loads += fmt::format(
        "  - {{name: pull {0}, where: {{{1}}}, traction: [{{time: 0, traction: [0, 0, 0]}}, "
        "{{time: {2}, traction: [0, 0, 0]}}, {{time: 1, traction: [{3}, 0, 0]}}]}}\n",
        far ? "right" : "left", face(0, far), pull_from, (far ? rate : -rate) * (1 - pull_from));
    for (const int axis : {1, 2})
      loads += fmt::format(
          "  - {{name: press {0}{1}, where: {{{2}}}, pressure: [{{time: 0, pressure: 0}}, {{time: {3}, pressure: "
          "{4}}}]}}\n",
          "xyz"[axis], far, face(axis, far), pressed_by, on_other_faces);
  }
  return loads;
}

/// Collective. Time of the first crack; never, if there is none until `end`.
double first_crack(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end) {
    simulation.advance(simulation.step_size());
    if (simulation.state.events > 0) return simulation.state.time;
  }
  return never;
}

double first_crack(const std::string& scene, double end)
{
  test::Simulation simulation{Comm(), test::scene(scene)};
  return first_crack(simulation, end);
}

/// Collective. Greatest principal stress of any element, without the viscous part. [Pa]
double greatest_stress(const test::Simulation& simulation)
{
  const element::Model& model = simulation.model();
  double greatest = -never;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const auto d = element::deformation(model.blocks.gradients(e), model.positions(e), Mat34::Zero());
    const Mat3 sigma = element::cauchy_stress(d.F, element::stress(d, {}, model.material_of(e), 0));
    greatest = std::max(greatest, element::largest_principal(sigma).value);
  }
  return simulation.halo().comm().max(greatest);
}

void press(int cells, double ramp)
{
  test::Simulation simulation{Comm(), test::scene(cube(cells, all_around(ramp)))};
  CAPTURE(cells, ramp);
  CHECK(first_crack(simulation, 50e-6) == never);
  const std::string how = ramp > 0 ? "slowly" : "at once";
  test::measured(fmt::format("cube pressed {}, {:.2f} mm: greatest stress", how, 1e3 * edge / cells),
                 greatest_stress(simulation), -pressure, 0.02, "Pa");  // it does bear the pressure, everywhere
}

void tear(int cells, double pressed)
{
  const double time = first_crack(cube(cells, pull(pressed)), 80e-6);
  test::measured(fmt::format("cube pulled under {:.0f} MPa, {:.2f} mm: strength", pressed / 1e6, 1e3 * edge / cells),
                 rate * (time - pull_from), strength, 0.05, "Pa");
}

constexpr double slowly = 40e-6, at_once = 0;  // [s]; the first is ten times what a wave takes across

}  // namespace

TEST_CASE("a cube stands a pressure of twenty times its strength", "[physics][fracture]")
{
  press(GENERATE(5, 7), GENERATE(slowly, at_once));  // 4 and 2.9 mm
}

TEST_CASE("by T 4.6 as printed a pressed cube fails at its surface", "[physics][fracture]")
{
  const double time = first_crack(cube(5, all_around(slowly), "sources"), slowly);
  test::measured("cube pressed, by the sources: strength", pressure * time / slowly, 12e6, 0.2, "Pa");
}

TEST_CASE("a cube breaks where the pull across it is its strength, whatever presses on its other faces",
          "[physics][fracture]")
{
  tear(GENERATE(5, 7), GENERATE(0.0, 50e6));
}

TEST_CASE("a finer cube stands a pressure of twenty times its strength", "[.validate]")
{
  press(GENERATE(10, 14), GENERATE(slowly, at_once));
}

TEST_CASE("a finer cube breaks where the pull across it is its strength", "[.validate]")
{
  tear(10, GENERATE(0.0, 50e6));
}
