#include "contact/law/obstacle_force.hpp"
#include "contact/law/pair_force.hpp"
#include "contact/narrow_phase/node_penetration.hpp"
#include "geometry/random_tets.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

namespace {

constexpr FreeFaces all_faces = 15;

/// Total force and moment about the origin of a touch's forces on both elements' corners.
struct Balance {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();

  Balance(const ElementOverlap& t, const Vec3& on_a, const Mat34& p_a, const Mat34& p_b)
  {
    for (int c = 0; c < 4; ++c) add(p_a.col(c), t.weights_a[c] * on_a), add(p_b.col(c), -t.weights_b[c] * on_a);
  }
  void add(const Vec3& x, const Vec3& f) { force += f, moment += x.cross(f); }
};

Mat34 apart(const Mat34& p, const Vec3& by)
{
  return p.colwise() + by;
}

}  // namespace

TEST_CASE("a node in a tetrahedron is pushed out through the free face, by depth and the surface it stands for",
          "[contact][nodes]")
{
  const Mat34 ground = regular_tet();  // stands on z = 0; its top is its corner 3
  Mat34 spike;                         // hangs upside down below it, its corner 3 in the ground's base
  const double depth = 0.1;
  spike << -1, 1, 0, 0.05, -1, -1, 1, 0.02, -2, -2, -2, depth;
  if (volume_of(spike) < 0) spike.col(0).swap(spike.col(1));
  const FreeFaces base = 1 << 3, two_at_tip = 1 << 0 | 1 << 1;
  const ElementOverlap t = overlap_by_nodes(Side(spike, two_at_tip), Side(ground, base));
  double area = 0;
  for (const int j : {0, 1}) {  // faces opposite corners 0 and 1
    const Vec3 a = spike.col(1 - j), b = spike.col(2), c = spike.col(3);
    area += (b - a).cross(c - a).norm() / 2 / 3;
  }
  CHECK(t.volume == Approx(area * depth));
  CHECK((t.normal + Vec3::UnitZ()).norm() < 1e-12);
  CHECK((t.area + area * Vec3::UnitZ()).norm() < 1e-12);
  CHECK(t.weights_a == Eigen::Vector4d::Unit(3));
  CHECK((ground * t.weights_b - spike.col(3)).norm() < 1e-12);

  const Response r{.stiffness = 5e6};
  const Vec3 force = pair_force(t, r, r.stiffness, 0, spike, Mat34::Zero(), ground, Mat34::Zero());
  CHECK((force + 5e6 * area * depth * Vec3::UnitZ()).norm() < 1e-6);
  // As the elements move, depth follows.
  const Mat34 lower = apart(spike, Vec3(0.3, 0.1, -0.04));
  const Vec3 less = pair_force(t, r, r.stiffness, 0, lower, Mat34::Zero(), ground, Mat34::Zero());
  CHECK((less + 5e6 * area * (depth - 0.04) * Vec3::UnitZ()).norm() < 1e-6);

  CHECK(overlap_by_nodes(Side(spike, two_at_tip), Side(ground, 0)).volume == 0);  // no way out
  CHECK(overlap_by_nodes(Side(spike, 1 << 3), Side(ground, base)).volume == 0);   // no surface at the node
  CHECK(overlap_by_nodes(Side(apart(spike, Vec3(0, 0, -0.2)), 15), Side(ground, 15)).volume == 0);
}

TEST_CASE("all elements around a node press once, by the surface around it", "[contact][nodes]")
{
  // Six elements around a node of a flat surface at z = 0, their free faces a hexagon, pressed into a large element.
  const double depth = 0.02;
  const Vec3 centre(0, 0, -depth), top(0.1, 0.05, 1);
  Mat34 ground;
  ground << -5, 5, 0, 0, -5, -5, 5, 0, 0, 0, 0, -5;
  if (volume_of(ground) < 0) ground.col(0).swap(ground.col(1));
  double volume = 0, hexagon = 0;
  for (int k = 0; k < 6; ++k) {
    const auto rim = [](int i) {
      const double angle = 1.0471975511965976 * i;
      return Vec3(std::cos(angle), std::sin(angle), 0.5);  // above the ground
    };
    Mat34 p;
    p << centre, rim(k), rim(k + 1), top;
    FreeFaces below = 1 << 3;
    hexagon += (rim(k) - centre).cross(rim(k + 1) - centre).norm() / 2;
    volume += overlap_by_nodes(Side(p, below), Side(ground, 1 << 3)).volume;
  }
  CHECK(volume == Approx(hexagon / 3 * depth).epsilon(1e-10));
}

