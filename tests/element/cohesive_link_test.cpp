#include "element/cohesive_link.hpp"
#include "element/link_stiffness.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sunder;
using element::CohesiveLink;

namespace {

const Vec3 z = Vec3::UnitZ();
constexpr element::CohesiveLaw law{.area = 1e-4, .strength = 5e6, .stiffness = 2e9, .cohesion = {.energy = 8}};

/// All ways to soften, with as much shear strength and with more and less.
std::vector<element::CohesiveLaw> laws()
{
  std::vector<element::CohesiveLaw> all;
  for (const auto softening :
       {material::Softening::linear, material::Softening::bilinear, material::Softening::exponential})
    for (const double shear_ratio : {1.0, 0.1, 0.5, 2.0}) {
      all.push_back(law);
      all.back().cohesion.softening = softening, all.back().cohesion.shear_ratio = shear_ratio;
    }
  return all;
}

CohesiveLink begun(const Vec3& first_force, const element::CohesiveLaw& with = law)
{
  CohesiveLink link(with);
  link.begin(first_force);
  return link;
}

}  // namespace

TEST_CASE("a link begins with the force that held the node together", "[element][cohesion]")
{
  for (const element::CohesiveLaw& with : laws())
    for (const Vec3& first : {Vec3(0, 0, 400), Vec3(300, -100, 350), Vec3(0, 0, 700), Vec3(20, 0, -60)}) {
      const CohesiveLink link = begun(first, with);
      // Not what presses, and along the crack no more than a link that slides can bear.
      const double along = std::hypot(first.x(), first.y());
      const double most = with.cohesion.shear_ratio * std::max(law.strength * law.area, first.norm());
      const double kept = along > most ? most / along : 1;
      const Vec3 held(kept * first.x(), kept * first.y(), std::max(0.0, first.z()));
      CHECK((link.pull(Vec3::Zero()).force + held).norm() < 1e-12 * first.norm());
      CHECK(link.absorbed(Vec3::Zero()) == Approx(0).margin(1e-15));
      const double effective =
          Vec3(held.x() / with.cohesion.shear_ratio, held.y() / with.cohesion.shear_ratio, held.z()).norm();
      CHECK(link.strength() == Approx(std::max(effective, law.strength * law.area)));
      CHECK(!link.broken());
    }
}

TEST_CASE("a link has taken G_c times its area when it breaks, whichever way it opens", "[element][cohesion]")
{
  const element::CohesiveLaw with = GENERATE(from_range(laws()));
  for (const Vec3& first : {Vec3(0, 0, 400), Vec3(0, 0, 700), Vec3(300, -100, 350), Vec3(0, 0, 1e-3)})
    for (const Vec3& way : {Vec3(0, 0, 1), Vec3(0.6, 0, 0.8), Vec3(0.96, 0, 0.28)}) {
      CAPTURE(static_cast<int>(with.cohesion.softening), with.cohesion.shear_ratio);
      CohesiveLink link = begun(first, with);
      double work = 0;
      Vec3 d = Vec3::Zero();
      constexpr int steps = 20000;
      const double last =
          1.2 * (link.final_opening() / std::min(1.0, with.cohesion.shear_ratio) + link.offset().norm());
      for (int k = 0; k < steps; ++k) {
        const Vec3 next = last * (k + 1) / steps * way;
        work -= link.pull((d + next) / 2).force.dot(next - d);
        d = next;
        link.open_to(link.pull(d).opening);
        if (k % 1000 == 0) CHECK(link.absorbed(d) == Approx(work).epsilon(1e-5).margin(1e-9));
      }
      CHECK(link.broken());
      CHECK(work == Approx(law.cohesion.energy * law.area).epsilon(1e-4));
      CHECK(link.absorbed(d) == Approx(law.cohesion.energy * law.area).epsilon(1e-12));
      CHECK(link.pull(d).force.norm() == 0);
    }
}

