/// What counts as lying on the plane: each rule of docs/fracture.md, on either side of its bound.

#include "fracture/apply.hpp"
#include "fracture/star.hpp"
#include "support/by_hand.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace sunder;
using namespace sunder::test::star;

namespace {

/// The lowest of the elements that the plan leaves, by carrying it out.
double lowest_after(element::Model model, const fracture::Plan& plan)
{
  fracture::MeshDelta delta;
  fracture::apply(model, plan, delta);
  double lowest = 1;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.alive(e)) lowest = std::min(lowest, test::height_of(model.mesh, e));
  return lowest;
}

constexpr double little = 1e-6;  // relative, to either side of a bound

}  // namespace

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
  // One of the children above the left end or below the right one: the latter's are smaller.
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
