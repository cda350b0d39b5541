#include "example.hpp"

#include <catch2/catch.hpp>

using namespace sunder::config::testing;
using sunder::config::Scene;

namespace {

struct Case {
  std::string old_part, new_part, message;
};

void check(const SceneFolder& folder, const std::string& text, const std::vector<Case>& cases)
{
  for (const Case& c : cases) {
    CAPTURE(c.old_part, c.new_part);
    CHECK(folder.error(replaced(text, c.old_part, c.new_part)) == c.message);
  }
}

}  // namespace

TEST_CASE("the scenes that errors are put into are accepted without them", "[config]")
{
  const SceneFolder folder;
  CHECK(folder.error(smallest) == "");
  CHECK(folder.error(full) == "");
}

TEST_CASE("sizes of elements are refused of a mesh file, whose elements are as they are", "[config]")
{
  const SceneFolder folder;
  const auto useless = [](const std::string& place_and_key) {
    return place_and_key +
           ": expected no such key with file, whose elements are as they are (refine divides them), "
           "got a value that would do nothing";
  };
  const std::string mesh = ": bodies.plate.mesh.";
  check(folder, smallest,
        {{"plate.msh", "plate.msh, size: 0.1", useless("scene.yaml:3:35" + mesh + "size")},
         {"plate.msh", "plate.msh, grading: 0.5", useless("scene.yaml:3:38" + mesh + "grading")},
         {"plate.msh", "plate.msh, grading: 0.3", ""}});
}

TEST_CASE("names of copies are names of bodies, each once", "[config]")
{
  const SceneFolder folder;
  const std::string name = "  - name: plate\n", copies = "    copies: {count: [2, 1, 1], spacing: [9, 0, 0]}\n";
  const std::string long_name = std::string(60, 'n'), second = "    mesh: {file: plate.msh}\n    material: glass\n";
  check(
      folder, smallest,
      {{name, name + copies, ""},
       {name, "  - name: plate_2\n" + second + name + copies,
        "scene.yaml:2:3: bodies: expected each name once, those of copies too (NAME_1, NAME_2 ...), got plate_2 twice"},
       {name, "  - name: " + long_name + "\n", ""},
       {name, "  - name: " + long_name + "\n" + copies,
        "scene.yaml:2:3: bodies: expected names of at most 60 letters, those of copies too, got " + long_name + "_1"}});
}

TEST_CASE("output of stress and strain is refused where elements are rigid", "[config]")
{
  const SceneFolder folder;
  const std::string rigid = smallest + "solver: hybrid\nfracture: {enabled: false}\noutput: {X}\n";
  const std::string solvers = " with solvers lattice and hybrid, whose elements are rigid, got ";
  check(folder, rigid,
        {{"X", "fields: [Velocity, Stress]",
          "scene.yaml:8:18: output.fields: expected some of Velocity Speed FailureTime" + solvers + "Stress"},
         {"X", "probes: [{name: p, node: 1, fields: [Speed, Damage]}]",
          "scene.yaml:8:46: output.probes.p.fields: expected some of Displacement Velocity Speed" + solvers + "Damage"},
         {"X", "sections: [{name: s, point: [0, 0, 0], normal: [1, 0, 0]}]",
          "scene.yaml:8:20: output.sections: expected none" + solvers + "some"},
         {"X", "crack_fronts: [{name: f, point: [0, 0, 0], growth: [1, 0, 0], normal: [0, 1, 0], radius: 1}]",
          "scene.yaml:8:24: output.crack_fronts: expected none" + solvers + "some"},
         {"X", "fields: [Speed], sections: [], probes: [{name: p, node: 1}]", ""}});
  const Scene scene = folder.parse(replaced(rigid, "X", "probes: [{name: p, node: 1}]"));
  CHECK(scene.output.fields == std::vector<std::string>{"Velocity", "FailureTime"});
  CHECK(scene.output.probes.at(0).fields == std::vector<std::string>{"Displacement", "Velocity"});
}

