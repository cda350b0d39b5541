#include "fracture/crack.hpp"

#include "contact/broad_phase/contact_surface.hpp"
#include "element/internal_forces.hpp"
#include "fracture/failing_nodes.hpp"
#include "fracture/invariants.hpp"
#include "simulation/diagnostics/totals.hpp"
#include "simulation/fragments/find_fragments.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace {

using namespace sunder;

/// What a run of random failures starts from; everything follows from the seed.
struct Setting {
  std::array<int, 3> cells{};
  Mat3 stretch = Mat3::Identity();  ///< Makes the mesh anisotropic.
  fracture::FractureOptions options;
};

/// Every option takes each of its values with several of the others.
Setting setting(std::uint64_t seed)
{
  Setting s;
  s.cells = {3 + static_cast<int>(seed % 3), 4, 3 + static_cast<int>(seed / 2 % 2)};
  if (seed % 3 != 0) {
    s.stretch.diagonal() << 1, 0.5 + 0.1 * static_cast<double>(seed % 4), 1.5;
    s.stretch(0, 1) = 0.2 * test::random_number(seed, 0), s.stretch(1, 2) = 0.2 * test::random_number(seed, 1);
  }
  constexpr std::array snaps{std::pair{0.1, 0.0}, std::pair{0.02, 0.0}, std::pair{0.0, 0.004}, std::pair{0.03, 0.01}};
  std::tie(s.options.snap_relative, s.options.snap_distance) = snaps[seed % 4];
  s.options.snap_angle = seed % 5 == 0 ? 0.2 : 0.078;
  s.options.residual = 0.5 * static_cast<double>(seed % 3);
  s.options.back_crack_angle = seed / 4 % 2 == 0 ? 0.3 : 0;
  s.options.least_height = 0.05 * static_cast<double>(seed / 3 % 3);
  s.options.remesh = seed % 8 != 0;
  return s;
}

mesh::MeshData random_mesh(const Setting& s, std::uint64_t seed)
{
  mesh::MeshData mesh = test::box_mesh(s.cells[0], s.cells[1], s.cells[2], 0.1, 0.25, seed);
  for (Vec3& x : mesh.nodes) x = s.stretch * x;
  return mesh;
}

/// Two solids of different density, with room for plastic strain.
std::vector<material::Material> two_solids()
{
  material::Material light = test::chalk(), heavy = test::chalk(60);
  light.k1 = 1;
  heavy.density = 2500, heavy.mu = 4e6;
  return {light, heavy};
}

/// Positions, velocities and plastic strains that depend on ids alone: the same failures on any partition.
void shake(element::Model& model, double size, std::uint64_t seed)
{
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = model.mesh.node(n);
    const auto i = static_cast<std::size_t>(n);
    model.p[i].set_xyz(node.X + size * test::random_vector(seed, node.id.low));
    model.v[i].set_xyz(test::random_vector(seed + 1, node.id.low));
  }
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.alive(e)) continue;
    const Vec3 a = 0.01 * test::random_vector(seed + 2, model.mesh.element_id(e).low);
    model.blocks.set_plastic_strain(e, {a[0], a[1], -a[0] - a[1], a[2], a[1] / 2, a[0] / 2});
  }
}

std::vector<LocalIndex> owned_nodes(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> nodes;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) nodes.push_back(n);
  return nodes;
}

constexpr double now = 0.25;  // [s]

std::vector<LocalIndex> all_slots(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(all.begin(), all.end(), LocalIndex{0});
  return all;
}

/// What says that two runs are the same.
struct Outcome {
  std::uint64_t hash = 0;
  double kinetic_loss = 0;  // as a share of what there was
  std::int64_t events = 0, fragments = 0;
  GlobalIndex elements = 0;
};

Vec3 sum(const Comm& comm, const Vec3& share)
{
  return {comm.sum(share.x()), comm.sum(share.y()), comm.sum(share.z())};
}

/// What an event must keep, or change by a known amount.
struct Totals {
  double volume = 0, mass = 0, elastic = 0, kinetic = 0;
  Vec3 material_centre = Vec3::Zero(), world_centre = Vec3::Zero();
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
};

