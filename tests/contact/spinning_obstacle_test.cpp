#include "contact/law/obstacle_force.hpp"
#include "contact/obstacle_contact.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace sunder;
using namespace sunder::contact;

namespace {

using Law = ElementContact (*)(const Obstacle&, const rigid::Motion&, const Mat34&, const Mat34&);
constexpr std::array<Law, 2> laws{element_contact, element_contact_by_nodes};

constexpr double friction = 0.4;

Obstacle ball()
{
  Obstacle o;
  o.motion = rigid::MotionKind::path, o.radius = 0.5, o.position = Vec3(0, 0, -0.5);
  o.response = {.stiffness = 1e5, .damping = 1e3, .friction_static = friction, .friction_dynamic = friction};
  return o;
}

Obstacle plate()
{
  Obstacle o = ball();
  o.shape = rigid::Shape::box, o.size = Vec3(2, 2, 0.4), o.position = Vec3(0.3, -0.2, -0.2);
  return o;
}

/// An element that sinks a little into what is below z = 0.
Mat34 on_top()
{
  Mat34 p;
  p << -0.05, 0.1, -0.05, 0.02,  //
      -0.1, 0, 0.1, 0.03,        //
      -0.01, -0.012, -0.008, 0.1;
  return p;
}

/// Velocities of points that turn with a body.
Mat34 carried(const rigid::Motion& motion, const Mat34& p)
{
  Mat34 v;
  for (int a = 0; a < 4; ++a) v.col(a) = motion.velocity + motion.spin.cross(p.col(a) - motion.position);
  return v;
}

Vec3 total(const ElementContact& contact)
{
  return contact.forces.rowwise().sum();
}

}  // namespace

TEST_CASE("what moves with the surface of a spinning obstacle is pressed, and neither rubbed nor damped",
          "[contact][spin]")
{
  for (Obstacle o : {ball(), plate()})
    for (const Law law : laws) {
      o.velocity = Vec3(3, -2, 0.5), o.spin = Vec3(4, 7, -5);
      const rigid::Motion motion = rigid::motion_at(o, 0);
      const Mat34 p = on_top();
      Obstacle smooth = o;
      smooth.response.friction_static = smooth.response.friction_dynamic = smooth.response.damping = 0;
      const Vec3 pressed = total(law(smooth, motion, p, Mat34::Zero()));
      REQUIRE(pressed.norm() > 0);
      CHECK((total(law(o, motion, p, carried(motion, p))) - pressed).norm() < 1e-9 * pressed.norm());
      CHECK((total(law(o, motion, p, Mat34::Zero())) - pressed).norm() > 0.1 * pressed.norm());  // rubbed
    }
}

TEST_CASE("the surface of a spinning obstacle drags along what rests on it, by friction times pressure",
          "[contact][spin]")
{
  for (Obstacle o : {ball(), plate()})
    for (const Law law : laws) {
      o.spin = Vec3(0, 20, 0);  // what is above it is dragged to x
      const rigid::Motion motion = rigid::motion_at(o, 0);
      Obstacle smooth = o;
      smooth.response.friction_static = smooth.response.friction_dynamic = 0;
      const ElementContact rubbed = law(o, motion, on_top(), Mat34::Zero());
      const Vec3 pressed = total(law(smooth, motion, on_top(), Mat34::Zero())), drag = total(rubbed) - pressed;
      REQUIRE(pressed.norm() > 0);
      CHECK(drag.norm() == Approx(friction * pressed.norm()).epsilon(0.01));  // not all normals are parallel
      CHECK(drag.x() > 0.95 * drag.norm());
      // What it gives it loses: a torque against its spin, of the drag at its arm.
      const double arm = 0 - motion.position.z();
      CHECK(rubbed.torque.y() ==
            Approx(law(smooth, motion, on_top(), Mat34::Zero()).torque.y() - arm * drag.norm()).epsilon(0.05));
    }
}

