#include "fracture/plan.hpp"

#include "fracture/apply.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace sunder;

namespace {

/// A node at the origin and the six ends of a cross around it: an octahedron of eight elements. Its arms differ, so
/// that a rule holds for one node and not for its neighbour.
struct Arms {
  double right = 0.1, left = 0.2, across = 0.15, up = 0.12, down = 0.18;
};

const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();

struct Star {
  element::Model model;
  std::array<Vec3, 6> ends;  // right, left, back, front, up, down

  /// octants: those there are. Bit 0 of one: it is to the left; bit 1: to the front; bit 2: below.
  explicit Star(const Arms& arms = {}, const std::vector<int>& octants = {0, 1, 2, 3, 4, 5, 6, 7})
    : ends{arms.right * x, -arms.left * x, arms.across * y, -arms.across * y, arms.up * z, -arms.down * z}
  {
    mesh::MeshData data;
    data.nodes.push_back(Vec3::Zero());
    data.nodes.insert(data.nodes.end(), ends.begin(), ends.end());
    for (const int octant : octants) {
      std::array<GlobalIndex, 4> tet{0, 1 + (octant & 1), 3 + (octant >> 1 & 1), 5 + (octant >> 2 & 1)};
      const auto at = [&](std::size_t a) { return data.nodes[static_cast<std::size_t>(tet[a])]; };
      if (at(1).cross(at(2)).dot(at(3)) < 0) std::swap(tet[2], tet[3]);
      data.tets.push_back(tet);
    }
    for (std::size_t n = 0; n < data.nodes.size(); ++n) data.node_labels.push_back(n + 1);
    for (std::size_t e = 0; e < data.tets.size(); ++e) data.element_labels.push_back(e + 1);
    model = test::distributed(Comm(MPI_COMM_SELF), std::move(data), {test::chalk()},
                              test::by_method(partition::Method::hilbert))
                .model;
    for (double& height : model.height) height = 1;  // nothing low beyond the star, unless a test says so
  }

  LocalIndex at(const Vec3& X) const
  {
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      if ((model.mesh.node(n).X - X).norm() < 1e-12) return n;
    FAIL("no node at " << X.transpose());
    return -1;
  }
  NodeId id(const Vec3& X) const { return model.mesh.node(at(X)).id; }
  LocalIndex middle() const { return at(Vec3::Zero()); }
  double size() const { return model.mesh.node(middle()).size; }
  std::optional<fracture::Plan> plan(const Vec3& normal, const fracture::FractureOptions& options) const
  {
    return fracture::plan(model, middle(), normal, options);
  }
};

enum End { right, left, back, front, up, down };

/// Every rule off: cut wherever the plane cuts.
fracture::FractureOptions plain()
{
  fracture::FractureOptions options;
  options.snap_distance = options.snap_angle = options.snap_relative = 0;
  options.least_height = options.back_crack_angle = 0;
  return options;
}

/// About y, away from z.
Vec3 tilted(double angle)
{
  return {std::sin(angle), 0, std::cos(angle)};
}

/// The edges cut, by their ends.
using Cuts = std::set<std::set<int>>;

Cuts cuts_of(const Star& star, const std::optional<fracture::Plan>& plan)
{
  REQUIRE(plan);
  const auto end_of = [&star](NodeId id) {
    const Vec3& X = star.model.mesh.node(*star.model.mesh.find(id)).X;
    for (int k = 0; k < 6; ++k)
      if ((star.ends[static_cast<std::size_t>(k)] - X).norm() < 1e-12) return k;
    return -1;
  };
  Cuts cuts;
  for (const fracture::Bisection& c : plan->bisections) cuts.insert({end_of(c.a), end_of(c.b)});
  CHECK(cuts.size() == plan->bisections.size());
  return cuts;
}

/// Share of the edge from one end at which the plan cuts it.
double share_from(const Star& star, const fracture::Plan& plan, int from, int to)
{
  const NodeId a = star.id(star.ends[static_cast<std::size_t>(from)]),
               b = star.id(star.ends[static_cast<std::size_t>(to)]);
  for (const fracture::Bisection& c : plan.bisections) {
    if (c.a == a && c.b == b) return c.t;
    if (c.a == b && c.b == a) return 1 - c.t;
  }
  FAIL("edge not cut");
  return 0;
}

double height_of(const mesh::TetMesh& mesh, LocalIndex e)
{
  const auto X = mesh.corners(e);
  double largest = 0;  // of the faces, twice its area
  for (const auto& [a, b, c] : mesh::face_corners) largest = std::max(largest, (X[b] - X[a]).cross(X[c] - X[a]).norm());
  return (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / largest;
}

/// The lowest of the elements that the plan leaves, by carrying it out.
double lowest_after(element::Model model, const fracture::Plan& plan)
{
  fracture::MeshDelta delta;
  fracture::apply(model, plan, delta);
  double lowest = 1;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.alive(e)) lowest = std::min(lowest, height_of(model.mesh, e));
  return lowest;
}

constexpr double little = 1e-6;  // relative, to either side of a bound
const Cuts both{{up, left}, {right, down}};

}  // namespace

