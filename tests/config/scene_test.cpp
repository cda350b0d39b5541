#include "config/schema.hpp"
#include "example.hpp"
#include "same_scene.hpp"

using namespace sunder;
using namespace sunder::config;
using namespace sunder::config::testing;

TEST_CASE("what a small scene leaves out is what the structs say", "[config]")
{
  const SceneFolder folder;
  const Scene scene = folder.parse(smallest);
  CHECK(scene.name == "scene");
  CHECK(scene.title.empty());
  CHECK(scene.output.directory == "out/scene");
  REQUIRE(scene.bodies.size() == 1);
  CHECK(scene.bodies[0].mesh.file == folder.file("plate.msh"));
  CHECK(scene.obstacles.empty());
  CHECK(scene.boundary.empty());
  CHECK(scene.gravity == Vec3::Zero());
  CHECK(scene.time.end == 0.5);
  REQUIRE(scene.materials.size() == 1);
  CHECK(scene.materials[0].name == "glass");

  TimeOptions time;
  time.end = 0.5;
  CHECK(all(scene.time) == all(time));
  CHECK(all(scene.fracture) == all(fracture::FractureOptions{}));
  CHECK(all(scene.checkpoint) == all(CheckpointOptions{}));
  CHECK(all(scene.partition) == all(PartitionOptions{}));
  Body body;
  body.name = "plate", body.mesh.file = folder.file("plate.msh");
  CHECK(same(scene.bodies[0], body));
}

TEST_CASE("materials with directions arrive as given, and a completed scene gives them back to the bit", "[config]")
{
  const SceneFolder folder;
  const std::string text = R"(materials:
  wood:
    orthotropic: {E1: 12e9, E2: 0.9e9, E3: 0.5e9, nu12: 0.37, nu13: 0.47, nu23: 0.43, G12: 7e8, G13: 6e8, G23: 4e7}
    phi: 100
    psi: 200
    density: 450
    toughness: {force: 5, scale: [1, 0.5, 0.25]}
  leaning: {base: wood, orientation: {x: [1, 1, 0], y: [0, 0, 3]}}
  fibre: {transversely_isotropic: {E1: 9e9, E2: 1e9, nu12: 0.3, nu23: 0.4, G12: 5e8}, density: 1}
  full:
    C: [[9, 2, 1, 0, 0, 0.5], [8, 1, 0, 0, 0], [7, 0, 0, 0], [3, 0, 0], [2, 0], [1]]
    D: [[9, 2, 1, 0, 0, 0], [2, 8, 1, 0, 0, 0], [1, 1, 7, 0, 0, 0], [0, 0, 0, 3, 0, 0], [0, 0, 0, 0, 2, 0],
        [0, 0, 0, 0, 0, 0]]
    density: 1
    orientation: {axis: [1, 2, 3], angle: 0.4}
    toughness: {force: 1, scale: [1, 1, 0.5], orientation: {matrix: [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]]}}
  iron again: {base: full, E: 2e11, nu: 0.3, phi: 1, psi: 2}
bodies:
  - name: plate
    mesh: {file: plate.msh}
    material: wood
    regions:
      - {set: a, material: leaning}
      - {set: b, material: fibre}
      - {set: c, material: full}
      - {set: d, material: iron again}
time: {end: 0.5}
)";
  const Scene s = folder.parse(text);
  REQUIRE(s.materials.size() == 5);
  const material::Material &wood = s.materials[0], &leaning = s.materials[1], &fibre = s.materials[2],
                           &general = s.materials[3];
  REQUIRE(wood.anisotropy);
  CHECK(1 / wood.anisotropy->C().inverse()(0, 0) == Approx(12e9));
  CHECK(wood.anisotropy->D()(0, 0) == 500);
  CHECK(wood.toughness_scale == Vec3(1, 0.5, 0.25));
  CHECK(wood.toughness_axes == Mat3::Identity());
  REQUIRE(leaning.anisotropy);
  CHECK(leaning.anisotropy->own_C() == wood.anisotropy->own_C());
  CHECK((leaning.axes.col(0) - Vec3(1, 1, 0).normalized()).norm() < 1e-15);
  CHECK((leaning.axes.col(1) - Vec3(0, 0, 1)).norm() < 1e-15);
  CHECK(leaning.toughness_axes == leaning.axes);
  CHECK(leaning.toughness == 5);
  REQUIRE(fibre.anisotropy);
  CHECK(fibre.anisotropy->C()(3, 3) == Approx(1e9 / 2.8));
  CHECK(fibre.anisotropy->C()(1, 1) == fibre.anisotropy->C()(2, 2));
  CHECK(1 / fibre.anisotropy->C().inverse()(1, 1) == Approx(1e9));
  REQUIRE(general.anisotropy);
  CHECK(general.anisotropy->own_C()(0, 5) == 0.5);
  CHECK(general.anisotropy->own_C()(5, 0) == 0.5);
  CHECK((general.toughness_axes.col(0) - Vec3(0.8, 0.6, 0)).norm() < 1e-15);
  CHECK_FALSE(s.materials[4].anisotropy);
  CHECK(s.materials[4].mu == Approx(2e11 / 2.6));
  check_same(folder.parse(to_yaml(s)), s);
}

