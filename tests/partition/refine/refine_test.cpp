#include "partition/refine/refine.hpp"

#include "core/error.hpp"
#include "fracture/crack.hpp"
#include "fracture/invariants.hpp"
#include "partition/owners.hpp"
#include "partition/refine/bey.hpp"
#include "partition/refine/refined_sizes.hpp"
#include "simulation/diagnostics/totals.hpp"
#include "simulation/fragments/find_fragments.hpp"
#include "simulation/setup/selection.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace {

using namespace sunder;
using mesh::TetMesh;

test::TestProblem alone(const mesh::MeshData& mesh, std::uint8_t levels)
{
  return test::distributed(Comm(MPI_COMM_SELF), mesh, {test::chalk()}, test::by_method(partition::Method::hilbert),
                           levels);
}

double volume(const std::array<Vec3, 4>& X)
{
  return (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / 6;
}

/// Volume over the cube of the mean edge: 0 if flat; does not depend on size.
double quality(const std::array<Vec3, 4>& X)
{
  double squares = 0;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) squares += (X[a] - X[b]).squaredNorm();
  return volume(X) / std::pow(squares / 6, 1.5);
}

std::vector<double> qualities(const TetMesh& mesh)
{
  std::vector<double> q;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) q.push_back(quality(mesh.corners(e)));
  return q;
}

/// What state_hash() leaves out: nodes' sizes and marks.
std::uint64_t hash_of_nodes(const TetMesh& mesh, const Comm& comm)
{
  std::uint64_t sum = 0;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) sum += combine(combine(combine(0, mesh.node(n).id.low), mesh.node(n).size), mesh.node(n).marks);
  return comm.sum(sum);
}

GlobalIndex eight_to_the(int levels)
{
  return GlobalIndex{1} << 3 * levels;
}

}  // namespace

TEST_CASE("refinement keeps volume, conformity and the shape of the whole", "[partition][refine]")
{
  const mesh::MeshData box = test::box_mesh(3, 2, 2, 0.1, 0.25);
  const GlobalIndex boundary_faces = 2 * 2 * (3 * 2 + 3 * 2 + 2 * 2);
  for (std::uint8_t levels = 0; levels <= 3; ++levels) {
    CAPTURE(int{levels});
    const auto problem = alone(box, levels);
    const TetMesh& mesh = problem.model.mesh;
    const auto tets = static_cast<GlobalIndex>(box.tets.size()) * eight_to_the(levels);
    REQUIRE(mesh.num_slots() == tets);

    double total = 0;
    std::map<std::array<LocalIndex, 3>, int> faces;
    std::set<std::array<LocalIndex, 2>> edges;
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
      REQUIRE(volume(mesh.corners(e)) > 0);
      total += volume(mesh.corners(e));
      Tet t = mesh.tet(e);
      std::sort(t.begin(), t.end());
      for (std::size_t a = 0; a < 4; ++a) ++faces[{t[a == 0], t[a <= 1 ? 2 : 1], t[a <= 2 ? 3 : 2]}];
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = a + 1; b < 4; ++b) edges.insert({t[a], t[b]});
    }
    CHECK(total == Approx(3 * 2 * 2 * 1e-3).epsilon(1e-12));
    GlobalIndex once = 0;
    for (const auto& [face, count] : faces) {
      REQUIRE(count <= 2);
      once += count == 1;
    }
    CHECK(once == boundary_faces << 2 * levels);
    CHECK(mesh.num_nodes() - static_cast<GlobalIndex>(edges.size()) + static_cast<GlobalIndex>(faces.size()) - tets ==
          1);  // a ball
    CHECK(!fracture::find_violation(problem.model, *problem.halo));

    for (LocalIndex e = 1; e < mesh.num_slots(); ++e) REQUIRE(mesh.element_id(e - 1) < mesh.element_id(e));
    for (LocalIndex n = 1; n < mesh.num_nodes(); ++n) REQUIRE(mesh.node(n - 1).id < mesh.node(n).id);
  }
}

