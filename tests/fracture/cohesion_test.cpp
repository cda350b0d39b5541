#include "element/cohesion.hpp"

#include "element/internal_forces.hpp"
#include "element/make_model.hpp"
#include "element/toughness.hpp"
#include "fracture/apply.hpp"
#include "support/by_hand.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace sunder;

namespace {

constexpr double edge = 0.1;
constexpr int cells = 3;
constexpr double surface = cells * edge * cells * edge;  // of the cut [m^2]

material::Material cohesive()
{
  material::Material m = test::chalk();
  m.toughness_form = material::ToughnessForm::stress, m.toughness = 1e6, m.cohesion.energy = 10;
  return m;
}

element::Model box()
{
  return test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(cells, cells, 4, edge), {cohesive()},
                           test::by_method(partition::Method::hilbert))
      .model;
}

/// With forces that differ from node to node; the plane z = 0.2 is pulled everywhere.
element::Model pulled_box()
{
  element::Model model = box();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    Row4& p = model.p[static_cast<std::size_t>(n)];
    const Vec3 stretched = p.xyz() + 0.05 * p.z * Vec3::UnitZ();
    p.set_xyz(stretched + 1e-3 * test::random_vector(1, model.mesh.node(n).id.low));
  }
  return model;
}

std::vector<LocalIndex> nodes_of_cut(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> nodes;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (std::abs(mesh.node(n).X.z() - 2 * edge) < 1e-9) nodes.push_back(n);
  return nodes;
}

LocalIndex inner_node_of_cut(const mesh::TetMesh& mesh)
{
  const auto nodes = nodes_of_cut(mesh);
  return *std::find_if(nodes.begin(), nodes.end(), [&mesh](LocalIndex n) {
    const Vec3& X = mesh.node(n).X;
    return X.x() > edge / 2 && X.x() < 2.5 * edge && X.y() > edge / 2 && X.y() < 2.5 * edge;
  });
}

void split(element::Model& model, LocalIndex n)
{
  fracture::MeshDelta delta;
  delta.cohesive = true;
  fracture::apply_split(model, test::split_below(model.mesh, n), delta);
  fracture::refresh(model, delta);
  model.links.sort(model.mesh);
}

/// Of n, already split across z, the half that n is now: what is to the right gets another copy.
fracture::NodeSplit split_right(const mesh::TetMesh& mesh, LocalIndex n)
{
  fracture::NodeSplit right{mesh.node(n).id, 0, {}};
  for (const LocalIndex e : mesh.star(n)) {
    double x = 0;
    for (const Vec3& corner : mesh.corners(e)) x += corner.x() / 4;
    if (x > mesh.node(n).X.x()) right.elements.push_back(mesh.element_id(e));
  }
  std::sort(right.elements.begin(), right.elements.end());
  right.copy = mesh::copy_node_id(right.node, right.elements.front());
  return right;
}

double area_of_links(const element::Model& model)
{
  double area = 0;
  for (const element::ModelLink& link : model.links) area += link.link.law().area;
  return area;
}

void add_forces(element::Model& model)
{
  std::fill(model.f.begin(), model.f.end(), Row4{});
  element::add_internal_forces(model.blocks, model.materials, model.p, model.v, model.f);
}

}  // namespace

TEST_CASE("links sum to the surface, in whatever order its nodes are parted", "[fracture][cohesion]")
{
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    element::Model model = box();
    std::vector<LocalIndex> nodes = nodes_of_cut(model.mesh);
    std::shuffle(nodes.begin(), nodes.end(), std::mt19937(seed));
    for (const LocalIndex n : nodes) {
      const double before = area_of_links(model);
      split(model, n);
      CHECK(area_of_links(model) > before);
    }
    CHECK(model.links.size() == nodes.size());
    CHECK(area_of_links(model) == Approx(surface));
    for (const element::ModelLink& link : model.links) {
      CHECK(link.normal.isApprox(Vec3::UnitZ()));
      CHECK(model.mesh.node(link.plus).X == model.mesh.node(link.minus).X);
    }
  }
}