TEST_CASE("numbers of the wrong kind or out of range are refused with place, key and range", "[config]")
{
  const SceneFolder folder;
  const auto angle = [](const std::string& found) {
    return "scene.yaml:86:15: fracture.snap_angle: expected a number in [0, 1.5] [rad], got " + found;
  };
  check(folder, full,
        {{"snap_angle: 0.1", "snap_angle: x", angle("'x'")},
         {"snap_angle: 0.1", "snap_angle: 1.6", angle("'1.6'")},
         {"snap_angle: 0.1", "snap_angle: -1e-9", angle("'-1e-9'")},
         {"snap_angle: 0.1", "snap_angle: .nan", angle("'.nan'")},
         {"snap_angle: 0.1", "snap_angle: nan", angle("'nan'")},
         {"snap_angle: 0.1", "snap_angle: inf", angle("'inf'")},
         {"snap_angle: 0.1", "snap_angle: 1e999", angle("'1e999'")},
         {"snap_angle: 0.1", "snap_angle: 0.1 rad", angle("'0.1 rad'")},
         {"snap_angle: 0.1", "snap_angle: \"0.1\"", angle("\"0.1\"")},
         {"snap_angle: 0.1", "snap_angle: [0.1]", angle("a list")},
         {"snap_angle: 0.1", "snap_angle: {a: 1}", angle("a mapping")},
         {"snap_angle: 0.1", "snap_angle:",
          "scene.yaml:86:3: fracture.snap_angle: expected a number in [0, 1.5] "
          "[rad], got nothing"},
         {"step: 1e-5", "step: -1", "scene.yaml:73:9: time.step: expected a number >= 0 [s] or auto, got '-1'"},
         {"end: 0.5", "end: 0", "scene.yaml:72:8: time.end: expected a number > 0 [s], got '0'"},
         {"end: 0.5", "end: 1e101", "scene.yaml:72:8: time.end: expected a number no larger than 1e+100, got '1e101'"},
         {"max_rounds: 7", "max_rounds: 7.5",
          "scene.yaml:92:15: fracture.max_rounds: expected a whole number in [1, 10000], got '7.5'"},
         {"max_rounds: 7", "max_rounds: 99999999999999999999",
          "scene.yaml:92:15: fracture.max_rounds: expected a whole number in [1, 10000], got '99999999999999999999'"},
         {"pieces: 3", "pieces: -1", "scene.yaml:99:11: output.pieces: expected a whole number >= 0 or auto, got '-1'"},
         {"pieces: 3", "pieces: many",
          "scene.yaml:99:11: output.pieces: expected a whole number >= 0 or auto, got 'many'"},
         {"refine: 2", "refine: -1",
          "scene.yaml:18:78: bodies.plate.mesh.refine: expected a whole number in [0, 10], got '-1'"},
         {"enabled: false", "enabled: no", "scene.yaml:83:12: fracture.enabled: expected true or false, got 'no'"}});
}

TEST_CASE("keys that are unknown, missing or given twice are refused by name", "[config]")
{
  const SceneFolder folder;
  check(
      folder, full,
      {{"snap_angle:", "snap_angel:",
        "scene.yaml:86:3: fracture.snap_angel: expected one of enabled criterion remesh snap_distance snap_angle "
        "snap_relative "
        "least_height back_crack_angle residual relief check_interval dust exclusion max_rounds, got 'snap_angel'; did "
        "you mean "
        "'snap_angle'?"},
       {"gravity:", "zzz:",
        "scene.yaml:70:1: zzz: expected one of name title materials bodies interfaces obstacles collisions boundary "
        "loads gravity time solver lattice hybrid petsc fracture "
        "output checkpoint partition, got 'zzz'"},
       {"  safety: 0.7", "  end: 0.7", "scene.yaml:74:3: expected each key once, got 'end' again (first in line 72)"},
       {"  end: 0.5\n", "", "scene.yaml:72:3: time.end: expected a value (number > 0 [s]), got nothing"},
       {"    material: plaster\n", "",
        "scene.yaml:17:5: bodies.plate.material: expected a value (name or mapping), got nothing"},
       {"  - name: plate\n    mesh", "  - mesh",
        "scene.yaml:17:5: bodies.0.name: expected a value (text), got nothing"},
       {"name: plate", "name: \"\"",
        "scene.yaml:17:11: bodies.0.name: expected a name (at most 60 letters, no dot, no =, not only digits), got "
        "\"\""},
       {"name: second", "name: plate", "scene.yaml:28:11: bodies.1.name: expected each name once, got 'plate' again"}});
}

