#include "contact/law/obstacle_force.hpp"
#include "contact/law/penalty.hpp"
#include "support/cube_mesh.hpp"
#include "support/solids.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace sunder;
using contact::Obstacle;

namespace {

Obstacle bar(rigid::Shape shape, double radius, double length, const Vec3& axis = Vec3::UnitZ())
{
  Obstacle o;
  o.name = "bar", o.shape = shape, o.radius = radius, o.length = length, o.axis = axis.normalized();
  o.response.stiffness = 1e6, o.mass = 3, o.motion = rigid::MotionKind::free;
  return o;
}

Obstacle solid(test::Solid s)
{
  Obstacle o;
  o.name = "solid", o.shape = rigid::Shape::mesh, o.surface = test::surface_of(std::move(s));
  o.response.stiffness = 1e6, o.mass = 3, o.motion = rigid::MotionKind::free;
  return o;
}

Mat34 some_tet(std::uint64_t seed, double size, double spread = 1)
{
  Mat34 p;
  const Vec3 at = spread * test::random_vector(seed, 9);
  for (int a = 0; a < 4; ++a) p.col(a) = at + size * test::random_vector(seed, static_cast<std::uint64_t>(a));
  return p;
}

rigid::Motion at_rest(const Obstacle& o)
{
  return rigid::motion_at(o, 0);
}

}  // namespace

TEST_CASE("a cylinder with flat ends, far from its edge, is the half-space behind an end", "[contact][obstacle_shapes]")
{
  const Vec3 axis = Vec3(1, -2, 2) / 3;
  Obstacle cylinder = bar(rigid::Shape::cylinder, 50, 10, axis);
  cylinder.position = -5 * axis;  // the end is at the origin
  const rigid::Motion motion = at_rest(cylinder);
  for (std::uint64_t k = 0; k < 100; ++k) {
    const Mat34 p = some_tet(k, 0.3, 0.3);
    const auto exact = geometry::overlap_half_space(p, Vec3::Zero(), axis);
    const auto found = contact::overlap_with(cylinder, motion, p);
    CHECK(found.volume == Approx(exact.volume).margin(1e-12));
    if (exact.volume > 1e-6) {
      CHECK((found.centre - exact.centre).norm() < 1e-8);
      CHECK((contact::contact_normal(found, cylinder, motion) - axis).norm() <
            1e-3);  // slivers: the way out of a cylinder, too
    }
  }
}

TEST_CASE("a capsule without length is a sphere, to the error of its facets", "[contact][obstacle_shapes]")
{
  const Obstacle capsule = bar(rigid::Shape::capsule, 0.5, 1e-9);
  Obstacle sphere;
  sphere.shape = rigid::Shape::sphere, sphere.radius = 0.5, sphere.response = capsule.response;
  double exact = 0, error = 0, force = 0, force_error = 0;
  for (std::uint64_t k = 0; k < 300; ++k) {
    const Mat34 p = some_tet(k, 0.2, 0.6);
    const auto a = contact::element_contact(sphere, at_rest(sphere), p, Mat34::Zero());
    const auto b = contact::element_contact(capsule, at_rest(capsule), p, Mat34::Zero());
    exact += a.overlap, error += std::abs(a.overlap - b.overlap);
    force += a.forces.norm(), force_error += (a.forces - b.forces).norm();
  }
  CHECK(exact > 0.01);
  CHECK(error < 0.02 * exact);
  CHECK(force_error < 0.03 * force);
}

