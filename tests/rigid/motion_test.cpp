#include "rigid/motion.hpp"
#include "support/solids.hpp"
#include "support/worst.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::rigid;

namespace {

Body free_box()
{
  Body o;
  o.shape = Shape::box, o.motion = MotionKind::free, o.size = Vec3(0.3, 0.2, 0.05), o.mass = 7;
  o.rotation_axis = Vec3(1, 2, 2) / 3, o.rotation_angle = 0.6;
  return o;
}

}  // namespace

TEST_CASE("a box has the inertia of a solid one", "[rigid][rigid]")
{
  const Body box = free_box();
  const int n = 60;  // midpoints of n^3 cells: the error goes as 1/n^2
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < n * n * n; ++k) {
    const Vec3 cell(k % n, k / n % n, k / (n * n));
    const Vec3 squares = (box.size.cwiseProduct((cell + Vec3::Constant(0.5)) / n - Vec3::Constant(0.5))).cwiseAbs2();
    sum += Vec3::Constant(squares.sum()) - squares;
  }
  CHECK((box.mass / (n * n * n) * sum - principal_inertia(box)).norm() < 1e-3 * principal_inertia(box).norm());
}

TEST_CASE("a tumbling box keeps angular momentum and energy", "[rigid][rigid]")
{
  Body box = free_box();
  const Eigen::Quaterniond start(Eigen::AngleAxisd(box.rotation_angle, box.rotation_axis));
  box.spin = start * Vec3(0.1, 30, 0.2);  // nearly about the middle axis: it turns over and over
  Motion motion = motion_at(box, 0);
  CHECK((spin_of(box, motion) - box.spin).norm() < 1e-12 * box.spin.norm());
  const Vec3 momentum = motion.angular_momentum;
  const double energy = kinetic_energy(box, motion);
  double worst = 0, least = 1, most = -1;
  for (int step = 0; step < 200000; ++step) {
    move_free(box, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), 1e-4, motion);
    test::keep_worst(worst, std::abs(kinetic_energy(box, motion) / energy - 1));
    const double along = (motion.orientation.conjugate() * motion.spin).y() / 30;
    least = std::min(least, along), most = std::max(most, along);
  }
  CHECK(motion.angular_momentum == momentum);
  CHECK(worst < 1e-5);
  CHECK(least < -0.95);
  CHECK(most > 0.95);
  CHECK(std::abs(motion.orientation.norm() - 1) < 1e-15);
}

TEST_CASE("a symmetric body precesses about its angular momentum at the rate of Euler's solution", "[rigid][rigid]")
{
  Body top = free_box();
  top.size = Vec3(0.2, 0.2, 0.05);  // its axis is the third one
  const Eigen::Quaterniond start(Eigen::AngleAxisd(top.rotation_angle, top.rotation_axis));
  top.spin = start * Vec3(3, 4, 40);
  const double m = top.mass, across = m / 12 * (0.2 * 0.2 + 0.05 * 0.05), along = m / 12 * 2 * 0.2 * 0.2;
  const Vec3 momentum = start * Vec3(across * 3, across * 4, along * 40);
  // Both the axis and the spin go round the momentum at |L| over the moment of inertia across the axis.
  const double end = 0.5, rate = momentum.norm() / across;
  const Mat3 turn = Eigen::AngleAxisd(rate * end, momentum.normalized()).toRotationMatrix();
  struct Error {
    double axis, spin;
  };
  const auto error = [&](int steps) {
    Motion motion = motion_at(top, 0);
    CHECK((motion.angular_momentum - momentum).norm() < 1e-14 * momentum.norm());
    for (int step = 0; step < steps; ++step)
      move_free(top, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), end / steps, motion);
    return Error{(motion.orientation * Vec3::UnitZ() - turn * (start * Vec3::UnitZ())).norm(),
                 (motion.spin - turn * top.spin).norm()};
  };
  const Error coarse = error(2000), fine = error(4000);
  CHECK(coarse.axis < 1e-3);
  CHECK(coarse.axis / fine.axis == Approx(16).epsilon(0.02));
  CHECK(coarse.spin / fine.spin == Approx(16).epsilon(0.02));
  const Error small = error(40000), smaller = error(80000);  // steps so small that they are of second order
  CHECK(small.axis / smaller.axis == Approx(4).epsilon(0.02));
}