TEST_CASE("a plan cuts the edges that cross the plane, where they cross it", "[fracture][plan]")
{
  const Star star;
  const double a = 0.3;
  const auto plan = star.plan(tilted(a), plain());
  CHECK(cuts_of(star, plan) == both);
  const double over = 0.12 * std::cos(a), under = 0.2 * std::sin(a);  // distances of two ends from the plane
  CHECK(share_from(star, *plan, up, left) == Approx(over / (over + under)).epsilon(1e-14));
  CHECK(plan->node == star.model.mesh.node(star.middle()).id);
  // Four of the eight elements are cut in two. Half of the twelve are below: two whole ones, four parts.
  CHECK(plan->moving.size() == 6);
  CHECK(std::is_sorted(plan->moving.begin(), plan->moving.end()));
  CHECK(plan->copy == mesh::copy_node_id(plan->node, plan->moving.front()));
  for (const fracture::Bisection& c : plan->bisections) CHECK(c.a < c.b);
}

TEST_CASE("the plane is one of the world, whatever the material position", "[fracture][plan]")
{
  Star star;
  for (Row4& p : star.model.p) p.z *= 3;
  const double a = 0.3;
  const auto plan = star.plan(tilted(a), plain());
  const double over = 3 * 0.12 * std::cos(a), under = 0.2 * std::sin(a);
  CHECK(share_from(star, *plan, up, left) == Approx(over / (over + under)).epsilon(1e-14));
  for (Row4& p : star.model.p) p.x += 5, p.z -= 7;  // it goes through the node, wherever that is
  CHECK(share_from(star, *star.plan(tilted(a), plain()), up, left) == Approx(over / (over + under)).epsilon(1e-12));
}

TEST_CASE("the other normal of a plane parts the same elements the other way round", "[fracture][plan]")
{
  const Star star;
  const auto plan = star.plan(tilted(0.3), plain()), turned = star.plan(-tilted(0.3), plain());
  REQUIRE(plan);
  REQUIRE(turned);
  CHECK(cuts_of(star, plan) == cuts_of(star, turned));
  CHECK(share_from(star, *plan, up, left) == Approx(share_from(star, *turned, up, left)).epsilon(1e-14));
  std::vector<ElementId> in_both;
  std::set_intersection(plan->moving.begin(), plan->moving.end(), turned->moving.begin(), turned->moving.end(),
                        std::back_inserter(in_both));
  CHECK(in_both.empty());
  CHECK(plan->moving.size() + turned->moving.size() == 12);
}

TEST_CASE("a node nearer to the plane than the snapping distance is on it", "[fracture][plan][snapping]")
{
  const Star star;
  const double a = 0.05, distance = 0.1 * std::sin(a);  // of the right end; the left one is twice as far
  auto options = plain();
  options.snap_distance = distance * (1 - little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == both);
  options.snap_distance = distance * (1 + little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == Cuts{{up, left}});
  options.snap_distance = 2 * distance * (1 - little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == Cuts{{up, left}});
  options.snap_distance = 2 * distance * (1 + little);
  const auto along = star.plan(tilted(a), options);
  CHECK(cuts_of(star, along).empty());
  CHECK(along->moving.size() == 4);
}

TEST_CASE("the snapping distance is the larger of metres and share of the mesh size", "[fracture][plan][snapping]")
{
  Star star;
  const double a = 0.05, distance = 0.1 * std::sin(a);
  auto options = plain();
  options.snap_relative = distance / star.size() * (1 - little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == both);
  options.snap_distance = distance / 2;  // the lesser changes nothing
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == both);
  options.snap_relative = distance / star.size() * (1 + little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == Cuts{{up, left}});
  options.snap_distance = distance * (1 + little), options.snap_relative /= 2;
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == Cuts{{up, left}});
}

TEST_CASE("no cut is nearer to an end than the snapping distance", "[fracture][plan][snapping]")
{
  auto problem = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(4, 4, 4, 0.1, 0.25, 3), {test::chalk()},
                                   test::by_method(partition::Method::hilbert));
  const element::Model& model = problem.model;
  auto options = plain();
  options.snap_distance = 0.02;
  double nearest = 1;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto plan = fracture::plan(model, n, test::random_vector(1, model.mesh.node(n).id.low).normalized(), options);
    if (!plan) continue;
    for (const fracture::Bisection& c : plan->bisections) {
      const Vec3 edge = model.mesh.node(*model.mesh.find(c.b)).X - model.mesh.node(*model.mesh.find(c.a)).X;
      nearest = std::min(nearest, std::min(c.t, 1 - c.t) * edge.norm());
    }
  }
  CHECK(nearest >= 0.02 * (1 - 1e-12));
  CHECK(nearest < 0.025);  // some come near the bound
}