TEST_CASE("forms of toughness, scattered strength and interfaces arrive as given, and are given back", "[config]")
{
  const SceneFolder folder;
  const std::string text = R"(materials:
  brick: {base: adobe, toughness: {stress: 2e6, weibull: {modulus: 8, volume: 1e-6, seed: 5}}}
  mortar: {base: brick, toughness: {K_Ic: 2e5}}
  tile: {base: adobe, toughness: {G_c: 3.5}}
bodies:
  - name: plate
    mesh: {file: plate.msh}
    material: brick
    regions:
      - {set: a, material: mortar}
      - {set: b, material: tile}
interfaces:
  - {between: [brick, mortar], toughness: {stress: 5e5}}
  - {between: [tile, mortar], toughness: 7}
time: {end: 0.5}
)";
  using material::ToughnessForm;
  const Scene s = folder.parse(text);
  REQUIRE(s.materials.size() == 3);
  CHECK(s.materials[0].toughness_form == ToughnessForm::stress);
  CHECK(s.materials[0].toughness == 2e6);
  REQUIRE(s.materials[0].weibull);
  CHECK(all(*s.materials[0].weibull) == std::tuple(8.0, 1e-6, 5));
  CHECK(s.materials[1].toughness_form == ToughnessForm::K_Ic);
  CHECK(s.materials[1].weibull);  // of its base
  CHECK(s.materials[2].toughness_form == ToughnessForm::G_c);
  REQUIRE(s.interfaces.size() == 2);
  const material::ReferenceSize none;
  CHECK(all(s.interfaces[0]) ==
        std::tuple(MaterialIndex{0}, MaterialIndex{1}, ToughnessForm::stress, 5e5, none, material::Cohesion{}));
  CHECK(all(s.interfaces[1]) ==
        std::tuple(MaterialIndex{2}, MaterialIndex{1}, ToughnessForm::force, 7.0, none, material::Cohesion{}));
  check_same(folder.parse(to_yaml(s)), s);

  const Scene both = folder.parse(replaced(text, "{stress: 2e6,", "{stress: 2e6, G_c: 30,"));
  CHECK(both.materials[0].toughness_form == ToughnessForm::stress);
  CHECK(both.materials[0].toughness == 2e6);
  CHECK(both.materials[0].cohesion.energy == 30);
  CHECK(both.materials[1].cohesion.energy == 0);  // another form than that of its base
  CHECK(folder.parse(to_yaml(both)).materials[0].cohesion.energy == 30);
  check_same(folder.parse(to_yaml(both)), both);

  const Scene glued = folder.parse(replaced(text, "{stress: 5e5}", "{stress: 5e5, G_c: 12}"));
  CHECK(glued.interfaces[0].cohesion.energy == 12);
  CHECK(glued.interfaces[1].cohesion.energy == 0);
  check_same(folder.parse(to_yaml(glued)), glued);
  CHECK(folder
            .error(
                replaced(replaced(text, "{stress: 5e5}", "{stress: 5e5, G_c: 12}"), "time:", "solver: adaptive\ntime:"))
            .ends_with(
                "interfaces.0.toughness: expected one form of toughness with this solver; stress and G_c together need "
                "solver: explicit, static or implicit, got stress and G_c"));

  // The place is that of the toughness, or of the body that names or describes the material.
  const auto refused = [&](const std::string& materials, const std::string& material) {
    return folder.error("materials: {" + materials +
                        "}\nbodies:\n  - {name: b, mesh: {geometry: plate.geo, size: 1}, material: " + material +
                        "}\ntime: {end: 1}\nsolver: {method: adaptive}\n");
  };
  const std::string keys = "E: 1e9, nu: 0.2, density: 1000, toughness: {stress: 1e6, G_c: 9}";
  CHECK(refused("m: {" + keys + "}", "m").starts_with("scene.yaml:1:60: materials.m.toughness: expected one form"));
  CHECK(refused("", "{" + keys + "}").starts_with("scene.yaml:3:107: bodies.b.material.toughness: expected one form"));

  const auto error = [&](const std::string& part, const std::string& other) {
    return folder.error(replaced(text, part, other));
  };
  CHECK(error("toughness: 7}", "toughness: {force: 7, G_c: 12}}")
            .ends_with("interfaces.1.toughness.G_c: expected stress beside it, got none"));
  CHECK(error("toughness: 7}", "toughness: {G_c: 12}}")
            .ends_with("interfaces.1.toughness.G_c: expected stress beside it, got none"));
  CHECK(error("{stress: 2e6,", "{stress: 2e6, G_c: 30, K_Ic: 1,") ==
        "scene.yaml:2:58: materials.brick.toughness: expected one of force stress K_Ic, got stress and K_Ic");
  CHECK(error("{stress: 2e6,", "{stress: 2e6, force: 4,") ==
        "scene.yaml:2:36: materials.brick.toughness: expected one of force stress K_Ic G_c, got force and stress");
  CHECK(error("modulus: 8", "modulus: 0").ends_with("expected a number in [0.5, 1000] [-], got '0'"));
  CHECK(error("[brick, mortar]", "[brick, brick]")
            .ends_with("interfaces.0.between: expected the names of two materials, got brick twice"));
  CHECK(error("[brick, mortar]", "[brick, motar]")
            .ends_with("interfaces.0.between: expected one of brick mortar tile, got 'motar'; did you mean 'mortar'?"));
  CHECK(error("tile: {base: adobe,", "tile: {base: sitka_spruce,")
            .ends_with("materials.tile.toughness: expected K_Ic with elasticity that has directions, got G_c"));
}