TEST_CASE("orientation is integrated to second order in small steps, to fourth in larger ones", "[rigid][rigid]")
{
  Body box = free_box();
  box.spin = Vec3(9, -4, 7);
  const auto end = [&](int steps) {
    Motion motion = motion_at(box, 0);
    for (int step = 0; step < steps; ++step)
      move_free(box, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), 0.5 / steps, motion);
    return motion.orientation;
  };
  const Eigen::Quaterniond exact = end(4000);  // of fourth order: more exact than the others
  CHECK(end(8000).angularDistance(exact) / end(16000).angularDistance(exact) == Approx(4).epsilon(0.05));
  CHECK(end(150).angularDistance(exact) / end(300).angularDistance(exact) == Approx(16).epsilon(0.1));
}

TEST_CASE("what force and torque do to a free obstacle is the energy it gains", "[rigid][rigid]")
{
  Body ball = free_box();
  ball.shape = Shape::sphere, ball.radius = 0.2;
  for (Body o : {free_box(), ball}) {
    o.velocity = Vec3(1, 2, 3), o.spin = Vec3(5, -4, 3);
    Motion motion = motion_at(o, 0);
    const Motion before = motion;
    const Vec3 force(30, -20, 10), torque(3, 2, -1);
    const double dt = 1e-6;  // orientation turns by so little that energy is that of the kick
    const double work = move_free(o, force, torque, Vec3::Zero(), dt, motion);
    CHECK((motion.velocity - before.velocity - dt / o.mass * force).norm() < 1e-14);
    CHECK((motion.angular_momentum - before.angular_momentum - dt * torque).norm() < 1e-14);
    CHECK(work == Approx(dt * (force.dot(before.velocity) + torque.dot(before.spin))).epsilon(1e-3));
    CHECK(kinetic_energy(o, motion) - kinetic_energy(o, before) == Approx(work).epsilon(1e-6));
  }
}

TEST_CASE("an obstacle on a path turns at a constant rate", "[rigid][rigid]")
{
  Body o = free_box();
  o.motion = MotionKind::path, o.spin = Vec3(0, 0, 2);
  const Motion first = motion_at(o, 0), later = motion_at(o, 0.4);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.8, Vec3::UnitZ()));
  CHECK(later.orientation.angularDistance(turn * first.orientation) < 1e-15);
  CHECK(later.spin == o.spin);
  // On a circle it is carried like a thing on an arm: every point of it goes round.
  o.spin = Vec3::Zero(), o.position = Vec3(1, 0, 0), o.circle = Circle{.center = Vec3(0, 0.5, 0), .rate = 2};
  const Motion carried = motion_at(o, 0.4);
  const Vec3 own(0.1, -0.2, 0.05);
  const Vec3 start = o.position + first.orientation * own;
  CHECK((carried.position + carried.orientation * own - o.circle->center - turn * (start - o.circle->center)).norm() <
        1e-15);
  CHECK(carried.spin == Vec3(0, 0, 2));
  o.motion = MotionKind::fixed;
  CHECK(motion_at(o, 0.4).orientation.coeffs() == first.orientation.coeffs());
  CHECK(motion_at(o, 0.4).spin == Vec3::Zero());
}

TEST_CASE("cylinders and capsules have the inertia of their meshes", "[rigid]")
{
  for (const bool capsule : {false, true})
    for (const double length : {0.2, 1.0, 5.0}) {
      Body round;
      round.shape = capsule ? Shape::capsule : Shape::cylinder, round.motion = MotionKind::free;
      round.radius = 0.4, round.length = length, round.mass = 7;
      Body mesh = round;
      mesh.shape = Shape::mesh, mesh.surface = test::surface_of(test::round_bar(0.4, length, capsule, 400));
      Vec3 exact = principal_inertia(round), found = principal_inertia(mesh);
      std::sort(exact.begin(), exact.end()), std::sort(found.begin(), found.end());
      CAPTURE(capsule, length, exact.transpose(), found.transpose());
      CHECK((found - exact).norm() < 3e-4 * exact.norm());
    }
}