TEST_CASE("a solver refuses what it does not compute", "[config]")
{
  const SceneFolder folder;
  const std::string held = smallest + "solver: static\ncollisions: {enabled: false}\n";
  CHECK(folder.error(held) == "");
  CHECK(folder.error(smallest + "solver: static\n") == "");  // bodies may touch each other
  check(
      folder, held,
      {{"solver: static", "solver: statics",
        "scene.yaml:6:9: solver: expected one of explicit static implicit adaptive lattice hybrid, got 'statics'; "
        "did you "
        "mean 'static'?"},
       {"collisions: {enabled: false}",
        "collisions: {enabled: false}\nobstacles: [{name: ball, sphere: {radius: 1}, mass: 1, motion: free}]",
        "scene.yaml:8:64: obstacles.ball.motion: expected fixed or path with a static solver, in which nothing has a "
        "velocity, got free"},
       {"solver: static", "solver: {method: static, initial_equilibrium: true}",
        "scene.yaml:6:47: solver.initial_equilibrium: expected false with a static solver, each step of which is an "
        "equilibrium, got true"},
       {"solver: static", "solver: {method: static, newton: {single_iteration: true}}",
        "scene.yaml:6:34: solver.newton.single_iteration: expected false with a static solver, where nothing acts "
        "later, got true"},
       {"material: glass", "material: glass\n    spin: [0, 0, 1]",
        "scene.yaml:5:11: bodies.plate.spin: expected no such key with a static solver, in which nothing has a "
        "velocity, got a value that would do nothing"},
       {"time: {end: 0.5}\nsolver: static", "time: {end: 1, step: 0.1}\nsolver: adaptive",
        "scene.yaml:5:22: time.step: expected auto with the adaptive solver, got 0.1"},
       {"solver: static", "solver: static\npetsc: {ksp_type: cg}",
        "scene.yaml:7:19: petsc.ksp_type: expected no option of PETSc with solver.reproducible, which is true where "
        "fracture is enabled: PETSc solves nothing, got one"},
       {"solver: static", "solver: explicit\npetsc: {ksp_type: cg}",
        "scene.yaml:7:19: petsc.ksp_type: expected no option of PETSc with a solver that solves no equations, got one"},
       {"solver: static", "solver: {method: static, load_control: arc_length}\npetsc: {ksp_type: cg}",
        "scene.yaml:7:19: petsc.ksp_type: expected no option of PETSc with a solver.load_control along a path: PETSc "
        "solves nothing, got one"},
       {"solver: static", "solver: {method: static, scheme: newmark}",
        "scene.yaml:6:34: solver.scheme: expected no such key with a static solver, which does not integrate in time, "
        "got a value that would do nothing"},
       {"solver: static", "solver: {method: static, spectral_radius: 0.5}",
        "scene.yaml:6:43: solver.spectral_radius: expected no such key with a static solver, which does not integrate "
        "in time, got a value that would do nothing"},
       {"solver: static", "solver: {method: implicit, load_control: arc_length}",
        "scene.yaml:6:42: solver.load_control: expected no such key but with method: static, got a value that would do "
        "nothing"},
       {"solver: static", "solver: {method: static, dissipation: 0.1}",
        "scene.yaml:6:39: solver.dissipation: expected no such key but with load_control: dissipation, got a value "
        "that would do nothing"},
       {"solver: static", "solver: static\npetsc: {-ksp_type: cg}",
        "scene.yaml:7:9: petsc: expected the name of an option of PETSc, without the leading minus, got -ksp_type"}});
}