Totals take_totals(const element::Model& model, const Comm& comm)
{
  Totals t;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.primary(e)) t.volume += model.blocks.volume(e);
  for (const LocalIndex n : owned_nodes(model.mesh)) {
    const auto i = static_cast<std::size_t>(n);
    t.kinetic += model.mass[i] * model.v[i].xyz().squaredNorm() / 2;
    t.material_centre += model.mass[i] * model.mesh.node(n).X;
    t.world_centre += model.mass[i] * model.p[i].xyz();
  }
  t.volume = comm.sum(t.volume), t.kinetic = comm.sum(t.kinetic);
  t.elastic = comm.sum(element::elastic_energy(model.blocks, model.materials, model.p));
  const auto inventory = simulation::totals(model, comm);
  t.mass = inventory.mass, t.momentum = inventory.momentum, t.angular_momentum = inventory.angular_momentum;
  t.material_centre = sum(comm, t.material_centre) / t.mass, t.world_centre = sum(comm, t.world_centre) / t.mass;
  return t;
}

/// The bodies are about 1 m in size and move at about 1 m/s: so much for the scales of round-off.
void require_kept(const Totals& before, const Totals& after, double kinetic_loss, const Vec3& angular_momentum_loss)
{
  REQUIRE(after.volume == Approx(before.volume).epsilon(1e-12));
  REQUIRE(after.mass == Approx(before.mass).epsilon(1e-12));
  REQUIRE((after.material_centre - before.material_centre).norm() <= 1e-12);
  REQUIRE((after.world_centre - before.world_centre).norm() <= 1e-12);
  REQUIRE((after.momentum - before.momentum).norm() <= 1e-12 * before.mass);
  REQUIRE(after.elastic == Approx(before.elastic).epsilon(1e-11));
  REQUIRE(before.kinetic - after.kinetic == Approx(kinetic_loss).epsilon(0).margin(1e-12 * before.kinetic));
  REQUIRE((before.angular_momentum - after.angular_momentum - angular_momentum_loss).norm() <= 1e-12 * before.mass);
}

/// Marks the free faces of the whole body with bit 0, on every holder.
void mark_skin(element::Model& model, const partition::Halo& halo)
{
  contact::ContactSurface surface;
  surface.update(model.mesh, halo, all_slots(model.mesh));
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    mesh::FaceMarks marks{};
    for (std::size_t a = 0; a < 4; ++a) marks[a] = surface.free_faces(e) >> a & 1u;
    model.mesh.set_face_marks(e, marks);
  }
}

/// Every free face was one from the beginning, or fracture has made it; every holder of an element knows.
void require_crack_faces_known(const element::Model& model, const partition::Halo& halo)
{
  contact::ContactSurface surface;
  surface.update(model.mesh, halo, all_slots(model.mesh));
  std::int64_t made = 0;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.alive(e)) continue;
    const mesh::ElementFaces faces = model.mesh.faces(e);
    for (std::size_t a = 0; a < 4; ++a) {
      const bool skin = (faces.marks[a] & 1u) != 0, crack = faces.cracks.contain(a);
      REQUIRE((surface.free_faces(e) >> a & 1u) == (skin || crack));
      REQUIRE_FALSE((skin && crack));
      REQUIRE((!crack || faces.cracks.birth[a] == now));
      made += crack;
    }
  }
  REQUIRE(halo.comm().sum(made) > 0);
}

/// Waves of random failures; the laws of an event are checked after each.
Outcome random_failures(const Comm& comm, std::uint64_t seed, const test::Owners& owners)
{
  const Setting s = setting(seed);
  auto problem = test::distributed(comm, random_mesh(s, seed), two_solids(), owners);
  element::Model& model = problem.model;
  mark_skin(model, *problem.halo);
  Outcome outcome;
  for (std::uint64_t wave = 0; wave < 2; ++wave) {
    CAPTURE(wave);
    shake(model, 0.004, seed + 10 * wave);
    const Totals before = take_totals(model, comm);

    const auto result = fracture::crack(model, *problem.halo, owned_nodes(model.mesh), s.options, now);
    outcome.events += comm.sum(result.events);
    require_crack_faces_known(model, *problem.halo);

    const auto violation = first_of(comm, fracture::find_violation(model, *problem.halo));
    INFO((violation ? *violation : std::string()));
    REQUIRE(!violation);
    const double kinetic_loss = comm.sum(result.kinetic_loss);
    require_kept(before, take_totals(model, comm), kinetic_loss, sum(comm, result.angular_momentum_loss));
    outcome.kinetic_loss += kinetic_loss / before.kinetic;
  }
  REQUIRE((outcome.kinetic_loss > 1e-3) == s.options.remesh);  // far above what round-off is allowed
  outcome.hash = simulation::state_hash(model, comm);
  outcome.fragments = simulation::find_fragments(model, *problem.halo).count;
  outcome.elements = simulation::totals(model, comm).elements;
  return outcome;
}

