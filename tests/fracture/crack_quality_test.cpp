#include "element/model.hpp"
#include "fracture/crack.hpp"
#include "fracture/plan.hpp"
#include "support/by_hand.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace sunder;

namespace {

/// A box of uneven elements, so shaken that many of its nodes fail, after they did.
struct Cracked {
  element::Model model;
  std::int64_t events = 0;
};

Cracked crack_at_random(std::uint64_t seed, const fracture::FractureOptions& options)
{
  auto problem = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(5, 4, 4, 0.1, 0.2, seed), {test::chalk()},
                                   test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  std::vector<LocalIndex> all;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = model.mesh.node(n);
    model.p[static_cast<std::size_t>(n)].set_xyz(node.X + 0.004 * test::random_vector(seed, node.id.low));
    all.push_back(n);
  }
  Cracked cracked;
  cracked.events = fracture::crack(model, *problem.halo, all, options).events;
  cracked.model = std::move(problem.model);
  return cracked;
}

/// The lowest element, over the least mesh size before fracture.
double lowest_element(const element::Model& model)
{
  double lowest = 1e300, size = 1e300;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) size = std::min(size, model.mesh.node(n).size);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (model.mesh.alive(e)) lowest = std::min(lowest, test::height_of(model.mesh, e));
  }
  return lowest / size;
}

/// Angle between the two faces of an element that meet in edge ab; c and d are its other corners. [rad]
double dihedral(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
  const Vec3 along = (b - a).normalized(), u = along.cross(c - a), v = along.cross(d - a);
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

/// An element at an edge: its corners off the edge, each of which stands for a face, and its angle between them.
struct Corner {
  std::array<LocalIndex, 2> faces;
  double angle;
};

/// The angle of the elements from one free face at an edge, through the faces they share, to the next free face; takes
/// them out of the list. [rad]
double angle_from(LocalIndex face, std::vector<Corner>& corners)
{
  double angle = 0;
  const auto has_face = [&face](const Corner& c) { return c.faces[0] == face || c.faces[1] == face; };
  for (auto c = corners.begin(); (c = std::find_if(corners.begin(), corners.end(), has_face)) != corners.end();) {
    angle += c->angle;
    face = c->faces[0] == face ? c->faces[1] : c->faces[0];
    corners.erase(c);
  }
  return angle;
}

/// The smallest angle of material between two free faces at an edge. [rad]
double thinnest_wedge(const element::Model& model)
{
  const mesh::TetMesh& mesh = model.mesh;
  const auto at = [&model](LocalIndex n) { return model.p[static_cast<std::size_t>(n)].xyz(); };
  std::map<std::pair<LocalIndex, LocalIndex>, std::vector<Corner>> edges;
  constexpr std::array<std::array<std::size_t, 4>, 6> edges_of_tet{
      {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}}};
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Tet& t = mesh.tet(e);
    for (const auto& [a, b, c, d] : edges_of_tet)
      edges[std::minmax(t[a], t[b])].push_back({{t[c], t[d]}, dihedral(at(t[a]), at(t[b]), at(t[c]), at(t[d]))});
  }
  double thinnest = std::numeric_limits<double>::infinity();
  for (auto& [edge, corners] : edges) {
    std::map<LocalIndex, int> elements_of;
    for (const Corner& c : corners)
      for (const LocalIndex face : c.faces) ++elements_of[face];
    for (const auto& [face, elements] : elements_of)
      if (const double angle = elements == 1 ? angle_from(face, corners) : 0; angle > 0)
        thinnest = std::min(thinnest, angle);
  }
  return thinnest;
}

/// A block with a crack through half of it, in the plane z = 0.2 from x = 0 to x = 0.2.
/// The mesh is uneven but in that plane.
element::Model notched(double jitter)
{
  mesh::MeshData box = test::box_mesh(4, 4, 4, 0.1);
  for (std::size_t k = 0; k < box.nodes.size(); ++k) {
    Vec3& x = box.nodes[k];
    if (std::abs(x.z() - 0.2) > 0.05) x += jitter * 0.1 * test::random_vector(3, std::uint64_t{k});
  }
  element::Model model = test::distributed(Comm(MPI_COMM_SELF), std::move(box), {test::chalk()},
                                           test::by_method(partition::Method::hilbert))
                             .model;
  const mesh::TetMesh& mesh = model.mesh;
  fracture::MeshDelta delta;
  for (LocalIndex n = 0, count = mesh.num_nodes(); n < count; ++n) {
    const Vec3 X = mesh.node(n).X;
    if (std::abs(X.z() - 0.2) > 1e-9 || X.x() > 0.15) continue;
    fracture::apply_split(model, test::split_below(mesh, n), delta);
  }
  fracture::refresh(model, delta);
  return model;
}