TEST_CASE("the size a force was found for arrives as given, goes with a base, and is refused beside other forms",
          "[config]")
{
  const SceneFolder folder;
  const std::string text = R"(materials:
  brick: {base: steel, toughness: {force: 50, reference_size: 0.01}}
  mortar: {base: brick, toughness: 20}
  tile: {base: brick, toughness: {force: 7, reference_size: none}}
  slate: {base: adobe, toughness: {stress: 2e6}}
bodies:
  - name: plate
    mesh: {file: plate.msh}
    material: brick
    regions: [{set: a, material: mortar}, {set: b, material: tile}, {set: c, material: slate}, {set: d, material: adobe}]
interfaces:
  - {between: [brick, mortar], toughness: {force: 5, reference_size: unrefined}}
time: {end: 0.5}
)";
  using Kind = material::ReferenceSize::Kind;
  const Scene s = folder.parse(text);
  REQUIRE(s.materials.size() == 5);
  CHECK(s.materials[0].reference == material::ReferenceSize{Kind::given, 0.01});
  CHECK(s.materials[1].toughness == 20);
  CHECK(s.materials[1].reference == s.materials[0].reference);
  CHECK(s.materials[2].reference == material::ReferenceSize{});
  CHECK(s.materials[3].reference == material::ReferenceSize{});  // dropped with the force
  CHECK(s.materials[4].reference == material::ReferenceSize{Kind::unrefined, 0});
  CHECK(s.interfaces.at(0).reference == material::ReferenceSize{Kind::unrefined, 0});
  check_same(folder.parse(to_yaml(s)), s);

  const auto error = [&](const std::string& part, const std::string& other) {
    return folder.error(replaced(text, part, other));
  };
  CHECK(
      error("size: 0.01", "size: 0") ==
      "scene.yaml:2:63: materials.brick.toughness.reference_size: expected a number > 0 [m] or unrefined or none, got "
      "'0'");
  CHECK(error("{stress: 2e6}", "{stress: 2e6, reference_size: 0.1}") ==
        "scene.yaml:5:49: materials.slate.toughness.reference_size: expected it beside force only, got another form of "
        "toughness");
}