TEST_CASE("a mesh of a brick presses as the box does, and deep elements go out through the nearest face",
          "[contact][obstacle_shapes]")
{
  const Vec3 size(2, 1.5, 1);
  const Obstacle mesh = solid(test::brick(size));
  Obstacle box = mesh;
  box.shape = rigid::Shape::box, box.size = size;
  double exact = 0, error = 0;
  for (std::uint64_t k = 0; k < 400; ++k) {
    const Mat34 p = some_tet(k, 0.15);
    const auto a = contact::overlap_with(box, at_rest(box), p), b = contact::overlap_with(mesh, at_rest(mesh), p);
    exact += a.volume, error += std::abs(a.volume - b.volume);
  }
  CHECK(exact > 0.05);
  CHECK(error < 0.02 * exact);
  Mat34 deep = some_tet(1, 0.02, 0);
  deep.colwise() += Vec3(0.1, 0.2, 0.35);
  const auto overlap = contact::overlap_with(mesh, at_rest(mesh), deep);
  CHECK(overlap.area.norm() == 0);
  CHECK((contact::contact_normal(overlap, mesh, at_rest(mesh)) - Vec3::UnitZ()).norm() < 1e-12);
  CHECK(contact::depth_in(mesh, at_rest(mesh), Vec3(0.1, 0.2, 0.35)).metres == Approx(0.15));
}

TEST_CASE("the gap of every shape is never more than the true one, and never positive where they meet",
          "[contact][obstacle_shapes]")
{
  const Vec3 axis(1, 2, 3);
  Obstacle turned_brick = solid(test::brick({1, 0.5, 0.25}));
  turned_brick.rotation_axis = axis.normalized(), turned_brick.rotation_angle = 0.8;
  for (const Obstacle& o :
       {bar(rigid::Shape::cylinder, 0.3, 0.8, axis), bar(rigid::Shape::capsule, 0.2, 0.5, axis), turned_brick}) {
    int near = 0;
    for (std::uint64_t k = 0; k < 500; ++k) {
      const Mat34 p = some_tet(k, 0.15);
      const double gap = contact::gap_to(o, at_rest(o), contact::box_around(p));
      const double overlap = contact::overlap_with(o, at_rest(o), p).volume;
      if (overlap > 0) CHECK(gap <= 0);
      near += gap > 0 && gap < 0.3;
      double least = INFINITY;
      for (int a = 0; a < 4; ++a) least = std::min(least, -contact::depth_in(o, at_rest(o), p.col(a)).metres);
      CHECK(gap <= least + 1e-12);
    }
    CHECK(near > 30);
  }
}

TEST_CASE("an element gets as much as the obstacle loses, and the force changes continuously",
          "[contact][obstacle_shapes]")
{
  for (const Obstacle& o : {bar(rigid::Shape::cylinder, 0.3, 0.8), bar(rigid::Shape::capsule, 0.2, 0.5),
                            solid(test::brick({1, 0.5, 0.25}))}) {
    const rigid::Motion motion = at_rest(o);
    for (std::uint64_t k = 0; k < 60; ++k) {
      Mat34 p = some_tet(k, 0.15, 0.4);
      const auto contact = contact::element_contact(o, motion, p, Mat34::Zero());
      Vec3 moment = Vec3::Zero();
      for (int a = 0; a < 4; ++a) moment += p.col(a).cross(contact.forces.col(a));
      CHECK((moment + contact.torque).norm() < 1e-9 * (1 + moment.norm()));
      const Vec3 way = test::random_vector(5, k);
      const double step = 1e-7;
      Mat34 moved = p;
      moved.colwise() += step * way;
      const auto after = contact::element_contact(o, motion, moved, Mat34::Zero());
      const double volume = std::pow(0.3, 3);
      CHECK((after.forces - contact.forces).norm() < 1e6 * volume * 1e3 * step);
    }
  }
}

TEST_CASE("the step of a free obstacle is that of springs all over the surface of its mesh",
          "[contact][obstacle_shapes]")
{
  for (const bool capsule : {false, true})
    for (const double length : {0.1, 1.0, 4.0}) {
      const Obstacle round = bar(capsule ? rigid::Shape::capsule : rigid::Shape::cylinder, 0.3, length);
      const Obstacle mesh = solid(test::round_bar(0.3, length, capsule, 64));
      CAPTURE(capsule, length);
      const double exact = contact::obstacle_step(round), bound = contact::obstacle_step(mesh);
      CHECK(bound <= exact * 1.01);  // moving and turning added up
      CHECK(bound >= exact / std::sqrt(2.0) * 0.98);
    }
}