/// The node in the middle of the crack's front.
LocalIndex tip(const element::Model& model)
{
  LocalIndex n = 0;
  while ((model.mesh.node(n).X - Vec3::Constant(0.2)).norm() > 1e-9) ++n;
  return n;
}

}  // namespace

TEST_CASE("cracks leave no element lower than asked, and lower ones where less is asked", "[fracture][plan]")
{
  // An element beyond the star of a failing node may become lower, by the factor its rule is more cautious by.
  constexpr double beyond_star = 0.4;
  const auto lowest = [](double least_height) {
    double height = 1;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      fracture::FractureOptions options;
      options.least_height = least_height;
      const Cracked cracked = crack_at_random(seed, options);
      CHECK(cracked.events > 50);
      height = std::min(height, lowest_element(cracked.model));
    }
    return height;
  };
  const double at_02 = lowest(0.2), at_01 = lowest(0.1), at_003 = lowest(0.03);
  CAPTURE(at_02, at_01, at_003);
  CHECK(at_02 >= beyond_star * 0.2);
  CHECK(at_01 >= beyond_star * 0.1);
  CHECK(at_01 < beyond_star * 0.2);
  CHECK(at_003 >= beyond_star * 0.03);
  CHECK(at_003 < beyond_star * 0.1);
}

TEST_CASE("a plan leaves no element around its node lower than asked", "[fracture][plan]")
{
  const auto before = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(4, 4, 4, 0.1, 0.2, 6), {test::chalk()},
                                        test::by_method(partition::Method::hilbert));
  const auto lowest_made = [&before](double least_height) {
    fracture::FractureOptions options;
    options.snap_angle = options.snap_relative = options.back_crack_angle = 0;
    options.least_height = least_height;
    double lowest = 1;  // over the mesh size at the node
    for (LocalIndex n = 0; n < before.model.mesh.num_nodes(); n += 2) {
      const mesh::Node& node = before.model.mesh.node(n);
      const auto plan = fracture::plan(before.model, n, test::random_vector(9, node.id.low).normalized(), options);
      if (!plan) continue;
      element::Model model = before.model;
      fracture::MeshDelta delta;
      fracture::apply(model, *plan, delta);
      for (const NodeId side : {plan->node, plan->copy})
        for (const LocalIndex e : model.mesh.star(*model.mesh.find(side)))
          if (e >= before.model.mesh.num_slots() || model.blocks.volume(e) != before.model.blocks.volume(e))
            lowest = std::min(lowest, test::height_of(model.mesh, e) / node.size);
    }
    return lowest;
  };
  for (const double least : {0.05, 0.1, 0.2}) {
    CHECK(lowest_made(least) >= least);
    CHECK(lowest_made(least) < 1.3 * least);
  }
  CHECK(lowest_made(0) < 0.02);
}

TEST_CASE("no new surface comes closer than theta_min to an old one", "[fracture][plan][back_crack]")
{
  // The crack turns at its tip: behind it, the new plane would run beside the old surface, a wedge as thin as it
  // turned.
  for (const double jitter : {0.0, 0.2}) {
    const element::Model before = notched(jitter);
    const double thinnest_before = thinnest_wedge(before);
    REQUIRE(thinnest_before > 1);
    const auto thinnest_after = [&](double turn, double theta_min) {
      fracture::FractureOptions options;
      options.snap_angle = options.snap_relative = options.least_height = 0;
      options.back_crack_angle = theta_min;
      element::Model model = before;
      const auto plan = fracture::plan(model, tip(model), Vec3(std::sin(turn), 0, std::cos(turn)), options);
      REQUIRE(plan);
      CHECK(plan->bisections.size() >= 3);  // ahead of the tip it cuts in any case
      fracture::MeshDelta delta;
      fracture::apply(model, *plan, delta);
      return thinnest_wedge(model);
    };
    for (const double turn : {0.05, 0.2, 0.299, -0.1, -0.299}) {
      CAPTURE(jitter, turn);
      CHECK(thinnest_after(turn, 0) == Approx(std::abs(turn)).epsilon(1e-9));
      CHECK(thinnest_after(turn, 0.3) == Approx(thinnest_before).epsilon(1e-9));
    }
    for (const double turn : {0.301, 0.5, -0.301})
      CHECK(thinnest_after(turn, 0.3) == Approx(std::abs(turn)).epsilon(1e-9));
  }
}
