#include "contact/law/obstacle_tangent.hpp"
#include "contact/law/obstacle_force.hpp"
#include "contact/obstacle_contact.hpp"
#include "geometry/random_tets.hpp"
#include "support/solids.hpp"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include <cmath>
#include <utility>
#include <vector>

using namespace sunder;
using namespace sunder::contact;
using geometry::testing::Random;

namespace {

const Response response_of_all{
    .stiffness = 1e6, .damping = 1e5, .friction_static = 0.6, .friction_dynamic = 0.3, .slip_speed = 0.4};

Obstacle shaped(rigid::Shape shape, const Response& response = response_of_all)
{
  Obstacle o;
  o.shape = shape, o.response = response, o.radius = 0.7, o.length = 1.6, o.size = Vec3(1.3, 0.9, 1.1);
  o.normal = Vec3(1, 2, 2) / 3, o.axis = Vec3(2, -1, 2) / 3;
  o.rotation_axis = Vec3(1, 2, 0).normalized(), o.rotation_angle = 0.5;
  o.motion = rigid::MotionKind::path, o.velocity = Vec3(0.2, -0.1, 0.3), o.spin = Vec3(0.3, -1, 0.5);
  if (shape == rigid::Shape::mesh) o.surface = test::surface_of(test::brick(o.size));
  return o;
}

using Forces = ElementContact (*)(const Obstacle&, const rigid::Motion&, const Mat34&, const Mat34&);
using Tangent = CornerMatrix (*)(const Obstacle&, const rigid::Motion&, const Mat34&, const Mat34&,
                                 const TangentOptions&);
using Vector12 = Eigen::Matrix<double, 12, 1>;

Vector12 flat(const Mat34& m)
{
  return Eigen::Map<const Vector12>(m.data());
}

/// An element against an obstacle, both in motion.
struct ObstaclePair {
  Obstacle obstacle;
  rigid::Motion motion;
  Mat34 p, v, direction;

  ObstaclePair(const Obstacle& o, Random& random) : obstacle(o), motion(rigid::motion_at(o, 0))
  {
    // Its centre is near the surface, as far as the middle of a half-space is.
    const Vec3 away = o.shape == rigid::Shape::half_space ? random.vector(0.3) : Vec3(0.7 * random.direction());
    p = random.tet(0.4).colwise() + away;
    for (int a = 0; a < 4; ++a) v.col(a) = random.vector(0.6), direction.col(a) = random.vector(1);
  }

  /// By how much -f'(s) differs from K d, along the direction d with velocities that change at this rate, by central
  /// differences of the step h; over |K d|.
  double error(Forces forces, const CornerMatrix& K, double rate, double h) const
  {
    const auto at = [&](double s) -> Vector12 {
      return flat(forces(obstacle, motion, p + s * direction, v + s * rate * direction).forces);
    };
    const Vector12 product = K * flat(direction);
    return ((at(h) - at(-h)) / (2 * h) + product).norm() / product.norm();
  }
};

/// Tangents of many pairs that overlap. At a kink of the force there is no second order: all but a few of a hundred are
/// to have it.
void check_rates(const Obstacle& obstacle, Forces forces, Tangent tangent, double rate)
{
  Random random(71);
  int touching = 0, second_order = 0, close = 0;
  double ratio_below = 10, ratio_above = 0;
  while (touching < 100) {
    const ObstaclePair pair(obstacle, random);
    if (!(forces(pair.obstacle, pair.motion, pair.p, pair.v).overlap > 1e-3)) continue;
    if (forces(pair.obstacle, pair.motion, pair.p, pair.v).forces.isZero()) continue;
    ++touching;
    const CornerMatrix K = tangent(pair.obstacle, pair.motion, pair.p, pair.v, {TangentKind::exact, rate});
    const double coarse = pair.error(forces, K, rate, 2e-4), fine = pair.error(forces, K, rate, 1e-4);
    const double ratio = coarse / fine;
    if (ratio > 3.8 && ratio < 4.2) ++second_order;
    if (fine < 1e-4) ++close;
    ratio_below = std::min(ratio_below, ratio), ratio_above = std::max(ratio_above, ratio);
  }
  CAPTURE(static_cast<int>(obstacle.shape), rate, touching, second_order, close, ratio_below, ratio_above);
  CHECK(second_order >= 90);
  CHECK(close >= 95);
}

/// All corners moved alike.
Mat3 of_translation(const CornerMatrix& K)
{
  Mat3 sum = Mat3::Zero();
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) sum += K.block<3, 3>(3 * a, 3 * b);
  return sum;
}

}  // namespace

TEST_CASE("the tangent of contact with an obstacle is minus the slope of its force", "[contact][derivative]")
{
  using rigid::Shape;
  for (const Shape shape : {Shape::half_space, Shape::sphere, Shape::box, Shape::cylinder, Shape::capsule, Shape::mesh})
    for (const double rate : {0.0, 3.0}) check_rates(shaped(shape), element_contact, element_contact_tangent, rate);
}

TEST_CASE("the tangent of contact by nodes is minus the slope of its force", "[contact][derivative]")
{
  using rigid::Shape;
  for (const Shape shape : {Shape::half_space, Shape::sphere, Shape::box, Shape::cylinder, Shape::capsule})
    for (const double rate : {0.0, 3.0})
      check_rates(shaped(shape), element_contact_by_nodes, element_contact_tangent_by_nodes, rate);
}

