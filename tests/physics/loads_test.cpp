#include "simulation/loading/loads.hpp"
#include "contact/broad_phase/contact_surface.hpp"
#include "core/error.hpp"
#include "simulation/loading/blast.hpp"
#include "support/bodies.hpp"
#include "support/problem.hpp"
#include "support/worst.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

using namespace sunder;

namespace {

constexpr double length = 0.2, side = 0.1;  // of the bar, from the origin along x [m]

mesh::MeshData bar()
{
  return test::box_mesh(4, 2, 2, 0.05, 0.2, 3);
}

/// rest: keys of the scene; body: more keys of the bar.
std::string scene_of(const std::string& material, const std::string& rest, const std::string& body = "", int refine = 0)
{
  return fmt::format(R"(
materials:
  stuff: {{{}}}
bodies:
  - {{name: bar, mesh: {{file: {}, refine: {}}}, material: stuff{}}}
collisions: {{enabled: false}}
time: {{end: 1}}
{})",
                     material, test::mesh_file("loads_bar", bar()), refine, body, rest);
}

/// With its ledger opened.
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const std::string& text)
{
  auto simulation = std::make_unique<test::Simulation>(comm, test::scene(text));
  simulation->compute_forces();
  simulation->history_row();
  return simulation;
}

void run_until(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end) simulation.advance(simulation.step_size());
  simulation.compute_forces();
}

/// The loads have done work, and the ledger knows where it is.
void check_energy(test::Simulation& simulation, double tolerance)
{
  const auto energy = simulation.history_row().energy;
  CHECK(energy.external > 0);
  CHECK(std::abs(energy.relative_error) < tolerance);
}

const std::string unbreakable = "E: 1.0e7, nu: 0.3, density: 1000";
const std::string end_face = "box: {min: [0.1999, -1, -1], max: [0.3, 1, 1]}";

/// Area of the faces that are loaded, in the material.
double loaded_area(const test::Simulation& simulation)
{
  const mesh::TetMesh& mesh = simulation.model().mesh;
  double sum = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    for (std::size_t a = 0; a < 4 && mesh.primary(e); ++a) {
      if (mesh.face_marks(e)[a] == 0) continue;
      const auto X = mesh.corners(e);
      const auto& [i, j, k] = mesh::face_corners[a];
      sum += (X[j] - X[i]).cross(X[k] - X[i]).norm() / 2;
    }
  return simulation.halo().comm().sum(sum);
}

/// The bar, whose whole surface carries load 0.
test::TestProblem loaded_bar()
{
  auto problem = test::distributed(Comm(), bar(), {test::chalk()}, test::by_method(partition::Method::metis));
  mesh::TetMesh& mesh = problem.model.mesh;
  std::vector<LocalIndex> all(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  contact::ContactSurface surface;
  surface.update(mesh, *problem.halo, all);
  for (const LocalIndex e : surface.elements()) {
    mesh::FaceMarks marks{};
    for (std::size_t a = 0; a < 4; ++a) marks[a] = surface.free_faces(e) >> a & 1u;
    mesh.set_face_marks(e, marks);
  }
  return problem;
}

/// Forces of a load at time t on the bar's nodes where they are.
std::vector<Row4> forces(const test::TestProblem& problem, const config::Load& load, double t = 0)
{
  simulation::Loads loads({load}, problem.model.mesh);
  std::vector<Row4> f(problem.model.p.size());
  loads.add_forces(problem.model.p, t, f);
  return f;
}

void move(test::TestProblem& problem, const Mat3& F)
{
  for (std::size_t n = 0; n < problem.model.p.size(); ++n)
    problem.model.p[n].set_xyz(F * problem.model.mesh.node(static_cast<LocalIndex>(n)).X);
}

/// Greatest difference at an owned node between M times the first forces and the others, over the greatest of those.
double difference(const test::TestProblem& problem, const Mat3& M, const std::vector<Row4>& before,
                  const std::vector<Row4>& after)
{
  double worst = 0, greatest = 0;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n) {
    if (!problem.model.mesh.owned(n)) continue;
    const auto i = static_cast<std::size_t>(n);
    test::keep_worst(worst, (M * before[i].xyz() - after[i].xyz()).norm());
    greatest = std::max(greatest, after[i].xyz().norm());
  }
  return problem.halo->comm().max(worst) / problem.halo->comm().max(greatest);
}

/// A field on the nodes that is the same on every rank.
std::vector<Vec3> random_field(const test::TestProblem& problem, std::uint64_t seed)
{
  std::vector<Vec3> field;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n)
    field.push_back(test::random_vector(seed, problem.model.mesh.node(n).id.low));
  return field;
}

