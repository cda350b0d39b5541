#include "contact/law/obstacle_force.hpp"
#include "contact/obstacle_contact.hpp"
#include "geometry/primitive_overlap.hpp"
#include "geometry/random_tets.hpp"
#include "support/worst.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

namespace {

Obstacle ground(const Response& response)
{
  Obstacle o;
  o.shape = rigid::Shape::half_space;
  o.response = response;
  return o;
}

Obstacle ball(double radius, const Response& response)
{
  Obstacle o;
  o.radius = radius;
  o.response = response;
  return o;
}

rigid::Motion at_start(const Obstacle& o)
{
  return rigid::motion_at(o, 0);
}

Mat34 still()
{
  return Mat34::Zero();
}

/// A tetrahedron that only translates: one mass on contact's total force, plus a constant one.
struct Body {
  Mat34 shape;
  double mass = 1;
  Vec3 constant_force = Vec3::Zero();
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();

  ElementContact contact(const Obstacle& o) const
  {
    return element_contact(o, at_start(o), shape.colwise() + x, v.replicate<1, 4>());
  }
  void step(const Obstacle& o, double dt)
  {
    v += dt / mass * (contact(o).forces.rowwise().sum() + constant_force);
    x += dt * v;
  }
};

/// Speed after bouncing off o once, over the speed before.
double rebound(Body body, const Obstacle& o, double dt)
{
  const double before = body.v.norm();
  bool touched = false;
  for (int k = 0; k < 10000000; ++k) {
    body.step(o, dt);
    const bool touches = body.contact(o).overlap > 0;
    if (touched && !touches) return body.v.norm() / before;
    touched = touched || touches;
  }
  return 0;
}

Mat34 tip_down()
{
  Mat34 p = regular_tet();
  p.row(2) = p(2, 3) - p.row(2).array();
  return p;
}

}  // namespace

TEST_CASE("contact pushes a tetrahedron out of the obstacle", "[contact][response]")
{
  const Response springy{.stiffness = 1e6};
  Random random(21);
  int partly = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Mat34 p = random.tet(1);
    const Obstacle sphere = ball(random.uniform(0.3, 1), springy);
    const rigid::Motion motion{1.2 * random.direction(), Vec3::Zero()};
    const ElementContact contact = element_contact(sphere, motion, p, still());
    const Vec3 force = contact.forces.rowwise().sum();
    CHECK(force.norm() <= 1e6 * contact.overlap * (1 + 1e-12));
    if (contact.overlap == 0) {
      CHECK(same(contact.forces, still()));
      continue;
    }
    const double h = 1e-5;
    const double after = element_contact(sphere, motion, p.colwise() + h * force.normalized(), still()).overlap;
    const bool swallowed = contact.overlap > 0.999 * std::abs(volume_of(p));
    CHECK((swallowed || after < contact.overlap));
    partly += !swallowed;
  }
  CHECK(partly > 50);
  Body body{.shape = regular_tet()};
  body.x.z() = -0.01;
  const Vec3 up = body.contact(ground(springy)).forces.rowwise().sum();
  CHECK(up.z() == Approx(1e6 * body.contact(ground(springy)).overlap));
  CHECK(up.head<2>().norm() == 0);
}

TEST_CASE(
    "corner forces have the net force and moment of one force at the "
    "overlap's centre",
    "[contact][response]")
{
  const Response full{.stiffness = 1e6, .damping = 1e5, .friction_static = 0.4, .friction_dynamic = 0.3};
  Random random(22);
  int touched = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Mat34 p = random.tet(1);
    Mat34 v;
    for (int a = 0; a < 4; ++a) v.col(a) = random.vector(3);
    Obstacle o = trial % 2 == 0 ? ball(random.uniform(0.3, 2), full) : ground(full);
    o.normal = random.direction();
    const rigid::Motion motion{random.vector(0.7), random.vector(3)};
    const ElementContact contact = element_contact(o, motion, p, v);
    if (contact.overlap == 0) continue;
    ++touched;
    const Overlap overlap = o.shape == rigid::Shape::sphere ? overlap_sphere(p, motion.position, o.radius)
                                                            : overlap_half_space(p, motion.position, o.normal);
    const Vec3 force = contact.forces.rowwise().sum();
    Vec3 moment = Vec3::Zero();
    for (int a = 0; a < 4; ++a) moment += Vec3(p.col(a)).cross(Vec3(contact.forces.col(a)));
    CHECK((moment - overlap.centre.cross(force)).norm() < 1e-12 * force.norm());
    // Parallel, so that they do not squeeze the element.
    for (int a = 0; a < 4; ++a) CHECK(Vec3(contact.forces.col(a)).cross(force).norm() < 1e-12 * force.squaredNorm());
  }
  CHECK(touched > 100);
}