TEST_CASE("an element's descendants have at most three shapes, however often it is divided", "[partition][refine]")
{
  const mesh::MeshData box = test::box_mesh(2, 2, 2, 0.1, 0.4, 5);
  std::vector<std::vector<double>> of_level;
  for (std::uint8_t levels = 0; levels <= 4; ++levels) of_level.push_back(qualities(alone(box, levels).model.mesh));
  const std::size_t parts = of_level[4].size() / box.tets.size();
  for (std::size_t e = 0; e < box.tets.size(); ++e) {  // parts of an element follow one another
    std::vector<double> shapes;
    for (std::size_t c = 0; c < parts; ++c) {
      const double q = of_level[4][parts * e + c];
      const bool known =
          std::any_of(shapes.begin(), shapes.end(), [q](double s) { return s == Approx(q).epsilon(1e-9); });
      if (!known) shapes.push_back(q);
    }
    REQUIRE(shapes.size() <= 3);
    REQUIRE(*std::min_element(shapes.begin(), shapes.end()) > 0.6 * of_level[0][e]);
  }
  const auto worst = [&](std::size_t level) {
    return *std::min_element(of_level[level].begin(), of_level[level].end());
  };
  CAPTURE(worst(0), worst(1), worst(2), worst(3), worst(4));
  CHECK(worst(4) == Approx(worst(1)).epsilon(1e-9));
}

TEST_CASE("a cube's own tetrahedra are divided into smaller ones of the same shape", "[partition][refine]")
{
  const auto coarse = qualities(alone(test::box_mesh(1, 1, 1, 1), 0).model.mesh);
  for (const double q : qualities(alone(test::box_mesh(1, 1, 1, 1), 3).model.mesh))
    REQUIRE(q == Approx(coarse.front()).epsilon(1e-12));
}

TEST_CASE("the refined mesh is the same on any number of ranks and keeps the holder law",
          "[partition][refine][parallel]")
{
  const Comm world;
  const mesh::MeshData box = test::box_mesh(4, 3, 3, 0.1, 0.2);
  for (std::uint8_t levels = 1; levels <= 2; ++levels) {
    const auto serial = alone(box, levels);
    const Comm self(MPI_COMM_SELF);
    for (const test::Owners& owners : test::all_owners()) {
      const auto problem = test::distributed(world, box, {test::chalk()}, owners, levels);
      const TetMesh& mesh = problem.model.mesh;
      CHECK(simulation::state_hash(problem.model, world) == simulation::state_hash(serial.model, self));
      CHECK(hash_of_nodes(mesh, world) == hash_of_nodes(serial.model.mesh, self));
      CHECK(!first_of(world, fracture::find_violation(problem.model, *problem.halo)));

      // Everything around an owned node is here, in the order it has on one rank.
      for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
        if (!mesh.owned(n)) continue;
        const auto there = serial.model.mesh.find(mesh.node(n).id);
        REQUIRE(there);
        const auto star = mesh.star(n), whole = serial.model.mesh.star(*there);
        REQUIRE(std::equal(star.begin(), star.end(), whole.begin(), whole.end(), [&](LocalIndex a, LocalIndex b) {
          return mesh.element_id(a) == serial.model.mesh.element_id(b);
        }));
      }
      for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
        const Tet& t = mesh.tet(e);
        REQUIRE(std::any_of(t.begin(), t.end(), [&mesh](LocalIndex n) { return mesh.owned(n); }));
      }
    }
  }
}

TEST_CASE("refined parts stay as even as the partition was, their borders as smooth", "[partition][refine][parallel]")
{
  const Comm world;
  const mesh::MeshData box = test::box_mesh(6, 5, 5, 0.1, 0.2);
  double shared_before = 0;
  for (std::uint8_t levels = 0; levels <= 3; ++levels) {
    const auto problem =
        test::distributed(world, box, {test::chalk()}, test::by_method(partition::Method::metis), levels);
    const TetMesh& mesh = problem.model.mesh;
    const auto elements = static_cast<double>(box.tets.size()) * std::exp2(3 * levels);
    double work = 0;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
      if (mesh.owned(n)) work += static_cast<double>(mesh.star(n).size());
    const double uneven = world.max(work) / (4 * elements / world.size());
    const double shared = world.sum(static_cast<double>(mesh.num_slots())) / elements - 1;  // held more than once
    CAPTURE(int{levels}, uneven, shared, shared_before);
    CHECK(uneven < 1.1);
    CHECK(shared <= (levels == 0 ? 1.0 : 0.75 * shared_before));
    shared_before = shared;
  }
}

