#include "fracture/plane_cut.hpp"

#include "fracture/invariants.hpp"
#include "support/all_gather.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <tuple>

using namespace sunder;

namespace {

constexpr double h = 0.1;

test::TestProblem turning_box(const Comm& comm, const test::Owners& owners)
{
  test::TestProblem problem = test::distributed(comm, test::box_mesh(6, 4, 4, h, 0.2, 3), {test::chalk()}, owners);
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n) {
    const Vec3& X = problem.model.mesh.node(n).X;
    problem.model.v[static_cast<std::size_t>(n)].set_xyz(Vec3(1, 2, 3) + Vec3(0.3, -4, 1).cross(X));
  }
  return problem;
}

fracture::BallPlane oblique(double radius)
{
  return {Vec3(0.29, 0.21, 0.19), Vec3(0.9, 0.3, -0.2).normalized(), radius};
}

/// Sums over the whole mesh. @param n owned
struct Totals {
  double mass = 0, volume = 0;
  Vec3 moment = Vec3::Zero(), momentum = Vec3::Zero();
};

Totals totals(const Comm& comm, const element::Model& model)
{
  Totals t;
  const mesh::TetMesh& mesh = model.mesh;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    const double m = model.mass[static_cast<std::size_t>(n)];
    t.mass += m, t.moment += m * mesh.node(n).X, t.momentum += m * model.v[static_cast<std::size_t>(n)].xyz();
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.primary(e)) t.volume += model.blocks.volume(e);
  t.mass = comm.sum(t.mass), t.volume = comm.sum(t.volume);
  for (Vec3* v : {&t.moment, &t.momentum})
    for (double& x : *v) x = comm.sum(x);
  return t;
}

/// An element by ids, and its corners' places.
struct Row {
  ElementId id;
  std::array<NodeId, 4> nodes{};
  std::array<double, 12> X{};
  auto operator<=>(const Row&) const = default;
};

/// Collective. All elements, ascending by id.
std::vector<Row> rows(const Comm& comm, const mesh::TetMesh& mesh)
{
  std::vector<Row> mine;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    Row& row = mine.emplace_back(Row{.id = mesh.element_id(e)});
    for (std::size_t a = 0; a < 4; ++a) {
      row.nodes[a] = mesh.node(mesh.tet(e)[a]).id;
      Vec3::Map(&row.X[3 * a]) = mesh.corners(e)[a];
    }
  }
  std::vector<Row> all = test::all_gather(comm, mine);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Row> cut(const Comm& comm, test::TestProblem& problem, const fracture::BallPlane& plane)
{
  const auto crossings = fracture::find_crossings(problem.model, *problem.halo, plane, {}, 0.3);
  mesh::CreationKey key{1, 0, 0};
  fracture::cut_edges(problem.model, *problem.halo, crossings.bisections, key);
  problem.model.rounds = 1;
  return rows(comm, problem.model.mesh);
}

double height(const std::array<Vec3, 4>& X)
{
  double largest = 0;
  for (const auto& face : mesh::face_corners)
    largest = std::max(largest, (X[face[1]] - X[face[0]]).cross(X[face[2]] - X[face[0]]).norm());
  return (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / largest;
}

}  // namespace

TEST_CASE("elements are cut by a plane into the same ones on any number of ranks", "[fracture][plane_cut][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  auto whole = turning_box(alone, test::scattered(1));
  const std::size_t before = rows(alone, whole.model.mesh).size();
  cut(alone, whole, oblique(0.25));
  const auto expected = cut(alone, whole, {Vec3(0.3, 0.2, 0.2), Vec3(0.1, 1, 0.2).normalized(), 0.3});
  CHECK(expected.size() > before + 100);
  for (const std::uint64_t seed : {1u, 2u}) {
    auto problem = turning_box(world, test::scattered(seed));
    cut(world, problem, oblique(0.25));
    CHECK(cut(world, problem, {Vec3(0.3, 0.2, 0.2), Vec3(0.1, 1, 0.2).normalized(), 0.3}) == expected);
    const auto violation = first_of(world, fracture::find_violation(problem.model, *problem.halo));
    INFO((violation ? *violation : std::string()));
    CHECK(!violation);
  }
}

