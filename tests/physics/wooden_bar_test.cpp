#include "simulation/setup/placed_materials.hpp"
#include "support/bare_stepper.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace {

using namespace sunder;

constexpr material::Orthotropic constants{.E1 = 12e9,
                                          .E2 = 0.9e9,
                                          .E3 = 0.5e9,
                                          .nu12 = 0.37,
                                          .nu13 = 0.47,
                                          .nu23 = 0.43,
                                          .G12 = 0.75e9,
                                          .G13 = 0.72e9,
                                          .G23 = 0.04e9};

struct Pulled {
  double modulus, narrowing_y;  ///< Force over area over strain [Pa]; narrowing in y over strain
};

/// A bar along x between smooth grips, pulled by a strain of 1e-5 and left to settle. axes: of the wood in the bar.
Pulled pull(const Mat3& axes)
{
  constexpr double h = 0.01, strain = 1e-5;
  constexpr int nx = 6, ny = 2, nz = 2;
  material::Material wood;
  wood.density = 450;
  wood.anisotropy.emplace(material::orthotropic_stiffness(constants), material::Mat6::Zero(), axes);
  auto problem = test::distributed(Comm(), test::box_mesh(nx, ny, nz, h, 0.2), {wood},
                                   test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) model.p[static_cast<std::size_t>(n)].x *= 1 + strain;
  const auto at_grip = [&](LocalIndex n) {
    const double X = model.mesh.node(n).X.x();
    return X < 1e-9 ? -1 : X > nx * h - 1e-9 ? 1 : 0;
  };
  const double dt = 0.8 * problem.halo->comm().min(element::tightest_limit(model).step);
  test::BareStepper stepper(problem, [&](element::Model& m) {
    for (LocalIndex n = 0; n < m.mesh.num_nodes(); ++n) {
      const auto i = static_cast<std::size_t>(n);
      m.v[i].set_xyz(0.99 * m.v[i].xyz());  // until it has settled
      if (at_grip(n) != 0) m.p[i].x = m.mesh.node(n).X.x() * (1 + strain), m.v[i].x = 0;
    }
  });
  for (int s = 0; s < 6000; ++s) stepper.step(dt);
  double force = 0, narrowing = 0, sides = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (!model.mesh.owned(n)) continue;
    const auto i = static_cast<std::size_t>(n);
    const double Y = model.mesh.node(n).X.y();
    if (at_grip(n) < 0) force += model.f[i].x;
    if (Y < 1e-9) narrowing += model.p[i].y - Y, ++sides;
    if (Y > ny * h - 1e-9) narrowing -= model.p[i].y - Y;
  }
  const Comm& comm = problem.halo->comm();
  return {comm.sum(force) / (ny * h * nz * h) / strain, comm.sum(narrowing) / comm.sum(sides) / (ny * h) / strain};
}

}  // namespace

TEST_CASE("a bar of wood has E1 along the grain and E2 and E3 across it", "[physics][anisotropy]")
{
  Mat3 across, third;  // axis 2 of the wood, or axis 3, along the bar
  across << 0, 1, 0, -1, 0, 0, 0, 0, 1;
  third << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const Pulled along = pull(Mat3::Identity()), second = pull(across), last = pull(third);
  CHECK(along.modulus == Approx(constants.E1).epsilon(2e-3));
  CHECK(along.narrowing_y == Approx(constants.nu12).epsilon(1e-2));
  CHECK(second.modulus == Approx(constants.E2).epsilon(2e-3));
  CHECK(second.narrowing_y == Approx(constants.nu12 * constants.E2 / constants.E1).epsilon(1e-2));
  CHECK(last.modulus == Approx(constants.E3).epsilon(2e-3));
}

TEST_CASE("the grain turns with a body that is turned, interfaces with it", "[simulation][anisotropy]")
{
  config::Scene scene;
  material::Material steel, wood;
  steel.name = "steel", wood.name = "wood";
  wood.anisotropy.emplace(material::orthotropic_stiffness(constants), material::Mat6::Zero(), Mat3::Identity());
  scene.materials = {steel, wood};
  scene.interfaces = {{0, 1, material::ToughnessForm::force, 3, {}, {}}};
  config::Body upright, lying;
  upright.material = lying.material = 1;
  lying.regions = {{.key = "", .set = "nail", .material = 0}};
  lying.rotation_axis = Vec3::UnitZ(), lying.rotation_angle = M_PI / 2;
  scene.bodies = {upright, lying, lying};
  const simulation::PlacedMaterials placed = simulation::place_materials(scene);
  REQUIRE(placed.all.size() == 4);  // the scene's two, and wood for each of the bodies that lie
  CHECK(placed.of_body == std::vector<std::vector<MaterialIndex>>{{0, 1}, {0, 2}, {0, 3}});
  CHECK(placed.all[1].anisotropy->C() == wood.anisotropy->C());
  CHECK(placed.all[2].anisotropy->C()(1, 1) == Approx(wood.anisotropy->C()(0, 0)));  // the grain along y
  CHECK(placed.all[2].anisotropy->C()(0, 0) == Approx(wood.anisotropy->C()(1, 1)));
  REQUIRE(placed.interfaces.size() == 3);
  CHECK(placed.interfaces[1].b == 2);
  CHECK(placed.interfaces[2].b == 3);
}