TEST_CASE("keys of local time steps are refused where they would do nothing", "[config]")
{
  const SceneFolder folder;
  const std::string local = smallest + "solver: explicit\n";
  CHECK(folder.error(local) == "");
  const std::string expected = "expected off but with solver: explicit and time.scheme: symplectic, got auto";
  check(folder, local,
        {{"end: 0.5", "end: 0.5, scheme: taylor, local_steps: auto", "scene.yaml:5:47: time.local_steps: " + expected},
         {"end: 0.5}\nsolver: explicit", "end: 0.5, local_steps: auto}\nsolver: adaptive",
          "scene.yaml:5:31: time.local_steps: " + expected},
         {"end: 0.5", "end: 0.5, macro_step: 1.0e-5",
          "scene.yaml:5:30: time.macro_step: expected no such key but with time.local_steps: auto, got a value that "
          "would do nothing"}});
}

TEST_CASE("a value's former name is refused with the name it has now", "[config]")
{
  const SceneFolder folder;
  const std::string renamed = smallest + "collisions: {resolve: initial_overlap}\n";
  CHECK(folder.error(renamed) == "");
  check(folder, renamed,
        {{"resolve: initial_overlap", "resolve: forgive",
          "scene.yaml:6:23: collisions.resolve: expected one of error push initial_overlap, got 'forgive', which is "
          "called 'initial_overlap' now"}});
}

TEST_CASE("values that contradict others of the scene are refused with line and key", "[config]")
{
  const SceneFolder folder;
  check(
      folder, full,
      {{"split_hinges: split", "split_hinges: spilt",
        "scene.yaml:27:19: bodies.plate.split_hinges: expected one of error split, got 'spilt'; did you mean 'split'?"},
       {"geometry: plate.geo, size: 0.1", "geometry: plate.geo, file: plate.msh, size: 0.1",
        "scene.yaml:18:11: bodies.plate.mesh: expected either file or geometry, got both"},
       {"geometry: plate.geo, size: 0.1,", "",
        "scene.yaml:18:11: bodies.plate.mesh: expected either file or geometry, got neither"},
       {"geometry: plate.geo, size: 0.1", "geometry: plate.geo",
        "scene.yaml:18:11: bodies.plate.mesh.size: expected a number > 0 [m] with geometry, got nothing"},
       {"mesh: {file: plate.msh}", "mesh: {file: absent.msh}",
        "scene.yaml:29:18: bodies.second.mesh.file: expected an existing file, got 'absent.msh' (looked for "
        "'absent.msh')"},
       {"axis: [1, 1, 0]", "axis: [0, 0, 0]",
        "scene.yaml:24:22: bodies.plate.rotation.axis: expected a vector that is not zero, got [0, 0, 0]"},
       {"position: [1, 2, 3]", "position: [1, 2]",
        "scene.yaml:23:15: bodies.plate.position: expected three numbers [x, y, z] [m], got a list of 2"},
       {"position: [1, 2, 3]", "position: [1, 2, z]",
        "scene.yaml:23:22: bodies.plate.position.2: expected a number [m], got 'z'"},
       {"sphere: {radius: 0.25}", "sphere: {radius: 0.25}\n    half_space: {}",
        "scene.yaml:32:5: obstacles.ball: expected one of sphere, box, half_space, cylinder, capsule and mesh, got "
        "sphere and half_space"},
       {"    sphere: {radius: 0.25}\n", "",
        "scene.yaml:32:5: obstacles.ball: expected one of sphere, box, half_space, cylinder, capsule and mesh, got "
        "none"},
       {"sphere: {radius: 0.25}", "box: {size: [1, 0, 1]}",
        "scene.yaml:33:17: obstacles.ball.box.size: expected three numbers > 0 [m], got [1, 0, 1]"},
       {"sphere: {radius: 0.25}", "sphere: {radius: 0.25}\n    rotation: {angle: 1}",
        "scene.yaml:34:15: obstacles.ball.rotation: expected a box or a mesh beside it, got a mapping"},
       {"motion: path", "motion: path\n    spin: [0, 0, 1]",
        "scene.yaml:45:11: obstacles.floor.spin: expected another shape than half_space beside it, got a list"},
       {"    mass: 150\n", "",
        "scene.yaml:32:5: obstacles.ball.mass: expected a number > 0 [kg] with motion: free, got nothing"},
       {"motion: free", "motion: fixed",
        "scene.yaml:37:15: obstacles.ball.velocity: expected motion: path or free beside it, got a list"},
       {"motion: path", "motion: path\n    velocity: [0, 0, 1]",
        "scene.yaml:45:15: obstacles.floor.velocity: expected none beside path, which says where it is, got a list"},
       {"position: [1, 2, 3]", "velocity_center: [1, 2, 3]",
        "scene.yaml:23:22: bodies.plate.velocity_center: expected a velocity_gradient beside it, got a list"},
       {"position: [1, 2, 3]", "copies: {count: [1000, 1000, 1000]}",
        "scene.yaml:23:21: bodies.plate.copies.count: expected three whole numbers >= 1 whose product is at most "
        "1000000, got [1000, 1000, 1000]"},
       {"motion: path", "motion: free",
        "scene.yaml:44:13: obstacles.floor.motion: expected fixed or path for a half_space, got 'free'"},
       {"motion: path", "motion: fixed",
        "scene.yaml:46:7: obstacles.floor.path: expected motion: path beside it, got a list"},
       {"time: 0.1, position", "time: 0, position",
        "scene.yaml:47:9: obstacles.floor.path.1.time: expected a time after the one before it, 0, got 0"},
       {"dynamic: 0.4", "dynamic: 0.6",
        "scene.yaml:48:15: obstacles.floor.friction.dynamic: expected at most static, 0.5, got 0.6"},
       {"body: plate", "body: plat",
        "scene.yaml:58:13: boundary.grip.where.body: expected one of plate second, got 'plat'; did you mean 'plate'?"},
       {"max: [0.1, 1, 1]", "max: [0.1, 1, -1]",
        "scene.yaml:60:12: boundary.grip.where.box: expected min below max on each axis, got {min: [-1, -1, -1], max: "
        "[0.1, 1, -1]}"},
       {"axes: xz", "axes: xx",
        "scene.yaml:61:11: boundary.grip.axes: expected some of the letters xyz, each once, got 'xx'"},
       {"fixed: true", "fixed: false",
        "scene.yaml:65:5: boundary.ring: expected one of velocity displacement rotation fixed: true, got none"},
       {"fixed: true", "fixed: true\n    velocity: [1, 0, 0]",
        "scene.yaml:69:12: boundary.ring.fixed: expected either a motion or fixed: true, got both"},
       {"name: full", "name: a/b", "scene.yaml:1:7: name: expected a name for files (no slash), got 'a/b'"}});
}

