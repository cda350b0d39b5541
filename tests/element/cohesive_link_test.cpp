#include "element/cohesive_link.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace sunder;
using element::CohesiveLink;

namespace {

const Vec3 z = Vec3::UnitZ();
constexpr element::CohesiveLaw law{.area = 1e-4, .strength = 5e6, .energy = 8, .stiffness = 2e9};

CohesiveLink begun(const Vec3& first_force)
{
  CohesiveLink link(law);
  link.begin(first_force, z);
  return link;
}

}  // namespace

TEST_CASE("a link begins with the force that held the node together", "[element][cohesion]")
{
  for (const Vec3& first : {Vec3(0, 0, 400), Vec3(300, -100, 350), Vec3(0, 0, 700), Vec3(20, 0, -60)}) {
    const CohesiveLink link = begun(first);
    const Vec3 held(first.x(), first.y(), std::max(0.0, first.z()));  // not what presses
    CHECK((link.pull(Vec3::Zero(), z).force + held).norm() < 1e-12 * first.norm());
    CHECK(link.absorbed(Vec3::Zero(), z) == Approx(0).margin(1e-15));
    CHECK(link.strength() == Approx(std::max(held.norm(), law.strength * law.area)));
    CHECK(!link.broken());
  }
}

TEST_CASE("a link has taken G_c times its area when it breaks, whichever way it opens", "[element][cohesion]")
{
  for (const Vec3& first : {Vec3(0, 0, 400), Vec3(0, 0, 700), Vec3(300, -100, 350), Vec3(0, 0, 1e-3)})
    for (const Vec3& way : {Vec3(0, 0, 1), Vec3(0.6, 0, 0.8), Vec3(0.96, 0, 0.28)}) {
      CohesiveLink link = begun(first);
      double work = 0;
      Vec3 d = Vec3::Zero();
      constexpr int steps = 20000;
      const double last = 1.2 * (link.final_opening() + link.offset().norm());
      for (int k = 0; k < steps; ++k) {
        const Vec3 next = last * (k + 1) / steps * way;
        work -= link.pull((d + next) / 2, z).force.dot(next - d);
        d = next;
        link.open_to(link.pull(d, z).opening);
        if (k % 1000 == 0) CHECK(link.absorbed(d, z) == Approx(work).epsilon(1e-5).margin(1e-9));
      }
      CHECK(link.broken());
      CHECK(work == Approx(law.energy * law.area).epsilon(1e-4));
      CHECK(link.absorbed(d, z) == Approx(law.energy * law.area).epsilon(1e-12));
      CHECK(link.pull(d, z).force.norm() == 0);
    }
}

TEST_CASE("a link does not heal, and gives back what it has stored only", "[element][cohesion]")
{
  CohesiveLink link = begun({0, 0, 400});
  const double half = link.final_opening() / 2;
  link.open_to(link.pull(half * z, z).opening);
  const double taken = link.absorbed(half * z, z), left = link.strength_left();
  const Vec3 at_half = link.pull(half * z, z).force;
  const Vec3 closed = -link.offset();  // u = 0
  CHECK(link.pull(closed, z).force.norm() < 1e-9);
  CHECK((link.pull((half * z + closed) / 2, z).force - at_half / 2).norm() < 1e-9 * at_half.norm());
  const double stored = at_half.norm() * (half * z - closed).norm() / 2;
  CHECK(link.absorbed(closed, z) == Approx(taken - stored));
  link.open_to(link.pull(closed, z).opening);
  CHECK(link.strength_left() == left);
}

TEST_CASE("sides that press on each other are pushed back, and that is no opening", "[element][cohesion]")
{
  CohesiveLink link = begun({0, 0, 400});
  link.open_to(0.9 * link.final_opening());
  const double depth = 1e-6;
  const Vec3 pressed = -link.offset() - depth * z;
  CHECK(link.pull(pressed, z).force.isApprox(law.stiffness * depth * z));
  CHECK(link.pull(pressed, z).opening < 1e-15);
  CHECK(link.pressed(pressed, z));
  CHECK(link.stored_by_pressing(pressed, z) == Approx(law.stiffness * depth * depth / 2));
  CHECK(link.stored_by_pressing(Vec3::Zero(), z) == 0);
}

TEST_CASE("shares of a link hold as the whole", "[element][cohesion]")
{
  CohesiveLink link = begun({100, 0, 400});
  const Vec3 d(1e-6, 2e-6, 5e-6);
  link.open_to(link.pull(d, z).opening);
  const CohesiveLink one = link.share(0.3), other = link.share(0.7);
  CHECK((one.pull(d, z).force + other.pull(d, z).force).isApprox(link.pull(d, z).force));
  CHECK(one.absorbed(d, z) + other.absorbed(d, z) == Approx(link.absorbed(d, z)));
  CHECK(one.surface_energy() + other.surface_energy() == Approx(link.surface_energy()));
  CHECK(one.final_opening() == link.final_opening());
  const CohesiveLink stored = CohesiveLink::from(link.values());
  CHECK(stored.values() == link.values());
}

TEST_CASE("a surface too coarse for its strength keeps its energy", "[element][cohesion]")
{
  element::CohesiveLaw coarse = law;
  coarse.energy = 0.1;  // F_s^2 / 2k would be more
  CohesiveLink link(coarse);
  link.begin({0, 0, 1}, z);
  CHECK(link.strength() < coarse.strength * coarse.area);
  const Vec3 open = 2 * link.final_opening() * z;
  link.open_to(link.pull(open, z).opening);
  CHECK(link.absorbed(open, z) == Approx(coarse.energy * coarse.area));
}