TEST_CASE("a normal bounce keeps its energy, better with the square of the step", "[contact][response]")
{
  const Response springy{.stiffness = 1e4};
  auto check = [](const Body& body, const Obstacle& o) {
    const double fine = std::abs(rebound(body, o, 1e-5) - 1);
    CAPTURE(fine);
    CHECK(2 * fine < 1e-3);
    // The step in which the body leaves makes single errors jump: compare the worst of several phases.
    auto worst = [&](double dt) {
      double error = 0;
      for (int k = 0; k < 10; ++k) {
        Body shifted = body;
        shifted.x += 0.1 * k * dt * body.v;
        test::keep_worst(error, std::abs(rebound(shifted, o, dt) - 1));
      }
      return error;
    };
    const double coarse = worst(8e-4), half = worst(2e-4);
    CAPTURE(coarse, half);
    CHECK(half < coarse / 8);
  };
  Body body{.shape = regular_tet()};
  SECTION("face first on a plane")
  {
    body.x.z() = 0.01, body.v.z() = -1;
    check(body, ground(springy));
  }
  SECTION("tip first on a plane")
  {
    body.shape = tip_down(), body.x.z() = 0.01, body.v.z() = -1;
    check(body, ground(springy));
  }
  SECTION("face first on a ball")
  {
    body.x.z() = 0.51, body.v.z() = -1;
    check(body, ball(0.5, springy));
  }
  SECTION("tip first on a ball")
  {
    body.shape = tip_down(), body.x.z() = 0.51, body.v.z() = -1;
    check(body, ball(0.5, springy));
  }
}

TEST_CASE("damping takes energy and contact never pulls", "[contact][response]")
{
  Body body{.shape = regular_tet()};
  body.x.z() = 0.01, body.v.z() = -1;
  double last = 1 - 1e-6;
  for (const double damping : {1e2, 1e3, 1e4}) {
    const Obstacle o = ground({.stiffness = 1e4, .damping = damping});
    const double ratio = rebound(body, o, 1e-5);
    CHECK(ratio < last);
    last = ratio;
  }
  body.x.z() = -0.01, body.v.z() = 1e3;  // torn out faster than damping likes
  CHECK(same(body.contact(ground({.stiffness = 1e4, .damping = 1e4, .friction_static = 1})).forces, still()));
}

TEST_CASE("friction only takes power, at most the coefficient times the normal force", "[contact][friction]")
{
  const Response r{.stiffness = 1e6, .friction_static = 0.6, .friction_dynamic = 0.4, .slip_speed = 0.1};
  Body body{.shape = regular_tet()};
  body.x.z() = -0.01;
  const double normal = 1e6 * body.contact(ground(r)).overlap;
  auto friction = [&](double speed) {
    body.v = Vec3(0.6, -0.8, 0) * speed;
    const Vec3 force = body.contact(ground(r)).forces.rowwise().sum();
    CHECK(force.z() == Approx(normal));
    const Vec3 across(force.x(), force.y(), 0);
    CHECK(across.cross(body.v).norm() < 1e-9);
    CHECK(across.dot(body.v) <= 0);
    return across.norm() / normal;
  };
  CHECK(friction(0) == 0);
  CHECK(friction(0.05) == Approx(0.3));
  CHECK(friction(0.1) == Approx(0.6));
  CHECK(friction(0.15) == Approx(0.5));
  CHECK(friction(0.2) == Approx(0.4));
  CHECK(friction(30) == Approx(0.4));
}

TEST_CASE("a sliding tetrahedron slows down by mu g, one below the cone stays", "[contact][friction]")
{
  const double g = 9.81, dt = 2e-5;
  const Response r{
      .stiffness = 1e5, .damping = 2e4, .friction_static = 0.5, .friction_dynamic = 0.3, .slip_speed = 1e-3};
  const Obstacle o = ground(r);
  Body body{.shape = regular_tet(), .constant_force = Vec3(0, 0, -g)};
  body.x.z() = -body.mass * g / (1e5 * std::sqrt(3.0) / 4);  // rests there
  SECTION("sliding")
  {
    body.v.x() = 1;
    for (int k = 0; k < 10000; ++k) body.step(o, dt);
    CHECK((1 - body.v.x()) / (10000 * dt) == Approx(0.3 * g).epsilon(0.02));
    for (int k = 0; k < 10000; ++k) body.step(o, dt);
    CHECK(std::abs(body.v.x()) < 1e-6);
  }
  SECTION("pushed by less than the cone")
  {
    body.constant_force.x() = 0.4 * g;
    for (int k = 0; k < 20000; ++k) body.step(o, dt);
    CHECK(body.v.x() == Approx(0.4 / 0.5 * r.slip_speed).epsilon(0.02));
  }
  SECTION("pushed by more")
  {
    body.constant_force.x() = 0.6 * g;
    for (int k = 0; k < 20000; ++k) body.step(o, dt);
    CHECK(body.v.x() / (20000 * dt) == Approx((0.6 - 0.3) * g).epsilon(0.02));
  }
}