TEST_CASE("paths out of order and motions that contradict themselves are refused with line and key", "[config]")
{
  const SceneFolder folder;
  REQUIRE(folder.error(motions) == "");
  check(folder, motions,
        {{"displacement: [0, 0, 0]}", "displacement: [0, 0, 1]}",
          "scene.yaml:21:35: boundary.screw.displacement.0.displacement: expected zero at the first point, got [0, 0, "
          "1]"},
         {"time: 0.2,", "time: 0.1,",
          "scene.yaml:22:9: boundary.screw.displacement.1.time: expected a time after the one before it, 0.1, got 0.1"},
         {"axes: yz", "velocity: [0, 0, 1]",
          "scene.yaml:17:5: boundary.screw: expected either velocity or displacement, got both"},
         {"rate: 12", "rate: 12, angle: [{time: 0, angle: 0}]",
          "scene.yaml:16:15: boundary.crank.rotation: expected either rate or angle, got both"},
         {", rate: 12", "", "scene.yaml:16:15: boundary.crank.rotation: expected either rate or angle, got neither"},
         {"angle: 0}", "angle: 1}",
          "scene.yaml:24:32: boundary.screw.rotation.angle.0.angle: expected zero at the first point, got 1"},
         {"axis: [0, 3, 4]", "axis: [0, 0, 0]",
          "scene.yaml:16:22: boundary.crank.rotation.axis: expected a vector that is not zero, got [0, 0, 0]"},
         {"rotation: {rate: [", "fixed: true\n    rotation: {rate: [",
          "scene.yaml:27:12: boundary.mill.fixed: expected either a motion or fixed: true, got both"},
         {", rate: 30", "",
          "scene.yaml:11:20: obstacles.hammer.path.circle.rate: expected a value (number [rad/s]), got nothing"},
         {"circle: {", "cricle: {",
          "scene.yaml:11:12: obstacles.hammer.path.cricle: expected one of circle, got 'cricle'; did you mean "
          "'circle'?"},
         {"motion: path", "motion: fixed",
          "scene.yaml:11:11: obstacles.hammer.path: expected motion: path beside it, got a mapping"},
         {"sphere: {radius: 0.25}", "half_space: {}",
          "scene.yaml:11:11: obstacles.hammer.path: expected points in time for a half_space, got a mapping"}});
}