/// The tangent of a load at time t times a field, on owned nodes.
std::vector<Vec3> tangent_times(const test::TestProblem& problem, const config::Load& load, double t, TangentKind kind,
                                const std::vector<Vec3>& field)
{
  simulation::Loads loads({load}, problem.model.mesh);
  std::vector<Row4> f(problem.model.p.size());
  loads.add_forces(problem.model.p, t, f);
  std::vector<Vec3> product(field.size(), Vec3::Zero());
  loads.add_tangent(problem.model.p, t, kind, [&](LocalIndex row, LocalIndex column, const Mat3& block) {
    REQUIRE(problem.model.mesh.owned(row));
    product[static_cast<std::size_t>(row)] += block * field[static_cast<std::size_t>(column)];
  });
  return product;
}

double dot(const test::TestProblem& problem, const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
  double sum = 0;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n)
    if (problem.model.mesh.owned(n)) sum += a[static_cast<std::size_t>(n)].dot(b[static_cast<std::size_t>(n)]);
  return problem.halo->comm().sum(sum);
}

/// By how much the tangent times a field differs from central differences of the forces over 2 h, relatively.
double tangent_error(test::TestProblem& problem, const config::Load& load, double t, double h)
{
  const std::vector<Vec3> direction = random_field(problem, 5);
  const std::vector<Row4> here = problem.model.p;
  std::vector<Vec3> error = tangent_times(problem, load, t, TangentKind::exact, direction);
  const double scale = dot(problem, error, error);
  for (const double s : {h, -h}) {
    for (std::size_t n = 0; n < here.size(); ++n) problem.model.p[n].set_xyz(here[n].xyz() + s * direction[n]);
    const std::vector<Row4> f = forces(problem, load, t);
    for (std::size_t n = 0; n < here.size(); ++n) error[n] += f[n].xyz() / (2 * s);
  }
  problem.model.p = here;
  return std::sqrt(dot(problem, error, error) / scale);
}

}  // namespace

TEST_CASE("a free bar takes up the momentum that a traction gives, however fine its mesh", "[physics][loads]")
{
  const Vec3 full(3e3, -1e3, 2e3);
  for (const int refine : {0, 1}) {
    const auto simulation = simulate(Comm(), scene_of(unbreakable,
                                                      fmt::format(R"(
loads:
  - name: pull
    where: {{{}}}
    traction:
      - {{time: 0, traction: [0, 0, 0]}}
      - {{time: 0.01, traction: [3e3, -1e3, 2e3]}}
)",
                                                                  end_face),
                                                      "", refine));
    CHECK(loaded_area(*simulation) == Approx(side * side).epsilon(1e-13));
    Vec3 expected = Vec3::Zero();
    while (simulation->state.time < 0.02) {
      const double dt = simulation->step_size();
      expected += dt * side * side * std::min(1.0, simulation->state.time / 0.01) * full;
      simulation->advance(dt);
    }
    simulation->compute_forces();
    const auto inventory = simulation::totals(simulation->model(), Comm());
    CHECK((inventory.momentum - expected).norm() < 1e-12 * expected.norm());
    check_energy(*simulation, 1e-3);
  }
}

TEST_CASE("a bar pulled at its end comes to rest with the traction as its nominal stress", "[physics][loads]")
{
  const double traction = 2e5;
  const auto simulation =
      simulate(Comm(), scene_of(unbreakable + ", phi: 2e4, psi: 2e4", fmt::format(R"(
boundary:
  - {{name: x, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1, 1]}}}}, axes: x, fixed: true}}
  - {{name: y, where: {{box: {{min: [-1, -1, -1], max: [1, 1e-6, 1]}}}}, axes: y, fixed: true}}
  - {{name: z, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1e-6]}}}}, axes: z, fixed: true}}
loads:
  - {{name: pull, where: {{{}}}, traction: [{}, 0, 0]}}
)",
                                                                                  end_face, traction)));
  run_until(*simulation, 0.25);
  const element::Model& model = simulation->model();
  Mat3 expected = Mat3::Zero();
  expected(0, 0) = traction;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    const Mat3 F = element::deformation(model.blocks.gradients(e), model.positions(e), model.velocities(e)).F;
    const Mat3 P = F * element::element_stress(model, e) / 2;
    REQUIRE((P - expected).norm() < 1e-6 * traction);
  }
}