TEST_CASE("links sum to the surface where one side of a young crack is cut", "[fracture][cohesion]")
{
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    element::Model model = box();
    std::vector<LocalIndex> nodes = nodes_of_cut(model.mesh);
    std::mt19937 random(seed);
    std::shuffle(nodes.begin(), nodes.end(), random);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      split(model, nodes[k]);
      // An edge of the crack's plane, of which one end may have been parted.
      const LocalIndex a = nodes[random() % nodes.size()];
      for (const LocalIndex e : model.mesh.star(a)) {
        const auto& tet = model.mesh.tet(e);
        const auto b = std::find_if(tet.begin(), tet.end(), [&](LocalIndex q) {
          return q != a && std::abs(model.mesh.node(q).X.z() - 2 * edge) < 1e-9;
        });
        if (b == tet.end()) continue;
        fracture::MeshDelta delta;
        const mesh::CreationKey key{++model.rounds, model.mesh.node(a).id, 0};
        const auto both = std::minmax(model.mesh.node(a).id, model.mesh.node(*b).id);
        fracture::apply_bisection(model, {both.first, both.second, 0.4}, key, delta);
        fracture::refresh(model, delta);
        break;
      }
    }
    // Nodes that bisection put on the plane where it was whole.
    for (const LocalIndex n : nodes_of_cut(model.mesh)) {
      bool above = false, below = false;
      for (const LocalIndex e : model.mesh.star(n))
        for (const LocalIndex q : model.mesh.tet(e))
          (model.mesh.node(q).X.z() > 2 * edge + 1e-9 ? above : below) |=
              std::abs(model.mesh.node(q).X.z() - 2 * edge) > 1e-9;
      if (above && below) split(model, n);
    }
    CHECK(area_of_links(model) == Approx(surface).epsilon(0.03));
  }
}

TEST_CASE("nodes that are parted go on as one", "[fracture][cohesion]")
{
  element::Model model = pulled_box();
  add_forces(model);
  std::vector<Vec3> before;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    before.push_back(test::at(model.f, n) / model.mass[static_cast<std::size_t>(n)]);
  const std::vector<LocalIndex> nodes = nodes_of_cut(model.mesh);
  for (const LocalIndex n : nodes) split(model, n);
  add_forces(model);
  element::add_cohesive_forces(model);
  for (const element::ModelLink& link : model.links)
    for (const LocalIndex n : {link.plus, link.minus}) {
      const Vec3 now = test::at(model.f, n) / model.mass[static_cast<std::size_t>(n)];
      const Vec3& then = before[static_cast<std::size_t>(std::min(link.plus, link.minus))];
      CHECK((now - then).norm() < 1e-9 * then.norm());
    }
  // And again, now that links have their force.
  std::vector<Row4> f = model.f;
  add_forces(model);
  element::add_cohesive_forces(model);
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) CHECK((test::at(model.f, n) - test::at(f, n)).norm() < 1e-9);
}

TEST_CASE("a node parted twice at once goes on as one", "[fracture][cohesion]")
{
  element::Model model = pulled_box();
  const LocalIndex n = inner_node_of_cut(model.mesh);
  add_forces(model);
  const Vec3 then = test::at(model.f, n) / model.mass[static_cast<std::size_t>(n)];
  split(model, n);
  const fracture::NodeSplit right = split_right(model.mesh, n);  // of what stayed
  const double area = area_of_links(model);
  fracture::MeshDelta delta;
  delta.cohesive = true;
  fracture::apply_split(model, right, delta);
  fracture::refresh(model, delta);
  model.links.sort(model.mesh);
  REQUIRE(model.links.size() == 3);  // the first is shared between the two halves above it
  CHECK(area_of_links(model) > area);
  add_forces(model);
  element::add_cohesive_forces(model);
  for (const element::ModelLink& link : model.links)
    for (const LocalIndex half : {link.plus, link.minus})
      CHECK((test::at(model.f, half) / model.mass[static_cast<std::size_t>(half)] - then).norm() < 1e-9 * then.norm());
}

TEST_CASE("what is beside a young crack does not fail, its front may", "[fracture][cohesion]")
{
  element::Model model = box();
  const LocalIndex n = inner_node_of_cut(model.mesh);
  split(model, n);
  element::mark_linked_nodes(model);
  const LocalIndex copy = model.mesh.num_nodes() - 1;
  int front = 0, beside = 0;
  for (LocalIndex q = 0; q < model.mesh.num_nodes(); ++q) {
    bool upper = false, lower = false;
    for (const LocalIndex e : model.mesh.star(q))
      for (const LocalIndex corner : model.mesh.tet(e)) upper |= corner == n, lower |= corner == copy;
    CAPTURE(q, upper, lower);
    CHECK(element::beside_young_crack(model, q) == (q == n || q == copy || upper != lower));
    front += upper && lower, beside += upper != lower;
  }
  CHECK(front > 0);
  CHECK(beside > 0);
}

namespace {

std::vector<std::size_t> full_search(const element::Model& model, LocalIndex n)
{
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < model.links.size(); ++k)
    if (model.links[k].plus == n || model.links[k].minus == n) found.push_back(k);
  return found;
}

std::vector<LocalIndex> all_nodes(const element::Model& model)
{
  std::vector<LocalIndex> nodes;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) nodes.push_back(n);
  return nodes;
}

std::vector<double> marks(const element::Model& model)
{
  std::vector<double> w;
  for (const Row4& p : model.p) w.push_back(p.w);
  return w;
}