/// What is pushed to a node of it is all the separation the node has.
auto unstressed_cube()
{
  return test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(2, 2, 2, 0.1, 0, 1), {test::chalk(50)},
                           test::by_method(partition::Method::hilbert));
}

void require_same(const Outcome& a, const Outcome& b)
{
  REQUIRE(a.events == b.events);
  REQUIRE(a.elements == b.elements);
  REQUIRE(a.fragments == b.fragments);
  REQUIRE(a.hash == b.hash);
  REQUIRE(a.kinetic_loss == Approx(b.kinetic_loss).epsilon(1e-12));
}

}  // namespace

TEST_CASE("random failures keep every invariant and do not depend on the number of ranks", "[fracture][parallel]")
{
#ifdef NDEBUG
  constexpr std::uint64_t every = 1;
  constexpr std::int64_t enough = 3000;
#else
  constexpr std::uint64_t every = 7;  // the mesh is checked after each round, too: a hundred times slower
  constexpr std::int64_t enough = 300;
#endif
  const Comm world, alone(MPI_COMM_SELF);
  std::int64_t events = 0;
  for (std::uint64_t seed = 1; seed <= 18; seed += every) {
    CAPTURE(seed);
    const Outcome serial = random_failures(alone, seed, test::by_method(partition::Method::hilbert));
    events += serial.events;
    const auto in_parts = test::by_method(seed % 2 ? partition::Method::metis : partition::Method::hilbert);
    require_same(serial, random_failures(world, seed, in_parts));
    require_same(serial, random_failures(world, seed, test::scattered(seed)));
  }
  CAPTURE(events);
  CHECK(events > enough);
}

TEST_CASE("a crack crosses every partition in one step", "[fracture][parallel]")
{
  // A strip pulled apart around its middle, the ranks side by side along the way the crack must run.
  const int cells = 3 * Comm().size();
  const auto pulled_apart = [cells](const Comm& comm) {
    const auto side_by_side = [cells](const mesh::MeshData& mesh, Rank ranks) {
      std::vector<Rank> owners;
      for (const Vec3& x : mesh.nodes)
        owners.push_back(std::min(ranks - 1, static_cast<Rank>(x.x() / (0.1 * cells) * ranks)));
      return owners;
    };
    auto problem = test::distributed(comm, test::box_mesh(cells, 1, 4, 0.1, 0, 3), {test::chalk(400)}, side_by_side);
    element::Model& model = problem.model;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      Row4& p = model.p[static_cast<std::size_t>(n)];
      const double above = p.z - 0.19;
      p.z += 0.003 * std::tanh(above / 0.05) + 1e-6 * test::random_number(5, model.mesh.node(n).id.low);
    }
    fracture::FractureOptions options;
    options.residual = 1;
    options.max_rounds = 1000;
    const auto result = fracture::crack(model, *problem.halo, owned_nodes(model.mesh), options);
    REQUIRE(!first_of(comm, fracture::find_violation(model, *problem.halo)));
    REQUIRE(!result.unfinished);
    CHECK(comm.min(static_cast<double>(result.events)) >= 1);  // the crack has been on every rank
    CHECK(simulation::find_fragments(model, *problem.halo).count >= 2);
    return simulation::state_hash(model, comm);
  };
  CHECK(pulled_apart(Comm()) == pulled_apart(Comm(MPI_COMM_SELF)));
}

TEST_CASE("elements without volume are told of by the smallest id, on any number of ranks", "[fracture][parallel]")
{
  // Pulled in one direction without contraction: cuts are along the layers but for round-off, and nothing keeps them
  // from the ends of edges. So long that nodes fail at once far from each other.
  const int cells = 8 * Comm().size();
  const auto cut = [cells](const Comm& comm) -> std::string {
    material::Material fibres = test::chalk(100);
    fibres.lambda = fibres.phi = fibres.psi = 0;
    auto problem = test::distributed(comm, test::box_mesh(cells, 2, 4, 0.1, 0, 3), {fibres},
                                     test::by_method(partition::Method::hilbert));
    element::Model& model = problem.model;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      Row4& p = model.p[static_cast<std::size_t>(n)];
      p.z += 0.01 * p.z + 3e-16 * test::random_number(5, model.mesh.node(n).id.low);
    }
    fracture::FractureOptions options;
    options.snap_distance = options.snap_relative = options.snap_angle = 0;
    options.least_height = options.back_crack_angle = 0;
    try {
      fracture::crack(model, *problem.halo, owned_nodes(model.mesh), options);
    } catch (const Error& error) {
      CHECK(error.status() == ExitStatus::simulation_failed);
      const auto ranks = comm.sum(std::int64_t{model.problem.has_value()});
      CHECK((comm.size() < 3 || ranks > 1));
      return error.what();
    }
    return "no error";
  };
  const std::string alone = cut(Comm(MPI_COMM_SELF)), together = cut(Comm());
  CHECK_THAT(alone, Catch::Contains("element ") && Catch::Contains(": material volume "));
  CHECK(together == alone);
}