TEST_CASE("pressure all round a body moves it nowhere and turns it nowhere", "[physics][loads]")
{
  const auto simulation =
      simulate(Comm(), scene_of(unbreakable,
                                "loads: [{name: sea, where: {body: bar}, pressure: [{time: 0, pressure: 0}, "
                                "{time: 0.01, pressure: 4e5}]}]",
                                ", velocity: [1, 2, 3], spin: [20, -30, 10]"));
  const auto before = simulation::totals(simulation->model(), Comm());
  run_until(*simulation, 0.02);
  const auto after = simulation::totals(simulation->model(), Comm());
  CHECK((after.momentum - before.momentum).norm() < 1e-11 * before.momentum.norm());
  CHECK((after.angular_momentum - before.angular_momentum).norm() < 1e-10 * before.angular_momentum.norm());
  check_energy(*simulation, 1e-3);
}

TEST_CASE("a body under pressure shrinks as its law says", "[physics][loads]")
{
  const double pressure = 1e6;
  const auto simulation =
      simulate(Comm(), scene_of("lambda: 6e6, mu: 4e6, density: 1000, phi: 2e4, psi: 2e4",
                                fmt::format("loads: [{{name: sea, where: {{body: bar}}, pressure: "
                                            "[{{time: 0, pressure: 0}}, {{time: 0.05, pressure: {}}}]}}]",
                                            pressure)));
  run_until(*simulation, 0.25);
  const element::Model& model = simulation->model();
  double volume = 0;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    const Mat34 p = model.positions(e);
    if (model.mesh.primary(e)) volume += (p.col(1) - p.col(0)).cross(p.col(2) - p.col(0)).dot(p.col(3) - p.col(0)) / 6;
  }
  // F = s I: the Cauchy stress (3 lambda + 2 mu) (s^2 - 1) / (2 s) balances the pressure.
  const double modulus = 3 * 6e6 + 2 * 4e6, q = pressure / modulus, s = std::sqrt(1 + q * q) - q;
  CHECK(Comm().sum(volume) == Approx(s * s * s * length * side * side).epsilon(1e-7));
}

TEST_CASE("pressure turns and grows with the surface, a traction does neither", "[physics][loads]")
{
  auto problem = loaded_bar();
  const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  config::Load pressure, traction;
  pressure.pressure = {{0, 5e4}}, traction.traction = {{0, Vec3(1e4, 2e4, -3e4)}};
  move(problem, Mat3::Identity());
  const auto pushed = forces(problem, pressure), pulled = forces(problem, traction);
  move(problem, 2 * R);
  CHECK(difference(problem, 4 * R, pushed, forces(problem, pressure)) < 1e-14);
  CHECK(difference(problem, Mat3::Identity(), pulled, forces(problem, traction)) < 1e-14);
}

TEST_CASE("the front of a blast arrives at its speed and leaves Friedlander's curve behind", "[physics][loads]")
{
  config::Blast blast;
  blast.origin = Vec3(1, 0, 0), blast.speed = 400, blast.peak = 3e5, blast.rise = 1e-4, blast.decay = 5e-3;
  blast.start = 0.01, blast.shape = 2;
  const Vec3 x(1, 3, 4);
  const double arrival = 0.01 + 5.0 / 400, crest = arrival + 1e-4;
  const auto at = [&](double t) { return simulation::blast_pressure(blast, x, t); };
  CHECK(at(arrival - 1e-9) == 0);
  CHECK(at(arrival + 5e-5) == Approx(1.5e5));
  CHECK(at(crest) == Approx(3e5));
  CHECK(at(crest + 2.5e-3) == Approx(1.5e5 * std::exp(-1.0)));
  CHECK(std::abs(at(crest + 5e-3)) < 1e-6);
  CHECK(at(crest + 7e-3) < 0);
  // A whole curve leaves the impulse peak decay (1/b - 1/b^2).
  double impulse = 0;
  for (int k = 0; k < 100000; ++k) impulse += 1e-6 * at(crest + (k + 0.5) * 1e-6);
  CHECK(impulse == Approx(3e5 * 5e-3 / 4).epsilon(1e-6));
  blast.falloff = config::Blast::Falloff{.distance = 2.5, .power = 3};
  CHECK(at(crest) == Approx(3e5 / 8));
  blast.falloff->distance = 10;
  CHECK(at(crest) == Approx(3e5));
}

