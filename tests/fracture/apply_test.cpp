#include "fracture/apply.hpp"

#include "element/make_model.hpp"
#include "mesh/lineage.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace sunder;

namespace {

/// A few cells in motion, with a strain that says which element it was of.
element::Model moving_box()
{
  material::Material solid = test::chalk();
  solid.k1 = 1;
  element::Model model = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(2, 2, 2, 0.1), {solid},
                                           test::by_method(partition::Method::hilbert))
                             .model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const std::uint64_t id = model.mesh.node(n).id.low;
    Row4& p = model.p[static_cast<std::size_t>(n)];
    p.set_xyz(p.xyz() + 0.01 * test::random_vector(1, id));
    model.v[static_cast<std::size_t>(n)].set_xyz(test::random_vector(2, id));
  }
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    model.blocks.set_plastic_strain(e, {static_cast<double>(e), 0, 0, 0, 0, 0});
  return model;
}

double kinetic(const element::Model& model)
{
  double energy = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    energy += model.mass[static_cast<std::size_t>(n)] * test::at(model.v, n).squaredNorm() / 2;
  return energy;
}

Vec3 angular_momentum(const element::Model& model)
{
  Vec3 sum = Vec3::Zero();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    sum += model.mass[static_cast<std::size_t>(n)] * test::at(model.p, n).cross(test::at(model.v, n));
  return sum;
}

Vec3 moment(const element::Model& model)
{
  Vec3 sum = Vec3::Zero();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    sum += model.mass[static_cast<std::size_t>(n)] * test::at(model.p, n);
  return sum;
}

/// The middle node of the box and one of its neighbours, ascending by id.
struct Edge {
  LocalIndex a, b;
};

Edge inner_edge(const mesh::TetMesh& mesh)
{
  LocalIndex middle = 0;
  while ((mesh.node(middle).X - Vec3::Constant(0.1)).norm() > 1e-9) ++middle;
  LocalIndex other = mesh.tet(mesh.star(middle)[0])[0];
  if (other == middle) other = mesh.tet(mesh.star(middle)[0])[1];
  return mesh.node(middle).id < mesh.node(other).id ? Edge{middle, other} : Edge{other, middle};
}