TEST_CASE("a residual is spent by the event it causes (T 4.7)", "[fracture]")
{
  auto problem = unstressed_cube();
  element::Model& model = problem.model;
  const std::vector<LocalIndex> all = owned_nodes(model.mesh);
  fracture::FailingNodes failing(element::SeparationCriterion::tensile);
  failing.push(all[0], Vec3::UnitZ(), 30);
  failing.evaluate(model, all);
  CHECK(failing.nodes().empty());
  failing.push(all[0], Vec3::UnitZ(), 30);  // pushes of two events add up
  failing.evaluate(model, all);
  REQUIRE(failing.nodes().size() == 1);
  const fracture::FailingNode acting = failing.act(all[0]);
  CHECK(acting.separation.value == Approx(60));
  CHECK(acting.toughness == 50);
  failing.evaluate(model, all);  // as after re-meshing: separation anew, from forces alone
  CHECK(failing.nodes().empty());
  failing.push(all[0], Vec3::UnitZ(), 60);  // from a later event
  failing.evaluate(model, all);
  CHECK(failing.nodes().size() == 1);
}

TEST_CASE("beside a crack the pull across it is gone, other pulls are not", "[fracture]")
{
  // A node pushed two ways, and one crack that passes it.
  auto problem = unstressed_cube();
  element::Model& model = problem.model;
  const std::vector<LocalIndex> all = owned_nodes(model.mesh);
  fracture::FailingNodes failing(element::SeparationCriterion::tensile);
  failing.push(all[0], Vec3::UnitZ(), 80);
  failing.push(all[0], Vec3::UnitX(), 60);
  const auto separation = [&] {
    failing.evaluate(model, all);
    REQUIRE(failing.nodes().size() == 1);
    return failing.nodes().at(all[0]).separation;
  };
  CHECK(separation().value == Approx(80));
  failing.relieve(all[0], Vec3::UnitZ(), 0.25);
  CHECK(separation().value == Approx(60));
  failing.relieve(all[0], Vec3::UnitZ(), 1);
  CHECK(separation().value == Approx(60));
  CHECK(std::abs(separation().direction.x()) == Approx(1));
  failing.push(all[0], Vec3::UnitZ(), 70);  // the tip of a later crack arrives: the relief was of before
  CHECK(separation().value == Approx(70));
  failing.relieve(all[0], Vec3::UnitZ(), 1);
  failing.relieve(all[0], Vec3::UnitX(), 1);
  failing.evaluate(model, all);
  CHECK(failing.nodes().empty());
}

TEST_CASE("a crack that passes on its residual relieves both its sides", "[fracture]")
{
  // All of a thick plate is stretched beyond its toughness at once. Without relief every node of it may fail.
  const auto events = [](double alpha, bool relief) {
    auto problem = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(6, 2, 6, 0.1, 0.1, 5), {test::chalk(40)},
                                     test::by_method(partition::Method::hilbert));
    element::Model& model = problem.model;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) model.p[static_cast<std::size_t>(n)].z *= 1.005;
    fracture::FractureOptions options;
    options.residual = alpha;
    options.relief = relief;
    options.max_rounds = 1000;
    const auto result = fracture::crack(model, *problem.halo, owned_nodes(model.mesh), options);
    REQUIRE_FALSE(fracture::find_violation(model, *problem.halo));
    return result.events;
  };
  const auto plain = events(0, true);
  CHECK(plain == events(0, false));  // nothing is passed on, so nothing taken
  CHECK(events(1, false) > plain);   // a push alone makes more fail
  CHECK(events(0.5, true) < plain);
  CHECK(events(1, true) < events(0.5, true));
}