TEST_CASE("a blast pushes the faces that its front has passed, and no others", "[physics][loads]")
{
  auto problem = loaded_bar();
  move(problem, Mat3::Identity());
  config::Load load, steady;
  load.blast.emplace();
  load.blast->origin = Vec3(-1000, 0, 0), load.blast->speed = 1, load.blast->peak = 7e4, load.blast->decay = 1e9;
  steady.pressure = {{0, 7e4}};
  const double front = 0.11, cell = 0.05;  // [m] from the near end: the front is a plane there
  const auto pushed = forces(problem, load, 1000 + front), all = forces(problem, steady);
  int ahead = 0, behind = 0;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n) {
    if (!problem.model.mesh.owned(n)) continue;
    const auto i = static_cast<std::size_t>(n);
    const double x = problem.model.p[i].x;
    if (x > front + cell) {
      ++ahead;
      CHECK(pushed[i].xyz() == Vec3::Zero());
    } else if (x < front - cell) {
      ++behind;
      CHECK((pushed[i].xyz() - all[i].xyz()).norm() <= 1e-5 * all[i].xyz().norm());
    }
  }
  CHECK(Comm().sum(std::int64_t{ahead}) > 0);
  CHECK(Comm().sum(std::int64_t{behind}) > 0);
}

TEST_CASE("the tangent of a load is minus the slope of its forces", "[physics][loads][derivative]")
{
  auto problem = loaded_bar();
  move(problem, Mat3::Identity() + 0.1 * Mat3::Ones());
  const std::vector<Vec3> wave = random_field(problem, 6);
  for (std::size_t n = 0; n < wave.size(); ++n) problem.model.p[n].set_xyz(problem.model.p[n].xyz() + 5e-3 * wave[n]);

  // Forces are quadratic in the positions: central differences have no error of their own.
  config::Load pressure;
  pressure.pressure = {{0, 5e4}};
  CHECK(tangent_error(problem, pressure, 0, 1e-4) < 1e-10);

  config::Load blast = pressure;
  blast.blast.emplace();
  blast.blast->origin = Vec3(-0.3, 0.02, 0.07), blast.blast->speed = 20, blast.blast->peak = 1e6;
  blast.blast->rise = 0.03, blast.blast->decay = 0.02, blast.blast->shape = 1.5;
  for (const double power : {0.0, 1.5})
    for (const double t : {0.04, 0.07}) {  // while it rises, and while it falls
      if (power > 0) blast.blast->falloff = config::Blast::Falloff{.distance = 0.2, .power = power};
      const double coarse = tangent_error(problem, blast, t, 4e-3), fine = tangent_error(problem, blast, t, 2e-3);
      CAPTURE(power, t, coarse, fine);
      CHECK(coarse / fine == Approx(4).epsilon(0.05));
      CHECK(fine < 1e-3);
    }

  config::Load traction;
  traction.traction = {{0, Vec3(1e4, 2e4, -3e4)}};
  const auto none = tangent_times(problem, traction, 0, TangentKind::exact, wave);
  CHECK(dot(problem, none, none) == 0);
}

TEST_CASE("pressure all round a body has a symmetric tangent, and by option any pressure has",
          "[physics][loads][derivative]")
{
  auto problem = loaded_bar();
  move(problem, Mat3::Identity() + 0.1 * Mat3::Ones());
  const auto x = random_field(problem, 7), y = random_field(problem, 8);
  config::Load load;
  load.pressure = {{0, 5e4}};
  const auto times = [&](TangentKind kind, const std::vector<Vec3>& field) {
    return tangent_times(problem, load, 0, kind, field);
  };
  // Pressure all round has a potential, pressure times volume: faces are not symmetric, together they are.
  const auto exact = times(TangentKind::exact, x), symmetric = times(TangentKind::symmetric, x);
  std::vector<Vec3> rest = exact;
  for (std::size_t n = 0; n < rest.size(); ++n) rest[n] -= symmetric[n];
  CHECK(std::sqrt(dot(problem, rest, rest)) < 1e-12 * std::sqrt(dot(problem, exact, exact)));
  CHECK(dot(problem, y, exact) == Approx(dot(problem, x, times(TangentKind::exact, y))).epsilon(1e-9));

  const auto left_out = times(TangentKind::positive_definite, x);
  CHECK(dot(problem, left_out, left_out) == 0);

  // On a part of the surface the symmetric part is something else; and symmetric.
  load.blast.emplace();
  load.blast->origin = Vec3(-0.3, 0.02, 0.07), load.blast->speed = 20, load.blast->peak = 1e6;
  load.blast->rise = 1, load.blast->decay = 1;
  const auto of_x = tangent_times(problem, load, 0.02, TangentKind::symmetric, x);
  const auto of_y = tangent_times(problem, load, 0.02, TangentKind::symmetric, y);
  CHECK(dot(problem, y, of_x) == Approx(dot(problem, x, of_y)).epsilon(1e-9));
  const auto exact_x = tangent_times(problem, load, 0.02, TangentKind::exact, x);
  const auto exact_y = tangent_times(problem, load, 0.02, TangentKind::exact, y);
  CHECK(std::abs(dot(problem, y, exact_x) - dot(problem, x, exact_y)) > 1e-3 * std::abs(dot(problem, y, of_x)));
  CHECK(dot(problem, y, of_x) == Approx((dot(problem, y, exact_x) + dot(problem, x, exact_y)) / 2).epsilon(1e-9));
}