TEST_CASE("a cut by a plane keeps volume, mass, centre of mass and momentum", "[fracture][plane_cut][parallel]")
{
  const Comm world;
  auto problem = turning_box(world, test::scattered(1));
  const Totals before = totals(world, problem.model);
  cut(world, problem, oblique(1));
  const Totals after = totals(world, problem.model);
  CHECK(after.volume == Approx(before.volume).epsilon(1e-13));
  CHECK(after.mass == Approx(before.mass).epsilon(1e-13));
  CHECK((after.moment - before.moment).norm() < 1e-13 * before.moment.norm());
  CHECK((after.momentum - before.momentum).norm() < 1e-13 * before.momentum.norm());
}

TEST_CASE("after a cut by a plane, what it reaches is on one side of it", "[fracture][plane_cut][parallel]")
{
  const Comm world;
  auto problem = turning_box(world, test::scattered(1));
  const mesh::TetMesh& mesh = problem.model.mesh;
  const fracture::BallPlane plane = oblique(0.25);
  const fracture::FractureOptions options;
  std::vector<std::int64_t> reached;  // elements, by id
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) reached.push_back(plane.reaches(mesh, e));
  const auto crossings = fracture::find_crossings(problem.model, *problem.halo, plane, options, 0.3);
  CHECK(world.sum(std::ssize(crossings.bisections)) > 20);
  for (const fracture::Bisection& c : crossings.bisections) {
    const mesh::Node &a = mesh.node(*mesh.find(c.a)), &b = mesh.node(*mesh.find(c.b));
    const double length = (b.X - a.X).norm();
    CHECK(std::min(c.t, 1 - c.t) * length >= options.snap_relative * std::min(a.size, b.size));
    CHECK(length >= 0.3 * std::min(a.size, b.size));
    CHECK(std::abs(plane.distance(a.X + c.t * (b.X - a.X))) < 1e-15);
    CHECK((a.X - plane.origin).norm() < plane.radius + 2 * h);
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e) || !reached[static_cast<std::size_t>(e)]) continue;
    for (const LocalIndex n : mesh.tet(e)) {  // off the plane but by snapping, which takes the nearer end of an edge
      const int side = crossings.sides[static_cast<std::size_t>(n)];
      CHECK((side == 0 || side * plane.distance(mesh.node(n).X) > 0));
    }
  }
  const LocalIndex nodes = mesh.num_nodes(), slots = mesh.num_slots();
  mesh::CreationKey key{1, 0, 0};
  const auto delta = fracture::cut_edges(problem.model, *problem.halo, crossings.bisections, key);
  CHECK(key.bisection == crossings.bisections.size());
  std::map<ElementId, LocalIndex> ancestors;
  for (const auto& [made, parent] : delta.lineage)
    for (LocalIndex e = 0; e < slots; ++e)
      if (mesh.element_id(e) == parent) ancestors[made] = e;
  for (const LocalIndex e : delta.elements) {
    if (!mesh.alive(e)) continue;
    CHECK(height(mesh.corners(e)) >= options.least_height * h * 0.5);
    bool above = false, below = false;
    for (const LocalIndex n : mesh.tet(e)) {
      const int side = n < nodes ? crossings.sides[static_cast<std::size_t>(n)] : 0;
      above |= side > 0, below |= side < 0;
    }
    CHECK_FALSE((above && below));
  }
}

TEST_CASE("edges that are too short for a cut are left alone", "[fracture][plane_cut][parallel]")
{
  const Comm world;
  auto problem = turning_box(world, test::scattered(1));
  const auto crossings = fracture::find_crossings(problem.model, *problem.halo, oblique(0.25), {}, 3);
  CHECK(crossings.bisections.empty());
  CHECK(world.max(std::int64_t{std::count(crossings.sides.begin(), crossings.sides.end(), 1)}) > 0);
}