TEST_CASE("links soften as the textbook has it, and bear beta times as much along the crack", "[element][cohesion]")
{
  const double F_s = law.strength * law.area, opening = law.cohesion.energy / law.strength;  // G_c/sigma_c
  const auto left = [&](material::Softening softening, double at) {  // of a link with hardly any rise
    element::CohesiveLaw stiff = law;
    stiff.stiffness = 1e14, stiff.cohesion.softening = softening;
    const Vec3 d = at * opening * z;
    return -begun({0, 0, F_s}, stiff).pull(d).force.z() / F_s;
  };
  CHECK(left(material::Softening::linear, 1) == Approx(0.5).epsilon(1e-3));
  CHECK(left(material::Softening::linear, 2.01) == 0);
  CHECK(left(material::Softening::bilinear, 0.4) == Approx(2.0 / 3).epsilon(1e-3));
  CHECK(left(material::Softening::bilinear, 0.8) == Approx(1.0 / 3).epsilon(1e-3));
  CHECK(left(material::Softening::bilinear, 2.2) == Approx(1.0 / 6).epsilon(1e-3));
  CHECK(left(material::Softening::bilinear, 3.61) == 0);
  CHECK(left(material::Softening::exponential, 0.5) == Approx(std::exp(-0.5)).epsilon(0.03));
  CHECK(left(material::Softening::exponential, 2) == Approx(std::exp(-2.0)).epsilon(0.03));
  CHECK(left(material::Softening::exponential, 5.3) == 0);

  for (const element::CohesiveLaw& with : laws()) {
    double most = 0;
    for (double d = 0; d < 4e-6; d += 1e-9)
      most = std::max(most, begun({1e-3, 0, 0}, with).pull({d, 0, 0}).force.norm());
    CHECK(most == Approx(with.cohesion.shear_ratio * F_s).epsilon(0.01));
  }
}

TEST_CASE("a link does not heal, and gives back what it has stored only", "[element][cohesion]")
{
  CohesiveLink link = begun({0, 0, 400});
  const double half = link.final_opening() / 2;
  link.open_to(link.pull(half * z).opening);
  const double taken = link.absorbed(half * z), left = link.strength_left();
  const Vec3 at_half = link.pull(half * z).force;
  const Vec3 closed = -link.offset();  // u = 0
  CHECK(link.pull(closed).force.norm() < 1e-9);
  CHECK((link.pull((half * z + closed) / 2).force - at_half / 2).norm() < 1e-9 * at_half.norm());
  const double stored = at_half.norm() * (half * z - closed).norm() / 2;
  CHECK(link.absorbed(closed) == Approx(taken - stored));
  link.open_to(link.pull(closed).opening);
  CHECK(link.strength_left() == left);
}

TEST_CASE("what a link takes for good grows with its opening as its slope says, and not on the way back",
          "[element][cohesion][derivative]")
{
  for (const element::CohesiveLaw& with : laws()) {
    CohesiveLink link = begun({0, 0, 400}, with);
    link.open_to(0.4 * link.final_opening());
    const auto energy = [&](const Vec3& d) { return link.dissipation(d, false).energy; };
    const Vec3 farther = 0.6 * link.final_opening() / std::min(1.0, with.cohesion.shear_ratio) * Vec3(0.6, 0, 0.8);
    const auto [taken, slope] = link.dissipation(farther, false);
    CHECK(taken > 0);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 h = 1e-5 * link.final_opening() * Vec3::Unit(axis);
      CHECK(slope[axis] ==
            Approx((energy(farther + h) - energy(farther - h)) / (2 * h.norm())).epsilon(1e-5).margin(1e-6));
    }
    const Vec3 nearer = 0.2 * link.final_opening() * z - link.offset();
    CHECK(energy(nearer) == 0);
    CHECK(link.dissipation(nearer, false).slope.isZero());
    CHECK(link.dissipation(nearer, true).slope.z() > 0);
    // It has taken its surface energy for good when it breaks, but for what it was born with.
    CohesiveLink young = begun({0, 0, 400}, with);
    const Vec3 apart = 2 * young.final_opening() / std::min(1.0, with.cohesion.shear_ratio) * z;
    CHECK(young.dissipation(apart, false).energy ==
          Approx(young.absorbed(apart) + 400 * 400 / (2 * law.stiffness)).epsilon(1e-9));
  }
}