TEST_CASE("Newton's method knows how a pressure follows its face: few iterations where a plate bulges far",
          "[physics][loads][static]")
{
  // A plate held all round bulges by more than its thickness. Its rim does not move: so the symmetric parts of the
  // faces' tangents add up to all of it.
  const auto plate = test::mesh_file("loads_plate", test::box_mesh(12, 6, 1, 0.02));
  test::Simulation simulation(Comm(), test::scene(fmt::format(R"(
materials:
  rubber: {{law: neo_hookean, E: 1.0e6, nu: 0.4, density: 1000}}
bodies:
  - {{name: plate, mesh: {{file: {}}}, material: rubber}}
boundary:
  - {{name: near, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1, 1]}}}}, fixed: true}}
  - {{name: far, where: {{box: {{min: [0.239999, -1, -1], max: [1, 1, 1]}}}}, fixed: true}}
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [1, 1e-6, 1]}}}}, fixed: true}}
  - {{name: right, where: {{box: {{min: [-1, 0.119999, -1], max: [1, 1, 1]}}}}, fixed: true}}
loads:
  - name: air
    where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1e-6]}}}}
    pressure: [{{time: 0, pressure: 0}}, {{time: 1, pressure: 1.5e5}}]
collisions: {{enabled: false}}
solver: static
time: {{end: 1, step: 0.25}}
)",
                                                              plate)));
  simulation.compute_forces();
  while (simulation.state.time < 1 - 1e-9)
    simulation.advance(std::min(simulation.step_size(), 1 - simulation.state.time));
  const auto solves = simulation.state.measured.solves;
  double bulge = 0;
  for (LocalIndex n = 0; n < simulation.model().mesh.num_nodes(); ++n)
    bulge =
        std::max(bulge, simulation.model().p[static_cast<std::size_t>(n)].z - simulation.model().mesh.node(n).X.z());
  bulge = simulation.halo().comm().max(bulge);
  CAPTURE(simulation.state.steps, solves.newton_iterations, bulge);
  CHECK(bulge > 0.03);
  CHECK(solves.newton_iterations <= 16);  // 12 in 4 steps
}

TEST_CASE("loads stay on the surface they were given, through fracture, the same on any number of ranks",
          "[physics][loads][parallel]")
{
  for (const int refine : {0, 1}) {
    const std::string text = scene_of("E: 1.0e6, nu: 0.25, density: 1000, toughness: {force: 0.5}", R"(
boundary:
  - {name: grip, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}
loads:
  - {name: wind, where: {box: {min: [-1, -1, 0.0999], max: [1, 1, 1]}}, blast: {origin: [0.2, 0.05, 1], speed: 300,
     peak: 1e4, rise: 1e-4, decay: 0.02, falloff: {distance: 1, power: 2}}}
  - {name: pull, where: {box: {min: [0.1999, -1, -1], max: [0.3, 1, 1]}}, traction: [6e3, 0, -4e3]}
)",
                                      "", refine);
    const auto run = [&](const Comm& comm) {
      const auto simulation = simulate(comm, text);
      CHECK(loaded_area(*simulation) == Approx(length * side + side * side).epsilon(1e-13));
      run_until(*simulation, refine == 0 ? 0.02 : 0.007);
      CHECK(simulation->state.events > 10);
      CHECK(loaded_area(*simulation) == Approx(length * side + side * side).epsilon(1e-12));
      check_energy(*simulation, 0.02);
      return simulation::state_hash(simulation->model(), comm);
    };
    CHECK(run(Comm()) == run(Comm(MPI_COMM_SELF)));
  }
}

TEST_CASE("a load without a face is an error", "[physics][loads]")
{
  const auto error = [](const std::string& where) -> std::string {
    try {
      simulate(Comm(), scene_of(unbreakable, "loads: [{name: pull, where: {" + where + "}, pressure: 1}]"));
    } catch (const Error& problem) {
      return problem.what();
    }
    return "";
  };
  CHECK(error("sphere: {center: [0, 0, 0], radius: 1e-3}")
            .ends_with(": loads.pull.where: expected at least one face of the surface there, got none"));
  CHECK_THAT(error("set: lid"), Catch::Contains(": loads.pull.where.set: expected a node or face set of the mesh ("));
}