bool contains(const std::vector<LocalIndex>& list, LocalIndex value)
{
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

TEST_CASE("a bisection puts a node on the edge that moves as the edge did there", "[fracture][apply]")
{
  element::Model model = moving_box();
  const mesh::TetMesh& mesh = model.mesh;
  const auto [a, b] = inner_edge(mesh);
  const double t = 0.3;
  const auto around = mesh.elements_around_edge(a, b);
  const auto slots = mesh.num_slots();
  REQUIRE(around.size() > 3);
  fracture::MeshDelta delta;
  fracture::apply_bisection(model, {mesh.node(a).id, mesh.node(b).id, t}, {}, delta);

  const auto made = mesh.find(mesh::edge_node_id(mesh.node(a).id, mesh.node(b).id));
  REQUIRE(made);
  CHECK((test::at(model.p, *made) - (0.7 * test::at(model.p, a) + 0.3 * test::at(model.p, b))).norm() < 1e-15);
  CHECK((test::at(model.v, *made) - (0.7 * test::at(model.v, a) + 0.3 * test::at(model.v, b))).norm() < 1e-15);
  CHECK((mesh.node(*made).X - (0.7 * mesh.node(a).X + 0.3 * mesh.node(b).X)).norm() < 1e-15);
  for (const std::size_t size :
       {model.p.size(), model.v.size(), model.f.size(), model.mass.size(), model.toughness.size(), model.height.size()})
    CHECK(size == static_cast<std::size_t>(mesh.num_nodes()));

  // Each element around the edge has become two, in which it shares its volume and hands on its strain.
  CHECK(mesh.num_slots() == slots + static_cast<LocalIndex>(around.size()));
  CHECK(mesh.elements_around_edge(a, b).empty());
  REQUIRE(delta.lineage.size() == around.size());
  for (const auto& [made_id, parent_id] : delta.lineage) {
    const auto child = mesh.find_around(*made, made_id), parent = mesh.find_around(*made, parent_id);
    REQUIRE(child);
    REQUIRE(parent);
    CHECK(std::count(around.begin(), around.end(), *parent) == 1);
    CHECK(model.blocks.plastic_strain(*child) == model.blocks.plastic_strain(*parent));
    CHECK(model.blocks.plastic_strain(*parent)[0] == *parent);
    const double sum = model.blocks.volume(*child) + model.blocks.volume(*parent);
    CHECK(sum == Approx(0.001 / 6).epsilon(1e-12));
    CHECK(model.blocks.volume(*parent) == Approx(t * sum).epsilon(1e-12));  // it keeps the end with the smaller id
    for (const LocalIndex e : {*child, *parent}) CHECK(contains(delta.elements, e));
    for (const LocalIndex n : mesh.tet(*child)) CHECK(contains(delta.nodes, n));
  }
}

TEST_CASE("a bisection takes from lumped masses what its formula says", "[fracture][apply]")
{
  for (const double t : {0.1, 0.5, 0.8}) {
    element::Model model = moving_box();
    const mesh::TetMesh& mesh = model.mesh;
    const auto [a, b] = inner_edge(mesh);
    const double around = static_cast<double>(mesh.elements_around_edge(a, b).size());
    const double kinetic_before = kinetic(model);
    const Vec3 angular_before = angular_momentum(model);
    const Vec3 v = test::at(model.v, b) - test::at(model.v, a), p = test::at(model.p, b) - test::at(model.p, a);
    fracture::MeshDelta delta;
    fracture::apply_bisection(model, {mesh.node(a).id, mesh.node(b).id, t}, {}, delta);
    fracture::refresh(model, delta);
    // m/4 t (1 - t) of each element around the edge: its mass is 1000 kg/m^3 times a sixth of a cell.
    const double w = around * 1000 * (0.001 / 6) / 4 * t * (1 - t);
    CHECK(delta.kinetic_loss == Approx(w / 2 * v.squaredNorm()).epsilon(1e-12));
    CHECK(kinetic_before - kinetic(model) == Approx(w / 2 * v.squaredNorm()).epsilon(1e-9));
    CHECK((delta.angular_momentum_loss - w * p.cross(v)).norm() < 1e-12 * w);
    CHECK((angular_before - angular_momentum(model) - w * p.cross(v)).norm() < 1e-9 * w);
  }
}

TEST_CASE("what mass scaling gives to the children of a bisection is counted with its energy and its moment",
          "[fracture][apply][mass_scaling]")
{
  for (const double t : {0.1, 0.5, 0.8})
    for (const double share : {0.9, 3.0}) {  // of the limit: then the children get mass, or all elements have some
      CAPTURE(t, share);
      element::Model model = moving_box();
      model.step_options.mass_scaling_step = share * element::tightest_limit(model).step;
      for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) element::refresh_node(model, n);
      const auto [a, b] = inner_edge(model.mesh);
      const double kinetic_before = kinetic(model);
      const Vec3 before = moment(model);
      fracture::MeshDelta delta;
      fracture::apply_bisection(model, {model.mesh.node(a).id, model.mesh.node(b).id, t}, {}, delta);
      fracture::refresh(model, delta);
      CHECK(delta.kinetic_loss > 0);
      CHECK(delta.added_mass.kinetic > 0.1 * delta.kinetic_loss);
      CHECK(kinetic(model) - kinetic_before ==
            Approx(delta.added_mass.kinetic - delta.kinetic_loss).epsilon(0).margin(1e-12 * kinetic_before));
      CHECK((moment(model) - before - delta.added_mass.moment).norm() < 1e-12 * before.norm());
    }
}