/// What is found through nodes is what a walk over all links finds.
void check_links(element::Model& model)
{
  for (const LocalIndex n : all_nodes(model)) CHECK(model.links.of(n) == full_search(model, n));
  element::LinkLimit tightest;
  for (const LocalIndex n : all_nodes(model)) {
    const auto limit = element::limit_of_links(model, std::array{n});
    CHECK(std::isfinite(limit.step) == !full_search(model, n).empty());
    if (limit.step < tightest.step) tightest = limit;
  }
  CHECK(element::limit_of_links(model, all_nodes(model)).step == tightest.step);
  for (Row4& p : model.p) p.w = 0;
  element::mark_linked_nodes(model, all_nodes(model));
  const auto by_node = marks(model);
  for (Row4& p : model.p) p.w = 0;
  element::mark_linked_nodes(model);
  CHECK(marks(model) == by_node);
}

}  // namespace

TEST_CASE("a half of a node bears what its links do, along their crack", "[fracture][cohesion]")
{
  element::Model model = box();
  const LocalIndex n = inner_node_of_cut(model.mesh);
  split(model, n);
  REQUIRE(model.links.size() == 1);
  const element::ModelLink link = model.links[0];
  const double of_link = link.link.law().area * cohesive().toughness;
  const std::array<Vec3, 3> directions{Vec3::UnitZ(), Vec3::UnitX(), Vec3(1, 0, 1).normalized()};
  for (const LocalIndex half : {link.plus, link.minus}) {
    std::array<double, 3> with{}, without{};
    for (std::size_t k = 0; k < 3; ++k) with[k] = element::toughness_across(model, half, directions[k]);
    element::Model bare = model;
    bare.links = {};
    for (std::size_t k = 0; k < 3; ++k) without[k] = element::toughness_across(bare, half, directions[k]);
    CHECK(with[0] == Approx(without[0] + of_link));
    CHECK(with[1] == Approx(without[1]));
    CHECK(with[2] == Approx(without[2] + of_link / std::sqrt(2)));
  }
}

TEST_CASE("links turn with the body", "[fracture][cohesion]")
{
  element::Model model = pulled_box();
  for (const LocalIndex n : nodes_of_cut(model.mesh)) split(model, n);
  add_forces(model);
  element::add_cohesive_forces(model);  // they begin
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    Row4& p = model.p[static_cast<std::size_t>(n)];
    p.set_xyz(p.xyz() + 1e-5 * test::random_vector(2, model.mesh.node(n).id.low + 7 * static_cast<std::uint64_t>(n)));
  }
  const auto forces_of_links = [](element::Model& m) {
    std::fill(m.f.begin(), m.f.end(), Row4{});
    element::add_cohesive_forces(m);
    return m.f;
  };
  element::Model turned = model;
  const Mat3 R = Eigen::AngleAxisd(2.5, Vec3(1, -2, 3).normalized()).toRotationMatrix();
  for (Row4& p : turned.p) p.set_xyz(R * p.xyz() + Vec3(1, 2, 3));
  const auto before = forces_of_links(model), after = forces_of_links(turned);
  double greatest = 0;
  for (std::size_t n = 0; n < before.size(); ++n) {
    greatest = std::max(greatest, before[n].xyz().norm());
    CHECK((after[n].xyz() - R * before[n].xyz()).norm() < 1e-3);
  }
  CHECK(greatest > 100);
  CHECK(element::energy_of_links(turned) == Approx(element::energy_of_links(model)).epsilon(1e-6));
}

TEST_CASE("links are found through their nodes after splits, shares and breaks", "[fracture][cohesion]")
{
  for (const unsigned seed : {1u, 2u, 3u}) {
    element::Model model = pulled_box();
    std::vector<LocalIndex> nodes = nodes_of_cut(model.mesh);
    std::shuffle(nodes.begin(), nodes.end(), std::mt19937(seed));
    std::int64_t broken = 0;
    std::size_t most = 0;
    for (const LocalIndex n : nodes) {
      fracture::MeshDelta delta;
      delta.cohesive = true;
      fracture::apply_split(model, test::split_below(model.mesh, n), delta);
      const double x = model.mesh.node(n).X.x();
      if (x > edge / 2 && x < (cells - 0.5) * edge) fracture::apply_split(model, split_right(model.mesh, n), delta);
      fracture::refresh(model, delta);
      check_links(model);  // with new links behind the others
      model.links.sort(model.mesh);
      check_links(model);
      most = std::max(most, model.links.size());
      add_forces(model);
      element::add_cohesive_forces(model);
      if (n % 3 == 0) model.p[static_cast<std::size_t>(n)].z += 0.1;  // so that what holds it breaks
      add_forces(model);
      element::add_cohesive_forces(model);
      broken += element::settle_links(model).count;
      check_links(model);
    }
    CHECK(broken > 3);
    CHECK(model.links.size() + static_cast<std::size_t>(broken) > nodes.size());
    CHECK(most < model.links.size() + static_cast<std::size_t>(broken));
  }
}