TEST_CASE(
    "a mesh stands where its file's coordinates say, turned about their origin, and turns about its centre of mass",
    "[rigid]")
{
  Body body;
  body.shape = Shape::mesh, body.motion = MotionKind::path, body.spin = Vec3(0, 0, 2);
  body.surface = test::surface_of(test::brick({1, 2, 3}, {5, 0, 0}));
  body.position = Vec3(0, 0, 7), body.rotation_axis = Vec3::UnitZ(), body.rotation_angle = std::numbers::pi / 2;
  const Motion start = motion_at(body, 0), later = motion_at(body, 0.5);
  CHECK((start.position - Vec3(0, 5, 7)).norm() < 1e-12);
  CHECK((later.position - start.position).norm() < 1e-12);
  // The corner (5.5, 1, 1.5) of the file.
  const Vec3 own = body.surface->axes().transpose() * Vec3(0.5, 1, 1.5);
  CHECK((start.position + start.orientation * own - Vec3(-1, 5.5, 8.5)).norm() < 1e-12);
  CHECK(later.orientation.angularDistance(start.orientation) == Approx(1));
  body.path = {{0, Vec3(0, 0, 7)}, {1, Vec3(0, 0, 9)}};
  CHECK((motion_at(body, 0.5).position - Vec3(0, 5, 8)).norm() < 1e-12);
}

TEST_CASE("a roller that turns about its axis moves no surface", "[rigid]")
{
  Body roller;
  roller.shape = Shape::cylinder, roller.motion = MotionKind::path, roller.radius = 0.1, roller.length = 0.4;
  roller.axis = Vec3::UnitY(), roller.spin = Vec3(0, 500, 0);
  CHECK(greatest_speed(roller, motion_at(roller, 0.3)) < 1e-9);
  CHECK(angle_between(roller, motion_at(roller, 0), motion_at(roller, 0.3)) < 1e-9);
  roller.spin = Vec3(500, 0, 0);
  CHECK(greatest_speed(roller, motion_at(roller, 0.3)) == Approx(500 * std::hypot(0.1, 0.2)));
}

TEST_CASE("a thousand tumbling bodies keep their momenta, and their energies do not drift", "[rigid][rigid]")
{
  double worst_momentum = 0, worst_energy = 0;
  for (int k = 0; k < 1000; ++k) {
    const auto random = [k](double low, double high, int i) {
      return low + (high - low) * (0.5 + 0.5 * std::sin(12.9898 * (k + 1) + 78.233 * i));
    };
    Inertia inertia{random(0.1, 2, 0), {random(0.6, 1, 1), random(0.7, 1, 2), random(0.8, 1, 3)}, Mat3::Identity()};
    inertia.axes = Eigen::AngleAxisd(random(0, 3, 4), Vec3(1, 2, 2) / 3).toRotationMatrix();
    Motion motion;
    motion.angular_momentum = Vec3(random(-1, 1, 5), random(-1, 1, 6), random(0.1, 1, 7));
    motion.spin = spin_of(inertia, motion);
    const Vec3 momentum = motion.angular_momentum;
    const double turn = 2 * 3.14159265 / motion.spin.norm(), before = kinetic_energy(inertia, motion);
    // Steps from a hundredth of a turn to several turns: what a flight without contact may be given.
    const double step = turn * (k == 0 ? 0.01 : random(0.01, 3, 8));
    const double turns = k == 0 ? 10000 : 20;
    for (double t = 0; t < turns * turn; t += step) {
      drift(inertia, step, motion);
      test::keep_worst(worst_energy, std::abs(kinetic_energy(inertia, motion) / before - 1));
    }
    test::keep_worst(worst_momentum, (motion.angular_momentum - momentum).norm());
  }
  CHECK(worst_momentum == 0);
  CHECK(worst_energy < 1e-6);  // at all times
}