TEST_CASE("bodies refined by different levels each have the elements of their level", "[partition][refine][parallel]")
{
  const Comm world;
  const auto two_bodies = [](const Comm& comm, const test::Owners& owners) {
    partition::WholeMesh whole;
    if (comm.rank() == 0) {
      whole.data = test::box_mesh(3, 2, 2, 0.1);
      whole.element_levels.assign(whole.data.tets.size(), 0);
      const mesh::MeshData second = test::box_mesh(2, 2, 2, 0.1);
      const auto first_node = static_cast<GlobalIndex>(whole.data.nodes.size());
      for (const Vec3& X : second.nodes) whole.data.nodes.push_back(X + Vec3(0.05, 0.05, 0.15));
      for (auto tet : second.tets) {
        for (GlobalIndex& n : tet) n += first_node;
        whole.data.tets.push_back(tet), whole.element_levels.push_back(2);
      }
      whole.data.node_labels.resize(whole.data.nodes.size()), whole.data.element_labels.resize(whole.data.tets.size());
    }
    auto problem = test::distributed(comm, std::move(whole), {test::chalk()}, owners);
    CHECK(!first_of(comm, fracture::find_violation(problem.model, *problem.halo)));
    CHECK(simulation::totals(problem.model, comm).elements == 6 * 12 + 6 * 8 * 64);
    CHECK(simulation::find_fragments(problem.model, *problem.halo).count == 2);
    return combine(simulation::state_hash(problem.model, comm), hash_of_nodes(problem.model.mesh, comm));
  };
  const auto serial = two_bodies(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert));
  for (const test::Owners& owners : test::all_owners()) CHECK(two_bodies(world, owners) == serial);
}

TEST_CASE("an element weighs in the decomposition what its descendants will", "[partition][refine]")
{
  const mesh::MeshData box = test::box_mesh(8, 4, 4, 0.1);
  std::vector<std::uint8_t> levels;
  for (const auto& tet : box.tets)  // the left half will have 64 times as many
    levels.push_back(box.nodes[static_cast<std::size_t>(tet[0])].x() < 0.4 - 1e-9 ? 2 : 0);
  for (const auto method : {partition::Method::metis, partition::Method::hilbert}) {
    const auto owners = partition::decompose(box, 4, method, 1, levels);
    std::array<double, 4> work{};
    double total = 0;
    for (std::size_t e = 0; e < box.tets.size(); ++e)
      for (const GlobalIndex n : box.tets[e]) {
        const double parts = levels[e] ? 64 : 1;
        work[static_cast<std::size_t>(owners[static_cast<std::size_t>(n)])] += parts, total += parts;
      }
    for (const double w : work) CHECK(w == Approx(total / 4).epsilon(method == partition::Method::metis ? 0.05 : 0.25));
  }
}

TEST_CASE("old nodes' sizes halve and velocities are linear along edges", "[partition][refine]")
{
  partition::WholeMesh whole;
  whole.data = test::box_mesh(2, 2, 2, 0.1, 0.2);
  whole.element_levels.assign(whole.data.tets.size(), 2);
  const auto motion = [](const Vec3& X) { return Vec3(Vec3(1, 2, 3) + Vec3(4, -5, 6).cross(X)); };
  for (const Vec3& X : whole.data.nodes) whole.node_velocities.push_back(motion(X));
  const auto coarse = alone(whole.data, 0);
  const auto fine = test::distributed(Comm(MPI_COMM_SELF), whole, {test::chalk()}, test::scattered(1));
  const TetMesh& mesh = fine.model.mesh;
  std::map<std::array<double, 3>, double> size_at;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const Vec3& X = mesh.node(n).X;
    REQUIRE((fine.model.v[static_cast<std::size_t>(n)].xyz() - motion(X)).norm() < 1e-14);
    REQUIRE(mesh.node(n).size > 0.02);
    REQUIRE(mesh.node(n).size < 0.05);
    size_at[{X.x(), X.y(), X.z()}] = mesh.node(n).size;
  }
  for (LocalIndex n = 0; n < coarse.model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = coarse.model.mesh.node(n);
    REQUIRE(size_at.at({node.X.x(), node.X.y(), node.X.z()}) == Approx(node.size / 4).epsilon(1e-12));
  }
}