TEST_CASE("every key of a full scene arrives where it belongs", "[config]")
{
  const SceneFolder folder;
  const Scene s = folder.parse(full);
  CHECK(s.name == "full");
  CHECK(s.title == "one of everything: äöü");
  REQUIRE(s.materials.size() == 4);
  CHECK(s.materials[0].name == "plaster");
  CHECK(s.materials[0].lambda == Approx(1e9 * 0.2 / (1.2 * 0.6)));
  CHECK(s.materials[0].mu == Approx(1e9 / 2.4));
  CHECK(s.materials[0].phi == 10);
  CHECK(s.materials[0].psi == 20.5);
  CHECK(s.materials[0].toughness == 40);
  CHECK(s.materials[0].residual == 0.25);
  CHECK(s.materials[0].k1 == 0.01);
  CHECK(s.materials[0].k2 == 0.3);
  CHECK(s.materials[0].source == "a guess");
  CHECK(s.materials[1].name == "hard plaster");
  CHECK(s.materials[1].mu == Approx(3 * s.materials[0].mu));  // nu stays that of the base
  CHECK(s.materials[1].lambda == Approx(3 * s.materials[0].lambda));
  CHECK(s.materials[1].toughness == 80);
  CHECK(s.materials[1].density == 1100);
  CHECK(s.materials[2].density == 2595);
  CHECK_FALSE(s.materials[2].breakable());
  CHECK(s.materials[3].name == "second");
  CHECK(s.materials[3].mu == 2e6);

  REQUIRE(s.bodies.size() == 2);
  const Body& plate = s.bodies[0];
  CHECK(plate.mesh.geometry == folder.file("plate.geo"));
  CHECK(plate.mesh.size == 0.1);
  CHECK(plate.mesh.grading == 0.4);
  CHECK(plate.mesh.scale == 0.5);
  CHECK(plate.mesh.refine == 2);
  CHECK(plate.material == 0);
  REQUIRE(plate.regions.size() == 2);
  CHECK(plate.regions[0].set == "core");
  CHECK(plate.regions[0].material == 1);
  CHECK(plate.regions[1].material == 2);
  CHECK(s.bodies[1].material == 3);
  CHECK(plate.position == Vec3(1, 2, 3));
  CHECK((plate.rotation_axis - Vec3(1, 1, 0) / std::sqrt(2.0)).norm() < 1e-15);
  CHECK(plate.rotation_angle == 0.7);
  CHECK(plate.velocity == Vec3(0.1, 0.2, 0.3));
  CHECK(plate.spin == Vec3(4, 5, 6));
  CHECK(plate.split_hinges == "split");

  REQUIRE(s.obstacles.size() == 3);
  CHECK(s.obstacles[0].shape == rigid::Shape::sphere);
  CHECK(s.obstacles[0].motion == rigid::MotionKind::free);
  CHECK(s.obstacles[0].radius == 0.25);
  CHECK(s.obstacles[0].mass == 150);
  CHECK(s.obstacles[0].position == Vec3(0, -0.36, 1.2));
  CHECK(s.obstacles[0].velocity == Vec3(0, 12, 0));
  CHECK(all(s.obstacles[0].response) == std::tuple(1e9, 100.0, 0.3, 0.3, 0.002));
  CHECK(s.obstacles[1].shape == rigid::Shape::half_space);
  CHECK(s.obstacles[1].motion == rigid::MotionKind::path);
  CHECK((s.obstacles[1].normal - Vec3(0, 1, 2) / std::sqrt(5.0)).norm() < 1e-15);
  REQUIRE(s.obstacles[1].path.size() == 2);
  CHECK(s.obstacles[1].path[1].time == 0.1);
  CHECK(s.obstacles[1].path[1].position == Vec3(0, 0, 1));
  CHECK(s.obstacles[1].response.friction_static == 0.5);
  CHECK(s.obstacles[1].response.friction_dynamic == 0.4);
  const contact::Obstacle& hammer = s.obstacles[2];
  CHECK(hammer.shape == rigid::Shape::box);
  CHECK(hammer.size == Vec3(0.3, 0.2, 0.1));
  CHECK((hammer.rotation_axis - Vec3(0, 0.6, 0.8)).norm() < 1e-15);
  CHECK(hammer.rotation_angle == 0.5);
  CHECK(hammer.spin == Vec3(1, 2, 3));

  REQUIRE(s.boundary.size() == 2);
  const BoundaryCondition &grip = s.boundary[0], &ring = s.boundary[1];
  CHECK(grip.where.body == "plate");
  CHECK(grip.where.set == "left");
  REQUIRE(grip.where.box);
  CHECK(grip.where.box->min == Vec3(-1, -1, -1));
  CHECK(grip.where.box->max == Vec3(0.1, 1, 1));
  CHECK(grip.axes == std::array{true, false, true});
  REQUIRE(grip.velocity.size() == 2);
  CHECK(grip.velocity[1].time == 0.2);
  CHECK(grip.velocity[1].value == Vec3(1, 0, -1));
  REQUIRE(ring.where.sphere);
  CHECK(ring.where.sphere->center == Vec3(1, 0, 0));
  CHECK(ring.where.sphere->radius == 2);
  REQUIRE(ring.where.cylinder);
  CHECK(ring.where.cylinder->point == Vec3(0, 0, 1));
  CHECK(ring.where.cylinder->axis == Vec3(0, 1, 0));
  CHECK(ring.where.cylinder->radius == 0.125);
  REQUIRE(ring.velocity.size() == 1);
  CHECK(ring.velocity[0].value == Vec3::Zero());

  REQUIRE(s.loads.size() == 3);
  CHECK(s.loads[0].where.set == "top");
  REQUIRE(s.loads[0].traction.size() == 2);
  CHECK(s.loads[0].traction[1].time == 0.25);
  CHECK(s.loads[0].traction[1].value == Vec3(1, 7e5, -3.5));
  CHECK_FALSE(s.loads[0].blast);
  REQUIRE(s.loads[1].pressure.size() == 1);
  CHECK(s.loads[1].pressure[0].value == 1.5e5);
  REQUIRE(s.loads[2].blast);
  const Blast& bang = *s.loads[2].blast;
  CHECK(bang.origin == Vec3(0, -5, 1));
  CHECK(std::tie(bang.speed, bang.peak, bang.rise, bang.decay, bang.shape, bang.start) ==
        std::tuple(700.0, 3e5, 1e-5, 0.004, 1.5, 0.1));
  REQUIRE(bang.falloff);
  CHECK(bang.falloff->distance == 4);
  CHECK(bang.falloff->power == 1.25);

  CHECK(s.gravity == Vec3(0, 0, -9.81));
  CHECK(all(s.time) == std::tuple(0.5, 1e-5, 0.7, 2.0, solvers::ExplicitScheme::symplectic, 0.5, 1e-7,
                                  std::string("stop"), std::string("auto"), 2e-5));
  CHECK(all(s.fracture) == std::tuple(false, element::SeparationCriterion::sources, false, 0.002, 0.1, 0.2, 0.03, 0.4,
                                      0.5, false, 2e-5, 0.0, 0.0, 7));
  CHECK(all(s.output) ==
        std::tuple(std::string("results/full"), 0.01, 0.02, std::int64_t{3}, false, std::string("reference")));
  CHECK(all(s.checkpoint) == std::tuple(0.03, std::int64_t{500}, 60.0, std::int64_t{3}, 90.0));
  CHECK(all(s.partition) == std::tuple(std::string(), std::string("hilbert"), std::int64_t{42}, 1.5, std::int64_t{70}));
}