TEST_CASE("sides that press on each other are pushed back, and that is no opening", "[element][cohesion]")
{
  CohesiveLink link = begun({0, 0, 400});
  link.open_to(0.9 * link.final_opening());
  const double depth = 1e-6;
  const Vec3 pressed = -link.offset() - depth * z;
  CHECK(link.pull(pressed).force.isApprox(law.stiffness * depth * z));
  CHECK(link.pull(pressed).opening < 1e-15);
  CHECK(link.pressed(pressed));
  CHECK(link.stored_by_pressing(pressed) == Approx(law.stiffness * depth * depth / 2));
  CHECK(link.stored_by_pressing(Vec3::Zero()) == 0);
}

TEST_CASE("shares of a link hold as the whole", "[element][cohesion]")
{
  CohesiveLink link = begun({100, 0, 400});
  const Vec3 d(1e-6, 2e-6, 5e-6);
  link.open_to(link.pull(d).opening);
  const CohesiveLink one = link.share(0.3), other = link.share(0.7);
  CHECK((one.pull(d).force + other.pull(d).force).isApprox(link.pull(d).force));
  CHECK(one.absorbed(d) + other.absorbed(d) == Approx(link.absorbed(d)));
  CHECK(one.surface_energy() + other.surface_energy() == Approx(link.surface_energy()));
  CHECK(one.final_opening() == link.final_opening());
  const CohesiveLink stored = CohesiveLink::from(link.values());
  CHECK(stored.values() == link.values());
}

TEST_CASE("a surface too coarse for its strength keeps its energy", "[element][cohesion]")
{
  element::CohesiveLaw coarse = law;
  coarse.cohesion.energy = 0.1;  // F_s^2 / 2k would be more
  CohesiveLink link(coarse);
  link.begin({0, 0, 1});
  CHECK(link.strength() < coarse.strength * coarse.area);
  const Vec3 open = 2 * link.final_opening() * z;
  link.open_to(link.pull(open).opening);
  CHECK(link.absorbed(open) == Approx(coarse.cohesion.energy * coarse.area));
}

TEST_CASE("the stiffness of a link is minus the slope of its force", "[element][cohesion][derivative]")
{
  for (const element::CohesiveLaw& with : laws()) {
    const CohesiveLink young = begun({100, -50, 400}, with);
    CohesiveLink half_open = young;
    half_open.open_to((young.greatest() + young.final_opening()) / 2);
    for (const CohesiveLink& link : {young, half_open})
      for (const double size : {0.3, 0.7, 1.2, 3.0})  // on the way back, farther open, and broken
        for (const Vec3& way : {Vec3(0, 0, 1), Vec3(0.2, -0.1, 0.7), Vec3(0.4, 0.3, -0.2)}) {
          const Vec3 d = size * link.final_opening() * way - link.offset();
          const Mat3 K = element::link_stiffness(link, d, TangentKind::symmetric);
          CHECK(K == K.transpose());
          const double h = 1e-6 * link.final_opening();
          for (int axis = 0; axis < 3; ++axis) {
            const Vec3 e = h * Vec3::Unit(axis);
            const Vec3 slope = -(link.pull(d + e).force - link.pull(d - e).force) / (2 * h);
            CAPTURE(size, way.transpose(), axis, K, slope.transpose());
            if (std::abs(d.z() + link.offset().z()) > h)
              CHECK((K.col(axis) - slope).norm() < 1e-5 * (K.norm() + link.strength() / link.final_opening()));
          }
          const Mat3 definite = element::link_stiffness(link, d, TangentKind::positive_definite);
          CHECK(definite.diagonal().minCoeff() >= 0);
          CHECK(Mat3(definite.diagonal().asDiagonal()) == definite);
        }
  }
}
