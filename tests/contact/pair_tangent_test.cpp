#include "contact/law/pair_force.hpp"
#include "contact/law/pair_tangent.hpp"
#include "contact/narrow_phase/node_penetration.hpp"
#include "geometry/random_tets.hpp"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace sunder;
using namespace sunder::contact;
using geometry::testing::Random;
using geometry::testing::upright;

namespace {

const Response with_all{
    .stiffness = 1e6, .damping = 1e5, .friction_static = 0.6, .friction_dynamic = 0.3, .slip_speed = 0.4};

using Vector24 = Eigen::Matrix<double, 24, 1>;

Mat34 half(const Vector24& v, int which)
{
  return Eigen::Map<const Mat34>(v.data() + 12 * which);
}

/// Two elements in motion.
struct Pair {
  ContactCriterion criterion;
  Mat34 p_a, p_b, v_a, v_b;
  double initial_overlap = 0;

  Pair(ContactCriterion c, Random& random) : criterion(c)
  {
    p_a = upright(random.tet(1)), p_b = upright(random.tet(0.8).colwise() + random.vector(0.5));
    for (int k = 0; k < 4; ++k) v_a.col(k) = random.vector(0.6), v_b.col(k) = random.vector(0.6);
  }

  Side side(const Mat34& p) const { return Side(p, 0b1111); }
  ElementOverlap overlap(const Mat34& a, const Mat34& b) const
  {
    return criterion == ContactCriterion::nodes ? overlap_by_nodes(side(a), side(b))
                                                : overlap_of_elements(side(a), side(b));
  }
  /// On the corners moved by u, whose velocities change at the rate.
  Vector24 forces(const Vector24& u, double rate) const
  {
    const Mat34 a = p_a + half(u, 0), b = p_b + half(u, 1), w_a = v_a + rate * half(u, 0), w_b = v_b + rate * half(u, 1);
    const ElementOverlap o = overlap(a, b);
    const Vec3 force = pair_force(o, with_all, with_all.stiffness, initial_overlap, a, w_a, b, w_b);
    Vector24 f;
    for (int c = 0; c < 4; ++c)
      f.segment<3>(3 * c) = o.weights_a[c] * force, f.segment<3>(12 + 3 * c) = -o.weights_b[c] * force;
    return f;
  }
  PairMatrix tangent(const TangentOptions& options) const
  {
    const ElementOverlapSlope slope = criterion == ContactCriterion::nodes
                                          ? slope_of_overlap_by_nodes(side(p_a), side(p_b))
                                          : slope_of_overlap(side(p_a), side(p_b));
    return pair_tangent(slope, resolved(with_all, with_all.stiffness), initial_overlap, v_a, v_b, options);
  }
};

/// Pairs that press on each other, half of them with an initial overlap.
std::vector<Pair> pressing(ContactCriterion criterion, int count)
{
  Random random(29);
  std::vector<Pair> pairs;
  while (std::ssize(pairs) < count) {
    Pair pair(criterion, random);
    const double volume = pair.overlap(pair.p_a, pair.p_b).volume;
    if (!(volume > 1e-3)) continue;
    if (pairs.size() % 2 == 1) pair.initial_overlap = 0.4 * volume;
    if (!pair.forces(Vector24::Zero(), 0).isZero()) pairs.push_back(pair);
  }
  return pairs;
}

/// At a kink of the force there is no second order: all but a few are to have it.
void check_rates(ContactCriterion criterion, double rate, double least_share)
{
  Random random(31);
  int second_order = 0, close = 0;
  const std::vector<Pair> pairs = pressing(criterion, 200);
  for (const Pair& pair : pairs) {
    Vector24 direction;
    for (int c = 0; c < 8; ++c) direction.segment<3>(3 * c) = random.vector(1);
    const Vector24 product = pair.tangent({TangentKind::exact, rate}) * direction;
    const auto error = [&](double h) -> double {
      const Vector24 slope = (pair.forces(h * direction, rate) - pair.forces(-h * direction, rate)) / (2 * h);
      return (slope + product).norm() / product.norm();
    };
    const double coarse = error(2e-4), fine = error(1e-4);
    second_order += coarse / fine > 3.8 && coarse / fine < 4.2;
    close += fine < 1e-3;
  }
  CAPTURE(static_cast<int>(criterion), rate, second_order, close);
  CHECK(second_order >= least_share * static_cast<double>(pairs.size()));
  CHECK(close >= 0.9 * static_cast<double>(pairs.size()));
}

}  // namespace

TEST_CASE("the tangent of two elements in contact is minus the slope of their forces", "[contact][derivative]")
{
  for (const double rate : {0.0, 3.0}) check_rates(ContactCriterion::overlap, rate, 0.85);
}

TEST_CASE("the tangent of contact by nodes between two elements is minus the slope of their forces",
          "[contact][derivative]")
{
  for (const double rate : {0.0, 3.0}) check_rates(ContactCriterion::nodes, rate, 0.8);
}

TEST_CASE("the tangents of a pair keep momentum, and the definite one is symmetric and semidefinite", "[contact]")
{
  for (const Pair& pair : pressing(ContactCriterion::overlap, 40)) {
    const PairMatrix exact = pair.tangent({TangentKind::exact, 2}), symmetric = pair.tangent({TangentKind::symmetric, 2}),
                     definite = pair.tangent({TangentKind::positive_definite, 2});
    // Whatever moves, forces add up to nothing; moved as a whole, nothing changes.
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 24; ++k) {
        double force = 0, motion = 0;
        for (int c = 0; c < 8; ++c) force += exact(3 * c + i, k), motion += exact(k, 3 * c + i);
        CHECK(std::abs(force) < 1e-12 * exact.norm());
        CHECK(std::abs(motion) < 1e-11 * exact.norm());
      }
    CHECK((symmetric - 0.5 * (exact + exact.transpose())).norm() <= 1e-15 * exact.norm());
    CHECK((definite - definite.transpose()).norm() <= 1e-15 * definite.norm());
    const Eigen::SelfAdjointEigenSolver<PairMatrix> eigen(definite);
    CHECK(eigen.eigenvalues().minCoeff() > -1e-12 * definite.norm());
    CHECK(eigen.eigenvalues().maxCoeff() > 0);
  }
}