TEST_CASE("the tangent holds for a body that barely touches", "[contact][derivative]")
{
  // A face of edge 1 cm lies parallel to a floor, a metre away from where coordinates begin.
  const double edge = 0.01, area = std::sqrt(3.0) / 4 * edge * edge;
  Obstacle floor = shaped(rigid::Shape::half_space, {.stiffness = 1e12});
  floor.normal = Vec3::UnitZ(), floor.position = Vec3(0, 0, 1);
  Obstacle slab = shaped(rigid::Shape::box, {.stiffness = 1e12});
  slab.rotation_angle = 0, slab.size = Vec3(4, 4, 1), slab.position = Vec3(0, 0, 0.5);
  const Mat34 v = Mat34::Zero();
  for (const Obstacle& o : {floor, slab})
    for (const double depth : {1e-9, 1e-7, 1e-5, 1e-3}) {
      const Mat34 p = (edge * geometry::testing::regular_tet()).colwise() + Vec3(1, 0.5, 1 - depth);
      const CornerMatrix K = element_contact_tangent(o, rigid::motion_at(o, 0), p, v, {});
      // The section is smaller than the face by the square of what is above it.
      const double above = 1 - depth / (edge * std::sqrt(2.0 / 3));
      const Mat3 expected = 1e12 * area * above * above * Vec3::UnitZ() * Vec3::UnitZ().transpose();
      CAPTURE(depth, K);
      CHECK((of_translation(K) - expected).norm() < 1e-5 * expected.norm());
    }
}

TEST_CASE("the other kinds of the tangent are symmetric, one has no negative eigenvalue", "[contact][derivative]")
{
  using rigid::Shape;
  Random random(72);
  int indefinite = 0, touching = 0;
  for (const auto& [forces, tangent] : {std::pair<Forces, Tangent>{element_contact, element_contact_tangent},
                                        {element_contact_by_nodes, element_contact_tangent_by_nodes}})
    for (const Shape shape : {Shape::half_space, Shape::sphere, Shape::box})
      for (int trial = 0; trial < 100; ++trial) {
        const ObstaclePair pair(shaped(shape), random);
        const auto K = [&](TangentKind kind) -> CornerMatrix {
          return tangent(pair.obstacle, pair.motion, pair.p, pair.v, {kind, 3.0});
        };
        const CornerMatrix exact = K(TangentKind::exact), symmetric = K(TangentKind::symmetric),
                           positive = K(TangentKind::positive_definite);
        CHECK(symmetric == (0.5 * (exact + exact.transpose())).eval());
        CHECK((positive - positive.transpose()).norm() <= 1e-14 * positive.norm());
        const auto least = [](const CornerMatrix& m) {
          return Eigen::SelfAdjointEigenSolver<CornerMatrix>(m, Eigen::EigenvaluesOnly).eigenvalues()[0];
        };
        CHECK(least(positive) >= -1e-12 * positive.norm());
        if (forces(pair.obstacle, pair.motion, pair.p, pair.v).forces.isZero(0)) {
          CHECK(exact.isZero(0));
          CHECK(positive.isZero(0));
          continue;
        }
        ++touching;
        indefinite += least(symmetric) < -1e-6 * symmetric.norm();
      }
  CHECK(touching > 100);
  CHECK(indefinite > 50);  // else the third kind would not be needed
}

TEST_CASE("for a floor at rest the positive definite tangent is as stiff against sinking as the exact one",
          "[contact][derivative]")
{
  Random random(73);
  Obstacle floor = shaped(rigid::Shape::half_space, {.stiffness = 1e6});
  floor.velocity = floor.spin = Vec3::Zero();
  for (int trial = 0; trial < 50; ++trial) {
    const ObstaclePair pair(floor, random);
    const auto K = [&](TangentKind kind) {
      return of_translation(element_contact_tangent(floor, pair.motion, pair.p, Mat34::Zero(), {kind}));
    };
    const Mat3 exact = K(TangentKind::exact), positive = K(TangentKind::positive_definite);
    CHECK((exact - positive).norm() <= 1e-6 * positive.norm() + 1e-9 * floor.response.stiffness);
  }
}

TEST_CASE("with the tangent Newton's residuals square: an element on springs, pressed into an obstacle",
          "[contact][derivative]")
{
  using rigid::Shape;
  for (const Shape shape : {Shape::half_space, Shape::sphere, Shape::box, Shape::capsule}) {
    Obstacle o = shaped(shape, {.stiffness = 1e6});
    o.velocity = o.spin = Vec3::Zero();
    const rigid::Motion motion = rigid::motion_at(o, 0);
    const double spring = 1e4;
    const Vec3 out = shape == Shape::half_space ? o.normal : Vec3(1, 2, 2) / 3;
    const double far = shape == Shape::half_space ? 0.1 : shape == Shape::box ? 0.6 : 0.75;
    const Mat34 anchors = (0.4 * geometry::testing::regular_tet()).colwise() + far * out;
    Mat34 p = anchors;
    std::vector<double> residuals;
    for (int k = 0; k < 12; ++k) {
      const Vector12 r = flat(element_contact(o, motion, p, Mat34::Zero()).forces + spring * (anchors - p));
      residuals.push_back(r.norm());
      if (r.norm() < 1e-9 * spring) break;
      CornerMatrix K = element_contact_tangent(o, motion, p, Mat34::Zero(), {});
      K.diagonal().array() += spring;
      const Vector12 step = K.fullPivLu().solve(r);
      p += Eigen::Map<const Mat34>(step.data());
    }
    CAPTURE(static_cast<int>(shape), residuals);
    const std::size_t n = residuals.size();
    REQUIRE(n > 3);
    CHECK(residuals[n - 1] < 1e-9 * spring);
    CHECK(residuals[n - 1] < 1e-3 * residuals[n - 2]);
    CHECK(n < 9);
  }
}