TEST_CASE("points of an obstacle on a path move as its velocity and spin say", "[contact][spin]")
{
  Obstacle o = plate();
  o.velocity = Vec3(1, 2, -0.5), o.spin = Vec3(3, -1, 2);
  o.rotation_axis = Vec3(2, -1, 2) / 3, o.rotation_angle = 0.7;
  const Vec3 own(0.9, -0.8, 0.2);  // a corner nearly, along the box's own axes
  const auto at = [&](double t) {
    const rigid::Motion s = rigid::motion_at(o, t);
    return Vec3(s.position + s.orientation * own);
  };
  for (const double t : {0.0, 0.3}) {
    const rigid::Motion s = rigid::motion_at(o, t);
    const Vec3 speed = s.velocity + s.spin.cross(s.orientation * own);
    CHECK(speed.norm() <= rigid::greatest_speed(o, s));
    const auto error = [&](double h) { return ((at(t + h) - at(t - h)) / (2 * h) - speed).norm(); };
    CHECK(error(2e-3) / error(1e-3) == Approx(4).epsilon(0.01));
  }
}

TEST_CASE("a free ball that spins on a block gives it momentum and angular momentum, and keeps none of them twice",
          "[contact][spin][momentum]")
{
  // The block is a heap of nodes that contact alone moves.
  const mesh::MeshData mesh = test::box_mesh(4, 4, 2, 0.05);
  std::vector<Tet> tets;
  for (const auto& t : mesh.tets)
    tets.push_back({static_cast<LocalIndex>(t[0]), static_cast<LocalIndex>(t[1]), static_cast<LocalIndex>(t[2]),
                    static_cast<LocalIndex>(t[3])});
  const std::vector<std::uint8_t> primary(tets.size(), 1);
  for (const ContactCriterion criterion : {ContactCriterion::overlap, ContactCriterion::nodes}) {
    std::vector<Row4> p(mesh.nodes.size()), v(mesh.nodes.size());
    for (std::size_t n = 0; n < p.size(); ++n) p[n].set_xyz(mesh.nodes[n]);
    Obstacle o = ball();
    o.motion = rigid::MotionKind::free, o.mass = 1, o.radius = 0.08, o.position = Vec3(0.09, 0.11, 0.175);
    o.velocity = Vec3(0, 0, -2), o.spin = Vec3(5, 60, 20);
    o.response.stiffness = 1e7, o.response.damping = 1e4;
    ObstacleContact contact({o}, criterion);
    rigid::Motion motion = rigid::motion_at(o, 0);
    constexpr double node_mass = 0.1, dt = 1e-4;
    const auto momenta = [&] {
      struct {
        Vec3 linear, angular;
      } sum{o.mass * motion.velocity, motion.position.cross(o.mass * motion.velocity) + motion.angular_momentum};
      for (std::size_t n = 0; n < p.size(); ++n) {
        sum.linear += node_mass * v[n].xyz();
        sum.angular += p[n].xyz().cross(node_mass * v[n].xyz());
      }
      return sum;
    };
    const auto before = momenta();
    const Vec3 spin_before = motion.angular_momentum;
    double work = 0;
    for (int step = 0; step < 200; ++step) {
      std::vector<Row4> f(p.size());
      Resultants resultants(contact.obstacles());
      double fastest = 0;
      for (const Row4& row : v) fastest = std::max(fastest, row.xyz().norm());
      contact.add_forces(tets, primary, p, v, fastest, dt, std::vector{motion}, f, resultants);
      const auto [force, torque] = resultants.on(0);
      work += rigid::move_free(o, force, torque, Vec3::Zero(), dt, motion);
      for (std::size_t n = 0; n < p.size(); ++n) {
        v[n].set_xyz(v[n].xyz() + dt / node_mass * f[n].xyz());
        p[n].set_xyz(p[n].xyz() + dt * v[n].xyz());
      }
    }
    const auto after = momenta();
    CHECK((after.linear - before.linear).norm() < 1e-13 * before.linear.norm());
    CHECK((after.angular - before.angular).norm() < 1e-13 * before.angular.norm());
    // It was braked about y and threw the block towards -x, itself towards x.
    const Vec3 lost = spin_before - motion.angular_momentum;
    CAPTURE(lost, spin_before, motion.velocity);
    CHECK(lost.y() > 0.05 * spin_before.y());
    CHECK(motion.velocity.x() > 0.1);
    CHECK(work < 0);
  }
}