TEST_CASE("a node in a line with the plane, to the snapping angle, is on it", "[fracture][plan][snapping]")
{
  const Star star({.right = 0.1, .left = 0.1, .up = 0.3});
  const double a = 0.2;  // of the lines to the right and to the left
  auto options = plain();
  options.snap_angle = a * (1 - little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == both);
  options.snap_angle = a * (1 + little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)).empty());
  const Star large({.right = 10, .left = 10, .across = 15, .up = 30, .down = 20});  // an angle knows no size
  CHECK(cuts_of(large, large.plan(tilted(a), options)).empty());
  options.snap_angle = a * (1 - little);
  CHECK(cuts_of(large, large.plan(tilted(a), options)) == both);
}

TEST_CASE("a cut that would leave an element of the star too low goes to the nearer end", "[fracture][plan][snapping]")
{
  const Star star;
  const double a = 0.12;
  const auto cut = star.plan(tilted(a), plain());
  const double lowest = lowest_after(star.model, *cut);
  // One of the parts above the left end or below the right one: the latter's are smaller.
  CHECK(cuts_of(star, cut) == both);
  REQUIRE(share_from(star, *cut, right, down) < 0.5);
  auto options = plain();
  options.least_height = lowest / star.size() * (1 - little);
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == both);
  options.least_height = lowest / star.size() * (1 + little);
  const auto snapped = star.plan(tilted(a), options);
  CHECK(cuts_of(star, snapped) == Cuts{{up, left}});
  CHECK(snapped->moving.size() == 6);  // the right end is on the plane, so what hangs below it moves
  CHECK(lowest_after(star.model, *snapped) > lowest * (1 + little));
}

TEST_CASE("of the cuts through an element too low, the one nearest to an end goes to that end",
          "[fracture][plan][snapping]")
{
  // The element behind on the left is cut at 1/5 from its back end and at 2/5 from its left end; nothing else is.
  const Star star({.left = 0.04, .across = 0.01, .up = 0.06}, {0, 1});
  const Vec3 normal = Vec3(1, 1, 1).normalized();
  const auto cut = star.plan(normal, plain());
  CHECK(cuts_of(star, cut) == Cuts{{left, up}, {left, back}});
  auto options = plain();
  options.least_height = lowest_after(star.model, *cut) / star.size() * (1 + little);
  CHECK(cuts_of(star, star.plan(normal, options)) == Cuts{{left, up}});
}

TEST_CASE("a cut that might leave an element beyond the star too low goes to the nearer end",
          "[fracture][plan][snapping]")
{
  Star star;
  const double a = 0.3;
  const double share = 1 - share_from(star, *star.plan(tilted(a), plain()), up, left);  // of the edge, at its left end
  REQUIRE(share < 0.5);
  auto options = plain();
  options.least_height = 0.05;
  const double bound = 0.4 * options.least_height * star.size() / share;
  for (const End end : {up, left}) {  // the lowest element around either of them
    double& height = star.model.height[static_cast<std::size_t>(star.at(star.ends[end]))];
    height = bound * (1 + little);
    CHECK(cuts_of(star, star.plan(tilted(a), options)) == both);
    height = bound * (1 - little);
    CHECK(cuts_of(star, star.plan(tilted(a), options)) == Cuts{{right, down}});
    height = 1;
  }
  star.model.height[static_cast<std::size_t>(star.at(star.ends[back]))] = 0;  // is on the plane: no edge of it is cut
  CHECK(cuts_of(star, star.plan(tilted(a), options)) == both);
}

TEST_CASE("an end that goes to the plane takes all cuts of its edges with it", "[fracture][plan][snapping]")
{
  Star star;
  const Vec3 normal = Vec3(0.2, 0.3, 0.93).normalized();
  const Cuts all{{right, front}, {right, down}, {back, left}, {back, down}, {up, left}, {up, front}};
  const auto cut = star.plan(normal, plain());
  CHECK(cuts_of(star, cut) == all);
  const double share = 1 - share_from(star, *cut, up, left);  // at the left end, which is the nearer one
  REQUIRE(share < 0.3);
  REQUIRE(share_from(star, *cut, left, back) > 0.3);  // far enough from both ends
  auto options = plain();
  options.least_height = 0.05;
  star.model.height[static_cast<std::size_t>(star.at(star.ends[left]))] =
      0.4 * options.least_height * star.size() / share * (1 - little);
  CHECK(cuts_of(star, star.plan(normal, options)) == Cuts{{right, front}, {right, down}, {back, down}, {up, front}});
}

