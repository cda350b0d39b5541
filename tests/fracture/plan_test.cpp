#include "fracture/plan.hpp"

#include "fracture/apply.hpp"
#include "fracture/star.hpp"
#include "mesh/lineage.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace sunder;
using namespace sunder::test::star;

TEST_CASE("a plan cuts the edges that cross the plane, where they cross it", "[fracture][plan]")
{
  const Star star;
  const double a = 0.3;
  const auto plan = star.plan(tilted(a), plain());
  CHECK(cuts_of(star, plan) == both);
  const double over = 0.12 * std::cos(a), under = 0.2 * std::sin(a);  // distances of two ends from the plane
  CHECK(share_from(star, *plan, up, left) == Approx(over / (over + under)).epsilon(1e-14));
  CHECK(plan->node == star.model.mesh.node(star.middle()).id);
  // Four of the eight elements are cut in two. Half of the twelve are below: two whole ones, four children.
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

TEST_CASE("the other normal of a plane gives the same elements to the other side", "[fracture][plan]")
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

TEST_CASE("a plane with all elements on one side gives no plan", "[fracture][plan]")
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