TEST_CASE("contact depends on relative motion only", "[contact][response]")
{
  const Response full{.stiffness = 1e6, .damping = 1e5, .friction_static = 0.4, .friction_dynamic = 0.3};
  Random random(23);
  const Mat34 p = random.tet(1);
  const Vec3 centre = p.col(0), shift = random.vector(1);
  Mat34 v;
  for (int a = 0; a < 4; ++a) v.col(a) = random.vector(3);
  const Obstacle o = ball(0.6, full);
  const Mat34 one = element_contact(o, {centre, Vec3::Zero()}, p, v).forces;
  const Mat34 two = element_contact(o, {centre, shift}, p, v.colwise() + shift).forces;
  CHECK(one.norm() > 0);
  CHECK((one - two).norm() < 1e-12 * one.norm());
}

TEST_CASE("the force on a tetrahedron is continuous while a ball swallows it", "[contact][response]")
{
  const Obstacle o = ball(1, {.stiffness = 1});
  Random random(24);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat34 p = 0.3 * random.tet(1);
    const Vec3 begin = 1.5 * random.direction(), end = 0.3 * random.vector(1);
    Mat34 last = still();
    const int steps = 20000;
    double jump = 0, largest = 0;
    for (int k = 0; k <= steps; ++k) {
      const Vec3 centre = begin + (end - begin) * k / steps;
      const Mat34 forces = element_contact(o, {centre, Vec3::Zero()}, p, still()).forces;
      jump = std::max(jump, (forces - last).norm());
      largest = std::max(largest, forces.norm());
      last = forces;
    }
    CAPTURE(trial, jump, largest);
    CHECK(largest > 0);
    CHECK(jump < 0.02 * largest);
  }
  // Where no way out is better than another there is no force.
  const Mat34 big = 20 * regular_tet();
  CHECK(element_contact(o, {big.rowwise().mean(), Vec3::Zero()}, big, still()).forces.norm() < 1e-9);
}

TEST_CASE("an obstacle is where its fixed place, its start or its path says", "[contact][motion]")
{
  Obstacle o;
  o.position = Vec3(1, 2, 3), o.velocity = Vec3(0, 0, -2);
  SECTION("fixed")
  {
    CHECK(rigid::motion_at(o, 5).position == o.position);
    CHECK(rigid::motion_at(o, 5).velocity == Vec3(0, 0, 0));
  }
  SECTION("free: where it begins")
  {
    o.motion = rigid::MotionKind::free;
    CHECK(rigid::motion_at(o, 5).position == o.position);
    CHECK(rigid::motion_at(o, 5).velocity == o.velocity);
  }
  SECTION("path without waypoints")
  {
    o.motion = rigid::MotionKind::path;
    CHECK(rigid::motion_at(o, 5).position == Vec3(1, 2, -7));
    CHECK(rigid::motion_at(o, 5).velocity == o.velocity);
  }
  SECTION("path with waypoints")
  {
    o.motion = rigid::MotionKind::path;
    o.path = {{1, Vec3(0, 0, 0)}, {2, Vec3(4, 0, 0)}, {4, Vec3(4, -2, 0)}};
    auto is = [&](double t, const Vec3& position, const Vec3& velocity) {
      const rigid::Motion motion = rigid::motion_at(o, t);
      CAPTURE(t);
      CHECK((motion.position - position).norm() < 1e-15);
      CHECK((motion.velocity - velocity).norm() < 1e-15);
    };
    is(-1, Vec3(0, 0, 0), Vec3(0, 0, 0));
    is(1, Vec3(0, 0, 0), Vec3(4, 0, 0));
    is(1.25, Vec3(1, 0, 0), Vec3(4, 0, 0));
    is(2, Vec3(4, 0, 0), Vec3(0, -1, 0));
    is(3, Vec3(4, -1, 0), Vec3(0, -1, 0));
    is(4, Vec3(4, -2, 0), Vec3(0, 0, 0));
    is(9, Vec3(4, -2, 0), Vec3(0, 0, 0));
    o.path.resize(1);
    is(0, Vec3(0, 0, 0), Vec3(0, 0, 0));
    is(2, Vec3(0, 0, 0), Vec3(0, 0, 0));
  }
}