TEST_CASE("loads without a kind, or of a wrong one, are refused with line and key", "[config]")
{
  const SceneFolder folder;
  const std::string text = smallest + R"(loads:
  - name: wind
    where: {body: plate}
    blast: {origin: [0, 0, 9], speed: 400, peak: 3e5, decay: 0.005}
  - {name: weight, where: {set: top}, pressure: [{time: 0, pressure: 0}, {time: 1, pressure: 2}]}
)";
  REQUIRE(folder.error(text) == "");
  check(folder, text,
        {{"    blast: {origin: [0, 0, 9], speed: 400, peak: 3e5, decay: 0.005}\n", "",
          "scene.yaml:7:5: loads.wind: expected one of traction pressure blast, got none"},
         {"where: {body: plate}\n", "where: {body: plate}\n    pressure: 3\n",
          "scene.yaml:10:5: loads.wind: expected one of traction pressure blast, got pressure and blast"},
         {"body: plate", "body: plat",
          "scene.yaml:8:19: loads.wind.where.body: expected one of plate, got 'plat'; did you mean 'plate'?"},
         {"speed: 400", "speed: 0", "scene.yaml:9:39: loads.wind.blast.speed: expected a number > 0 [m/s], got '0'"},
         {", decay: 0.005", "",
          "scene.yaml:9:12: loads.wind.blast.decay: expected a value (number > 0 [s]), got nothing"},
         {"time: 1,", "time: 0,",
          "scene.yaml:10:74: loads.weight.pressure.1.time: expected a time after the one before it, 0, got 0"},
         {"pressure: 2}", "traction: 2}",
          "scene.yaml:10:84: loads.weight.pressure.1.traction: expected one of time pressure smooth, got 'traction'"},
         {"pressure: [{time: 0, pressure: 0}, {time: 1, pressure: 2}]", "traction: 3",
          "scene.yaml:10:49: loads.weight.traction: expected three numbers [x, y, z] [Pa], got '3'"},
         {"name: weight", "name: wind", "scene.yaml:10:12: loads.1.name: expected each name once, got 'wind' again"}});
}