TEST_CASE("mesh sizes of a refined mesh are mean lengths of its own edges", "[partition][refine][parallel]")
{
  const Comm world;
  partition::WholeMesh whole;
  if (world.rank() == 0) {
    whole.data = test::box_mesh(2, 2, 3, 0.1, 0.2);
    whole.element_levels.assign(whole.data.tets.size(), 2);
  }
  const auto fine = test::distributed(world, whole, {test::chalk()}, test::scattered(world.size()));
  const TetMesh& mesh = fine.model.mesh;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    double length = 0, edges = 0;
    for (const LocalIndex e : mesh.star(n))
      for (const LocalIndex other : mesh.tet(e))
        if (other != n) length += (mesh.node(other).X - mesh.node(n).X).norm(), ++edges;
    REQUIRE(mesh.node(n).size ==
            length / edges);  // to the bit: element::toughness_across() has the square of their ratio
  }
  // Other holders have the owner's.
  std::vector<double> sizes(static_cast<std::size_t>(mesh.num_nodes()));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) sizes[static_cast<std::size_t>(n)] = mesh.node(n).size;
  partition::Halo(world, mesh).owners_to_ghosts(std::span(sizes));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) REQUIRE(sizes[static_cast<std::size_t>(n)] == mesh.node(n).size);
}

TEST_CASE("mesh sizes inside edges, faces and elements are known without refining", "[partition][refine]")
{
  const mesh::MeshData box = test::box_mesh(2, 2, 2, 0.1, 0.25);
  const partition::RefinedSizes expected(box, std::vector<bool>(box.tets.size(), true));
  for (const std::uint8_t level : {2, 3}) {
    const auto fine = alone(box, level);
    const TetMesh& mesh = fine.model.mesh;
    const auto rounded = [](const Vec3& X) {
      return std::array{std::lround(1e9 * X.x()), std::lround(1e9 * X.y()), std::lround(1e9 * X.z())};
    };
    std::map<std::array<long, 3>, double> size_at;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) size_at[rounded(mesh.node(n).X)] = mesh.node(n).size;
    const double unit = std::exp2(-level);
    for (const auto& tet : box.tets) {
      std::array<Vec3, 4> corners, X;
      for (std::size_t a = 0; a < 4; ++a) corners[a] = box.nodes[static_cast<std::size_t>(tet[a])];
      const auto order = partition::best_order(corners);
      for (std::size_t a = 0; a < 4; ++a) X[a] = corners[order[a]];
      const Vec3 along = X[0] + unit * (X[1] - X[0]), across = along + unit * (X[2] - X[0]);
      const Vec3 within = across + unit * (X[3] - X[0]);
      REQUIRE(size_at.at(rounded(along)) == Approx(unit * expected.in_edge(tet[order[0]], tet[order[1]])));
      REQUIRE(size_at.at(rounded(across)) ==
              Approx(unit * expected.in_face(tet[order[2]], tet[order[1]], tet[order[0]])));
      REQUIRE(size_at.at(rounded(within)) == Approx(unit * partition::RefinedSizes::in_element(X)));
    }
  }
}