TEST_CASE("a free face that makes less than theta_min with the plane is on it", "[fracture][plan][back_crack]")
{
  // The octant of the right, back and upper ends is empty, so the face below it is free. The plane goes through the
  // node below that face, at an angle.
  const Star star({.right = 0.1, .left = 0.1, .across = 0.1, .up = 0.1, .down = 0.1}, {1, 2, 3, 4, 5, 6, 7});
  const double angle = 0.25;
  const Vec3 normal(std::sin(angle) / std::sqrt(2), std::sin(angle) / std::sqrt(2), std::cos(angle));
  auto options = plain();
  const Cuts all{{right, front}, {back, left}, {right, down}, {back, down}, {up, left}, {up, front}};
  CHECK(cuts_of(star, star.plan(normal, options)) == all);
  options.back_crack_angle = angle * (1 - little);
  CHECK(cuts_of(star, star.plan(normal, options)) == all);
  options.back_crack_angle = angle * (1 + little);
  CHECK(cuts_of(star, star.plan(normal, options)) == Cuts{{up, left}, {up, front}});

  // Inside the body there is no face to turn to.
  const Star whole({.right = 0.1, .left = 0.1, .across = 0.1, .up = 0.1, .down = 0.1});
  CHECK(cuts_of(whole, whole.plan(normal, options)) == all);
}

TEST_CASE("what the plane does not cut goes by its corners, and by its centroid if all of them are on the plane",
          "[fracture][plan]")
{
  const Star flat({.up = 0.01, .down = 0.01});
  auto options = plain();
  options.snap_distance = 0.02;
  const auto plan = flat.plan(z, options);
  CHECK(cuts_of(flat, plan).empty());
  REQUIRE(plan->moving.size() == 4);
  for (const ElementId id : plan->moving) {
    const auto X = flat.model.mesh.corners(*flat.model.mesh.find_around(flat.middle(), id));
    CHECK(X[0].z() + X[1].z() + X[2].z() + X[3].z() < 0);
  }
}

TEST_CASE("an event that would part nothing is none", "[fracture][plan]")
{
  const Star upper({}, {0, 1, 2, 3});  // its node is on a flat surface
  CHECK_FALSE(upper.plan(z, plain()));
  CHECK_FALSE(upper.plan(-z, plain()));
  CHECK(upper.plan(x, plain()));
  auto on_faces = plain();
  on_faces.remesh = false;
  CHECK_FALSE(upper.plan(tilted(0.05), on_faces));
}

TEST_CASE("a crack held to faces cuts nothing; elements go by their centroid", "[fracture][plan]")
{
  const Star star;  // left arm 0.2, upper arm 0.12
  auto options = plain();
  options.remesh = false;
  const double turns_over = std::atan(0.12 / 0.2);  // here the centroids of the elements up and left are on the plane
  const auto below = star.plan(tilted(turns_over - 0.01), options),
             above = star.plan(tilted(turns_over + 0.01), options);
  CHECK(cuts_of(star, below).empty());
  CHECK(cuts_of(star, above).empty());
  CHECK(below->moving.size() == 4);
  CHECK(above->moving.size() == 6);
}

TEST_CASE("what is planned is what the mesh then does: elements lie on their side of the plane", "[fracture][plan]")
{
  const auto before = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(4, 4, 4, 0.1, 0.25, 3), {test::chalk()},
                                        test::by_method(partition::Method::hilbert));
  std::size_t cuts = 0;
  for (LocalIndex n = 0; n < before.model.mesh.num_nodes(); n += 3) {
    element::Model model = before.model;
    const Vec3 origin = model.mesh.node(n).X;
    const Vec3 normal = test::random_vector(2, model.mesh.node(n).id.low).normalized();
    auto plan = fracture::plan(model, n, normal, plain());
    if (!plan) continue;
    fracture::MeshDelta delta;
    fracture::apply(model, *plan, delta);
    cuts += plan->bisections.size();
    const mesh::TetMesh& mesh = model.mesh;
    for (const fracture::Bisection& c : plan->bisections) {
      const auto made = mesh.find(mesh::edge_node_id(c.a, c.b));
      REQUIRE(made);
      REQUIRE(std::abs((mesh.node(*made).X - origin).dot(normal)) < 1e-15);
    }
    const auto require_side = [&](NodeId id, double sign) {
      const auto at = mesh.find(id);
      REQUIRE(at);
      REQUIRE(!mesh.star(*at).empty());
      for (const LocalIndex e : mesh.star(*at))
        for (const Vec3& X : mesh.corners(e)) REQUIRE(sign * (X - origin).dot(normal) > -1e-15);
    };
    require_side(plan->node, 1);
    require_side(plan->copy, -1);
    REQUIRE(mesh.star(*mesh.find(plan->copy)).size() == plan->moving.size());
  }
  CHECK(cuts > 100);
}
