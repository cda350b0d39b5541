#include "rigid/impulses.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::rigid;

namespace {

Movable ball(double mass, const Vec3& center, const Vec3& velocity)
{
  return {1 / mass, Mat3::Identity() / (0.4 * mass), center, velocity, Vec3::Zero()};
}

ContactPoint touch(int a, int b, const Vec3& at, const Vec3& normal)
{
  ContactPoint c;
  c.a = a, c.b = b, c.at = at, c.normal = normal;
  return c;
}

}  // namespace

TEST_CASE("two balls part with the share of their approach that restitution says", "[rigid]")
{
  for (const double e : {0.0, 0.5, 1.0}) {
    std::vector<Movable> balls{ball(1, {0, 0, 0}, {2, 0, 0}), ball(3, {2, 0, 0}, {-1, 0, 0})};
    std::vector<ContactPoint> contacts{touch(0, 1, {1, 0, 0}, {-1, 0, 0})};
    contacts[0].restitution = e, contacts[0].approach = 3;
    solve_impulses(balls, contacts, {.tolerance = 1e-12});
    CHECK(balls[1].velocity.x() - balls[0].velocity.x() == Approx(3 * e).margin(1e-12));
    CHECK(balls[0].velocity.x() + 3 * balls[1].velocity.x() == Approx(-1));
    CHECK(contacts[0].impulse.x() < 0);
  }
}

TEST_CASE("bodies that part get no impulse, and those that cannot be moved are not", "[rigid]")
{
  std::vector<Movable> bodies{ball(1, {0, 0, 1}, {0, 0, 2}), Movable()};
  std::vector<ContactPoint> contacts{touch(0, 1, {0, 0, 0}, {0, 0, 1})};
  contacts[0].approach = -2;
  solve_impulses(bodies, contacts, {});
  CHECK(contacts[0].impulse == Vec3::Zero());
  bodies[0].velocity.z() = -2, contacts[0].approach = 2;
  solve_impulses(bodies, contacts, {});
  CHECK(bodies[0].velocity.z() == Approx(0).margin(1e-9));
  CHECK(bodies[1].velocity == Vec3::Zero());
}

TEST_CASE("friction ends sliding where Coulomb's law lets it, and else is as large as the law says", "[rigid]")
{
  for (const double mu : {0.1, 10.0}) {
    std::vector<Movable> bodies{ball(1, {0, 0, 1}, {3, 0, -1}), Movable()};
    bodies[0].inverse_inertia.setZero();  // it does not roll
    std::vector<ContactPoint> contacts{touch(0, 1, {0, 0, 0}, {0, 0, 1})};
    contacts[0].approach = 1, contacts[0].friction = mu;
    solve_impulses(bodies, contacts, {.tolerance = 1e-12});
    CHECK(bodies[0].velocity.x() == Approx(mu < 1 ? 3 - mu : 0).margin(1e-9));
    CHECK(contacts[0].impulse.z() == Approx(1));
  }
}

TEST_CASE("bodies that overlap are pushed apart by a share of it, without a change of their motion", "[rigid]")
{
  std::vector<Movable> balls{ball(1, {0, 0, 0}, {0, 1, 0}), ball(1, {1.9, 0, 0}, {0, 1, 0})}, push(2);
  std::vector<ContactPoint> contacts{touch(0, 1, {0.95, 0, 0}, {-1, 0, 0})};
  contacts[0].depth = 0.1;
  find_pushes(balls, contacts, 0.02, 0.25, 0.01, {}, push);
  CHECK(push[1].velocity.x() - push[0].velocity.x() == Approx(0.25 * 0.08 / 0.01));
  CHECK(push[0].velocity.y() == 0);
  CHECK(balls[0].velocity == Vec3(0, 1, 0));
}