TEST_CASE("a split gives the elements named a copy of the node that moves as it does", "[fracture][apply]")
{
  element::Model model = moving_box();
  const mesh::TetMesh& mesh = model.mesh;
  LocalIndex n = 0;
  while ((mesh.node(n).X - Vec3::Constant(0.1)).norm() > 1e-9) ++n;
  const std::vector<LocalIndex> star(mesh.star(n).begin(), mesh.star(n).end());
  const double mass = model.mass[static_cast<std::size_t>(n)], energy = kinetic(model);
  fracture::NodeSplit split{mesh.node(n).id, 0, {}};
  for (std::size_t k = 0; k < 5; ++k) split.elements.push_back(mesh.element_id(star[2 * k]));
  split.copy = mesh::copy_node_id(split.node, split.elements.front());
  fracture::MeshDelta delta;
  fracture::apply_split(model, split, delta);
  const auto copy = mesh.find(split.copy);
  REQUIRE(copy);
  CHECK(test::at(model.p, *copy) == test::at(model.p, n));
  CHECK(test::at(model.v, *copy) == test::at(model.v, n));
  CHECK(mesh.node(*copy).X == mesh.node(n).X);
  for (std::size_t k = 0; k < star.size(); ++k) {
    const bool moves = k % 2 == 0 && k < 10;
    const Tet& tet = mesh.tet(star[k]);
    CHECK(std::count(tet.begin(), tet.end(), *copy) == moves);
    CHECK(std::count(tet.begin(), tet.end(), n) == !moves);
  }
  for (const LocalIndex touched : {n, *copy}) CHECK(contains(delta.nodes, touched));
  fracture::refresh(model, delta);
  const double moved = 1000 * 5 * (0.001 / 6) / 4;
  CHECK(model.mass[static_cast<std::size_t>(*copy)] == Approx(moved).epsilon(1e-12));
  CHECK(model.mass[static_cast<std::size_t>(n)] == Approx(mass - moved).epsilon(1e-12));
  CHECK(kinetic(model) == Approx(energy).epsilon(1e-14));

  // What is not held is another's: nothing happens.
  const LocalIndex nodes = mesh.num_nodes();
  fracture::apply_split(model, {NodeId(77, 77), NodeId(2, 2), {mesh.element_id(star[0])}}, delta);
  fracture::apply_split(model, {mesh.node(n).id, NodeId(2, 2), {ElementId(77, 77)}}, delta);
  fracture::apply_bisection(model, {mesh.node(n).id, NodeId(77, 77), 0.5}, {}, delta);
  CHECK(mesh.num_nodes() == nodes);
}

TEST_CASE("after a plan every node has the mass, toughness and height of its star", "[fracture][apply]")
{
  element::Model model = moving_box();
  LocalIndex n = 0;
  while ((model.mesh.node(n).X - Vec3::Constant(0.1)).norm() > 1e-9) ++n;
  const auto plan = fracture::plan(model, n, Vec3(0.3, 0.2, 0.9).normalized(), {});
  REQUIRE(plan);
  REQUIRE(!plan->bisections.empty());
  fracture::MeshDelta delta;
  fracture::apply(model, *plan, delta);
  fracture::refresh(model, delta);
  const auto mass = model.mass, toughness = model.toughness, height = model.height;
  for (LocalIndex m = 0; m < model.mesh.num_nodes(); ++m) element::refresh_node(model, m);
  CHECK(mass == model.mass);
  CHECK(toughness == model.toughness);
  CHECK(height == model.height);
}

TEST_CASE("a plan bisects in the order it is given and then splits", "[fracture][apply]")
{
  element::Model model = moving_box();
  const mesh::TetMesh& mesh = model.mesh;
  LocalIndex n = 0;
  while ((mesh.node(n).X - Vec3::Constant(0.1)).norm() > 1e-9) ++n;
  const auto plan = fracture::plan(model, n, Vec3(0.3, 0.2, 0.9).normalized(), {});
  REQUIRE(plan);
  REQUIRE(plan->bisections.size() > 1);
  model.rounds = 4;
  const auto slots = mesh.num_slots();
  fracture::MeshDelta delta;
  fracture::apply(model, *plan, delta);
  const auto copy = mesh.find(plan->copy);
  REQUIRE(copy);
  std::vector<ElementId> moved;
  for (const LocalIndex e : mesh.star(*copy)) moved.push_back(mesh.element_id(e));
  std::sort(moved.begin(), moved.end());
  CHECK(moved == plan->moving);
  // What was made stands in the order of the cuts, by which a restarted run puts it there again.
  std::uint32_t last_cut = 0;
  for (LocalIndex e = slots; e < mesh.num_slots(); ++e) {
    const mesh::CreationKey key = mesh.creation_key(e);
    CHECK(key.round == 4);
    CHECK(key.event == plan->node);
    CHECK(key.bisection >= last_cut);
    last_cut = key.bisection;
  }
  CHECK(last_cut + 1 == plan->bisections.size());
}