TEST_CASE("a face set's new nodes are those on its faces, not on chords between them", "[partition][refine][parallel]")
{
  // Two sides of a box that share an edge. The diagonal of the cells there joins nodes of both through the inside.
  const int n = 3;
  const double h = 0.125;
  const auto on_sides = [=](const Vec3& X) { return X.x() == 0 || X.y() == n * h; };
  partition::WholeMesh whole;
  whole.data = test::box_mesh(n, n, n, h);
  whole.element_levels.assign(whole.data.tets.size(), 2);
  constexpr std::uint64_t sides = 1, everywhere = 2;
  whole.surface_marks = sides;
  bool chord = false;
  for (const Vec3& X : whole.data.nodes) whole.node_marks.push_back(everywhere | (on_sides(X) ? sides : 0));
  for (const auto& tet : whole.data.tets)
    for (std::size_t a = 0; a < 4; ++a) {
      const std::array<GlobalIndex, 3> face{tet[(a + 1) % 4], tet[(a + 2) % 4], tet[(a + 3) % 4]};
      const auto X = [&](GlobalIndex q) -> const Vec3& { return whole.data.nodes[static_cast<std::size_t>(q)]; };
      const auto all = [&](auto on) {
        return std::all_of(face.begin(), face.end(), [&](GlobalIndex q) { return on(X(q)); });
      };
      if (all([](const Vec3& x) { return x.x() == 0; }) || all([=](const Vec3& x) { return x.y() == n * h; }))
        whole.marked_faces.push_back({face, sides});
      chord = chord || (on_sides(X(tet[a])) && on_sides(X(face[0])) && !on_sides(0.5 * (X(tet[a]) + X(face[0]))));
    }
  REQUIRE(chord);

  const Comm world;
  for (const test::Owners& owners : test::all_owners()) {
    auto problem = test::distributed(world, whole, {test::chalk()}, owners);
    TetMesh& mesh = problem.model.mesh;
    for (LocalIndex q = 0; q < mesh.num_nodes(); ++q)
      if (mesh.owned(q)) REQUIRE(mesh.node(q).marks == (everywhere | (on_sides(mesh.node(q).X) ? sides : 0)));

    // With a place as well, it is asked of the new nodes: a slab thinner than an element of the input has some.
    const config::Selection::Box slab{Vec3(-1, -1, 0.2 * h), Vec3(1, 1, 0.3 * h)};
    config::Scene scene;
    scene.boundary.resize(2);
    scene.boundary[0].name = "sides", scene.boundary[0].where.box = slab;
    scene.boundary[1].name = "slab", scene.boundary[1].where.box = slab;
    simulation::select_by_place(simulation::selections(scene), *problem.halo, mesh);
    for (LocalIndex q = 0; q < mesh.num_nodes(); ++q) {
      const Vec3& X = mesh.node(q).X;
      REQUIRE(mesh.node(q).marks == (X.z() != 0.25 * h ? 0 : everywhere | (on_sides(X) ? sides : 0)));
    }
    scene.boundary[1].where.box->max.z() = 0.24 * h,
    scene.boundary[1].where.key = "scene.yaml:7:3: boundary.slab.where";
    CHECK_THROWS_WITH(simulation::select_by_place(simulation::selections(scene), *problem.halo, mesh),
                      "scene.yaml:7:3: boundary.slab.where: expected at least one node there, got none");
  }
}

TEST_CASE("too many elements for one rank are refused before the mesh grows", "[partition][refine]")
{
  const Comm world;
  CHECK_THROWS_WITH(test::distributed(world, test::box_mesh(4, 4, 4, 0.1), {test::chalk()},
                                      test::by_method(partition::Method::metis), 10),
                    Catch::StartsWith("mesh.refine: expected fewer than 2^31 elements on each rank, got "));
}

TEST_CASE("cracks in a refined mesh do not depend on the number of ranks", "[partition][refine][parallel]")
{
  const auto broken = [](const Comm& comm, const test::Owners& owners) {
    auto problem = test::distributed(comm, test::box_mesh(2, 2, 2, 0.2, 0.2), {test::chalk()}, owners, 1);
    element::Model& model = problem.model;
    std::vector<LocalIndex> owned;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      const mesh::Node& node = model.mesh.node(n);
      model.p[static_cast<std::size_t>(n)].set_xyz(node.X + 0.004 * test::random_vector(7, node.id.low));
      if (model.mesh.owned(n)) owned.push_back(n);
    }
    fracture::FractureOptions options;
    options.residual = 0.5;
    const auto result = fracture::crack(model, *problem.halo, owned, options);
    CHECK(comm.sum(result.events) > 50);
    CHECK(!first_of(comm, fracture::find_violation(model, *problem.halo)));
    return simulation::state_hash(model, comm);
  };
  const auto serial = broken(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert));
  for (const test::Owners& owners : test::all_owners()) CHECK(broken(Comm(), owners) == serial);
}