TEST_CASE("schemes of explicit steps arrive as given, and are given back", "[config]")
{
  const SceneFolder folder;
  for (const auto& [name, scheme] :
       {std::pair{"euler", solvers::ExplicitScheme::euler}, std::pair{"taylor", solvers::ExplicitScheme::taylor}}) {
    std::string text = smallest;
    text.replace(text.find("end: 0.5"), 8, std::string("end: 0.5, scheme: ") + name);
    const Scene scene = folder.parse(text);
    CHECK(scene.time.scheme == scheme);
    CHECK(folder.parse(to_yaml(scene)).time.scheme == scheme);
  }
}

TEST_CASE("rotations, displacements and circles arrive as given", "[config]")
{
  const SceneFolder folder;
  const Scene s = folder.parse(motions);
  REQUIRE(s.obstacles.size() == 1);
  REQUIRE(s.obstacles[0].circle);
  CHECK(s.obstacles[0].path.empty());
  CHECK(s.obstacles[0].circle->center == Vec3(1, 2, 3));
  CHECK(s.obstacles[0].circle->axis == Vec3(0, 0, -1));
  CHECK(s.obstacles[0].circle->rate == 30);
  REQUIRE(s.boundary.size() == 3);
  const BoundaryCondition &crank = s.boundary[0], &screw = s.boundary[1], &mill = s.boundary[2];
  CHECK(crank.velocity[0].value == Vec3(0, 0, 1));
  REQUIRE(crank.rotation);
  CHECK((crank.rotation->axis - Vec3(0, 0.6, 0.8)).norm() < 1e-15);
  CHECK(crank.rotation->center == Vec3(1, 0, 0));
  REQUIRE(crank.rotation->rate.size() == 1);
  CHECK(crank.rotation->rate[0].value == 12);
  REQUIRE(screw.displacement.size() == 2);
  CHECK(screw.displacement[1].time == 0.2);
  CHECK(screw.displacement[1].value == Vec3(0, 0, 0.5));
  REQUIRE(screw.rotation);
  CHECK(screw.rotation->axis == Vec3(0, 0, 1));
  CHECK(screw.rotation->rate.empty());
  REQUIRE(screw.rotation->angle.size() == 2);
  CHECK(screw.rotation->angle[1].value == 6);
  CHECK(mill.velocity.empty());
  REQUIRE(mill.rotation);
  CHECK(mill.rotation->rate[1].value == -5);
}