TEST_CASE("materials with wrong or contradicting constants are refused with line and key", "[config]")
{
  const SceneFolder folder;
  check(
      folder, full,
      {{"E: 1.0e9", "E: -1", "scene.yaml:5:8: materials.plaster.E: expected a number > 0 [Pa], got '-1'"},
       {"nu: 0.2", "nu: 0.5", "scene.yaml:6:9: materials.plaster.nu: expected a number in (-1, 0.5) [-], got '0.5'"},
       {"    nu: 0.2\n", "",
        "scene.yaml:5:5: materials.plaster: expected lambda and mu, or E and nu, or C, or engineering constants, or "
        "a base, "
        "got not both of a pair"},
       {"    nu: 0.2\n", "    nu: 0.2\n    mu: 3\n",
        "scene.yaml:5:5: materials.plaster: expected lambda and mu, or E and nu, got some of both"},
       {"    density: 1100\n", "", "scene.yaml:5:5: materials.plaster.density: expected a value, got nothing"},
       {"density: 1100", "density: 0",
        "scene.yaml:7:14: materials.plaster.density: expected a number > 0 [kg/m^3], got '0'"},
       {"residual: 0.25", "residual: 1.01",
        "scene.yaml:11:15: materials.plaster.residual: expected a number in [0, 1] [-], got '1.01'"},
       {"k2: 0.3", "k2: 0.003", "scene.yaml:13:9: materials.plaster.k2: expected at least k1, got k1 0.01, k2 0.003"},
       {"force: 40", "force: 0",
        "scene.yaml:10:24: materials.plaster.toughness.force: expected a number > 0 [N] or none, got '0'"},
       {"lambda: 1e6, mu: 2e6", "lambda: -1e6, mu: 2e6",
        "scene.yaml:30:24: bodies.second.material.lambda: expected lambda >= 0 (nu >= 0) with law: neo_hookean, got "
        "lambda -1e+06"},
       {"mu: 2e6, density", "mu: 2e6, k1: 0.5, density",
        "scene.yaml:30:42: bodies.second.material.k1: expected no plasticity (k1: none) with law: neo_hookean, got k1 "
        "0.5"},
       {"lambda: 1e6, mu: 2e6, density: 3, law: neo_hookean", "base: iron, law: neo_hookean",
        "scene.yaml:30:33: bodies.second.material.law: expected no plasticity (k1: none) with law: neo_hookean, got "
        "k1 0.002"},
       {"lambda: 1e6, mu: 2e6, density: 3, law: neo_hookean", "base: sitka_spruce, law: neo_hookean",
        "scene.yaml:30:41: bodies.second.material.law: expected isotropic constants with law: neo_hookean, got "
        "constants with directions"},
       {"law: neo_hookean", "law: rubber",
        "scene.yaml:30:55: bodies.second.material.law: expected one of saint_venant_kirchhoff neo_hookean, got "
        "'rubber'"},
       {"lambda: 1e6, mu: 2e6", "lambda: -2e6, mu: 2e6",
        "scene.yaml:30:24: bodies.second.material: expected 3 lambda + 2 mu > 0, got lambda -2e+06, mu 2e+06"},
       {"set: core, material: hard plaster", "set: core, material: [1]",
        "scene.yaml:21:31: bodies.plate.regions.0.material: expected the name of a material, got a list"}});
  const std::string unknown = folder.error(replaced(full, "material: plaster", "material: plastr"));
  CHECK(
      unknown.starts_with("scene.yaml:19:15: bodies.plate.material: expected one of hard plaster plaster glass iron"));
  CHECK(unknown.ends_with(", got 'plastr'; did you mean 'plaster'?"));
}