TEST_CASE("forces by nodes keep momentum and angular momentum", "[contact][nodes]")
{
  Random random(71);
  const Response full{
      .stiffness = 1e6, .damping = 1e3, .friction_static = 0.4, .friction_dynamic = 0.3, .slip_speed = 0.1};
  int touching = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Mat34 p = random.tet(1), q = apart(random.tet(0.8), random.vector(0.5));
    for (Mat34* corners : {&p, &q})
      if (volume_of(*corners) < 0) corners->col(1).swap(corners->col(2));
    const Side a(p, all_faces), b(q, all_faces);
    const ElementOverlap ab = overlap_by_nodes(a, b), ba = overlap_by_nodes(b, a);
    REQUIRE(ab.volume == Approx(ba.volume).epsilon(1e-12));
    if (ab.volume == 0) continue;
    ++touching;
    REQUIRE(overlap_tets(p, q).volume > 0);  // a node inside means that the two overlap: lists of pairs serve both
    const Vec3 force = pair_force(ab, full, full.stiffness, 0, p, random.tet(1), q, random.tet(1));
    const Balance balance(ab, force, p, q);
    CHECK(balance.force.norm() < 1e-12 * force.norm());
    CHECK(balance.moment.norm() < 1e-11 * force.norm());
    CHECK((ab.normal + ba.normal).norm() < 1e-12);
  }
  CHECK(touching > 300);
}

TEST_CASE("a node in an obstacle is pushed to its nearest surface", "[contact][nodes]")
{
  Obstacle floor, ball, box;
  floor.shape = rigid::Shape::half_space, floor.normal = Vec3(0, 0.6, 0.8);
  ball.radius = 0.5, ball.position = Vec3(1, 2, 3);
  box.shape = rigid::Shape::box, box.size = Vec3(2, 1, 0.4), box.rotation_axis = Vec3::UnitX(),
  box.rotation_angle = 0.5;
  const auto depth = [](const Obstacle& o, const Vec3& x) { return depth_in(o, rigid::motion_at(o, 0), x); };
  CHECK(depth(floor, Vec3(3, -1, 0)).metres == Approx(0.6));
  CHECK(depth(floor, Vec3(3, 0, 0.1)).metres == Approx(-0.08));
  CHECK(depth(ball, Vec3(1, 2.4, 3)).metres == Approx(0.1));
  CHECK((depth(ball, Vec3(1, 2.4, 3)).normal - Vec3::UnitY()).norm() < 1e-15);
  const rigid::Motion tilted = rigid::motion_at(box, 0);
  const Depth in_box = depth_in(box, tilted, tilted.orientation * Vec3(0.3, 0.1, -0.15));
  CHECK(in_box.metres == Approx(0.05));
  CHECK((in_box.normal + tilted.orientation * Vec3::UnitZ()).norm() < 1e-15);

  floor.response.stiffness = 1e6, floor.normal = Vec3::UnitZ();
  const Mat34 sunk = apart(regular_tet(), Vec3(0, 0, -0.01));  // three corners
  const ElementContact contact = element_contact_by_nodes(floor, rigid::motion_at(floor, 0), sunk, Mat34::Zero());
  const double share = std::cbrt(volume_of(sunk) * volume_of(sunk)) / 4;
  for (int a = 0; a < 3; ++a) CHECK((contact.forces.col(a) - 1e6 * 0.01 * share * Vec3::UnitZ()).norm() < 1e-9);
  CHECK(contact.forces.col(3) == Vec3::Zero());
}

TEST_CASE("a small ball in a large face is missed by nodes, not by overlap", "[contact][nodes]")
{
  Obstacle ball;
  ball.radius = 0.1, ball.position = Vec3(0, 0, -0.05), ball.response.stiffness = 1e6;
  const Mat34 p = regular_tet();  // its base on z = 0, the ball 0.05 deep in the middle of it
  const rigid::Motion motion = rigid::motion_at(ball, 0);
  CHECK(element_contact_by_nodes(ball, motion, p, Mat34::Zero()).overlap == 0);
  CHECK(element_contact(ball, motion, p, Mat34::Zero()).forces.row(2).sum() > 0);

  const Mat34 crumb = apart(0.05 * regular_tet(), Vec3(0, 0, -0.04));  // its top through the middle of the base
  const ElementOverlap nodes =
      overlap_by_nodes(Side(crumb, 1 << 3), Side(p, all_faces));  // free below alone: no surface at the top
  CHECK(nodes.volume == 0);
  CHECK(overlap_of_elements(Side(crumb), Side(p)).volume > 0);
}