TEST_CASE("materials whose directions or stiffness are none are refused with line and key", "[config]")
{
  const SceneFolder folder;
  const std::string wood = R"(bodies:
  - name: plate
    mesh: {file: plate.msh}
    material:
      orthotropic: {E1: 12e9, E2: 0.9e9, E3: 0.5e9, nu12: 0.37, nu13: 0.47, nu23: 0.43, G12: 7e8, G13: 7e8, G23: 4e7}
      orientation: {x: [1, 1, 0], y: [0, 0, 1]}
      D: [[2, 1, 1, 0, 0, 0], [2, 1, 0, 0, 0], [2, 0, 0, 0], [1, 0, 0], [1, 0], [1]]
      density: 450
      toughness: {force: 5, scale: [1, 0.5, 0.5], orientation: {axis: [0, 0, 1], angle: 0.3}}
time: {end: 0.5}
)";
  REQUIRE(folder.error(wood) == "");
  check(folder, wood,
        {{"nu12: 0.37", "nu12: 3.7",
          "scene.yaml:5:20: bodies.plate.material.orthotropic: expected constants that are positive definite, got a "
          "least eigenvalue of -5.939e+10 Pa"},
         {"E3: 0.5e9, ", "",
          "scene.yaml:5:20: bodies.plate.material.orthotropic.E3: expected a value (number > 0 [Pa]), got nothing"},
         {"      D:", "      C:",
          "scene.yaml:5:7: bodies.plate.material: expected one of C orthotropic transversely_isotropic, got C and "
          "orthotropic"},
         {"      D:", "      E: 3e9\n      D:",
          "scene.yaml:5:7: bodies.plate.material: expected either isotropic constants or orthotropic, got both"},
         {"      D:", "      phi: 3\n      D:",
          "scene.yaml:8:7: bodies.plate.material: expected either phi and psi or D, got both"},
         {"[1, 0, 0], [1, 0], [1]]", "[1, 0, 0], [1, 0], [-1]]",
          "scene.yaml:7:10: bodies.plate.material.D: expected constants without a negative eigenvalue, got a least "
          "eigenvalue of -2 Pa s"},
         {"[1, 0, 0], [1, 0], [1]]", "[1, 0, 0], [1, 0]]",
          "scene.yaml:7:10: bodies.plate.material.D: expected six rows of six numbers, or of 6, 5, 4, 3, 2 and 1 from "
          "the diagonal on, got a list of 5"},
         {"[2, 0, 0, 0], [1, 0, 0]", "[2, 0, 0], [1, 0, 0]",
          "scene.yaml:7:48: bodies.plate.material.D.2: expected 4 numbers (six rows of six numbers, or of 6, 5, 4, 3, "
          "2 and 1 from the diagonal on), got a list of 3"},
         {"[[2, 1, 1, 0, 0, 0], [2, 1, 0, 0, 0], [2, 0, 0, 0], [1, 0, 0], [1, 0], [1]]",
          "[[2, 1, 1, 0, 0, 0], [1, 2, 0, 0, 0, 0], [1, 0, 2, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], "
          "[0, 0, 3, 0, 0, 1]]",
          "scene.yaml:7:111: bodies.plate.material.D: expected a symmetric matrix, got 3 in row 6, column 3 and 0 "
          "across the diagonal"},
         {"y: [0, 0, 1]", "y: [2, 2, 0]",
          "scene.yaml:6:38: bodies.plate.material.orientation.y: expected a direction that is not x's, got [2, 2, 0]"},
         {"x: [1, 1, 0], ", "",
          "scene.yaml:6:20: bodies.plate.material.orientation: expected axis and angle, or x and y, or matrix, got {y: "
          "[0, 0, 1]}"},
         {"{axis: [0, 0, 1], angle: 0.3}", "{matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}",
          "scene.yaml:9:73: bodies.plate.material.toughness.orientation.matrix: expected a rotation: columns of length "
          "1, at right angles, right-handed, got [[1, 0, 0], [0, 1, 0], [0, 0, -1]]"},
         {"scale: [1, 0.5, 0.5]", "scale: [1, 0, 0.5]",
          "scene.yaml:9:36: bodies.plate.material.toughness.scale: expected three numbers > 0 [-], got [1, 0, 0.5]"}});
}

TEST_CASE("text that is no YAML, or not that of a scene, is refused with its place", "[config]")
{
  const SceneFolder folder;
  CHECK(folder.error("a: [1, 2\n") ==
        "scene.yaml:2:1: expected YAML, got a syntax error: end of sequence flow not found; is a bracket not closed?");
  CHECK(folder.error("a: 1\nb:\n\tc: 1\n").starts_with("scene.yaml:3:"));
  CHECK(folder.error("a: 1\nb:\n\tc: 1\n").ends_with("; line 3 is indented by a tab, where YAML takes blanks alone"));
  CHECK(folder.error("time:{end: 1}\n").ends_with("got 'time:{end'; is there no blank after the colon?"));
  CHECK(folder.error(replaced(smallest, "{end: 0.5}", "{end: 0,5}"))
            .ends_with("got '5'; is a number written with a comma? Its decimal sign is a point"));
  CHECK(folder.error("materials:\n  chalk: {E: 1.0e9, nu: 0,2}\n")
            .ends_with("got '2'; is a number written with a comma? Its decimal sign is a point"));
  CHECK(folder.error("") ==
        "scene.yaml:1:1: expected a mapping with the keys name title materials bodies interfaces "
        "obstacles collisions boundary loads gravity time solver lattice hybrid petsc fracture output checkpoint "
        "partition, got "
        "nothing");
  CHECK(folder.error("- 1\n").ends_with("partition, got a list"));
  CHECK(folder.error("bodies: []\ntime: {end: 1}\n") == "scene.yaml:1:9: bodies: expected at least one body, got none");
  CHECK(folder.error("--- {}\n--- {}\n").ends_with("expected one YAML document, got more"));
  CHECK(folder.error("? [a]\n: 1\n") == "scene.yaml:1:3: expected a word as key, got a list; is a bracket not closed?");
}
