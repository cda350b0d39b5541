#include "contact/law/obstacle_tangent.hpp"

#include "contact/narrow_phase/obstacle_overlap.hpp"
#include "geometry/barycentric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::contact {
namespace {

constexpr double round_off = std::numeric_limits<double>::epsilon();

/// Two points around a coordinate x, and how far they are apart in floating point.
struct Around {
  double ahead, behind;

  Around(double x, double step) : ahead(x + step), behind(x - step) {}
  double distance() const { return ahead - behind; }
};

/// Velocity relative to the obstacle at x.
Vec3 relative_velocity(const rigid::Motion& motion, const Vec3& x, const Vec3& velocity)
{
  return velocity - motion.velocity - motion.spin.cross(x - motion.position);
}

CornerMatrix finish(CornerMatrix K, TangentKind kind)
{
  if (kind == TangentKind::symmetric) K = (0.5 * (K + K.transpose())).eval();
  return K;
}

// ---- by overlap ----

/// What the force is made of: with the moments volume * weights, f_a = moment_a response(1, normal, relative).
struct Region {
  Eigen::Vector4d moment = Eigen::Vector4d::Zero();
  Vec3 normal = Vec3::Zero();
  double volume = 0;
  Eigen::Vector4d weights = Eigen::Vector4d::Constant(0.25);
  Vec3 centre = Vec3::Zero();
  double area = 0;
};

Region region_in(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p)
{
  const geometry::Overlap overlap = overlap_with(obstacle, motion, p);
  if (!(overlap.volume > 0)) return {};
  return {overlap.volume * overlap.weights,
          contact_normal(overlap, obstacle, motion),
          overlap.volume,
          overlap.weights,
          overlap.centre,
          overlap.area.norm()};
}

/// The step of central differences of a region [m]. The error of the third derivative grows with its square, that of
/// round-off with its inverse; they are equal at the cube root of the round-off of the depth.
double step_for(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p, const Region& region)
{
  double edge = 0;
  for (int a = 1; a < 4; ++a) edge = std::max(edge, (p.col(a) - p.col(0)).norm());
  const double depth = std::min(edge, region.volume / std::max(region.area, region.volume / edge));
  double noise = round_off * (p.cwiseAbs().maxCoeff() + motion.position.cwiseAbs().maxCoeff()) / depth;
  if (obstacle.shape == rigid::Shape::sphere) noise += round_off * std::pow(obstacle.radius, 3) / region.volume;
  return depth * std::clamp(std::cbrt(noise), 1e-5, 1e-2);
}

CornerMatrix exact(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p, const Mat34& v, double rate,
                   const Region& here)
{
  CornerMatrix K;
  const Vec3 relative = relative_velocity(motion, here.centre, v * here.weights);
  const Vec3 force = response(obstacle.response, 1, here.normal, relative);
  const double step = step_for(obstacle, motion, p, here);
  Mat34 moved = p;
  for (int b = 0; b < 4; ++b)
    for (int j = 0; j < 3; ++j) {
      const Around x(p(j, b), step);
      moved(j, b) = x.ahead;
      const Region ahead = region_in(obstacle, motion, moved);
      moved(j, b) = x.behind;
      const Region behind = region_in(obstacle, motion, moved);
      moved(j, b) = p(j, b);
      const Eigen::Vector4d moment = (ahead.moment - behind.moment) / x.distance();
      Vec3 normal = Vec3::Zero();
      if (ahead.volume > 0 && behind.volume > 0) normal = (ahead.normal - behind.normal) / x.distance();
      const Eigen::Vector4d weights = (moment - moment.sum() * here.weights) / here.volume;
      const Vec3 follows = here.weights[b] * Vec3::Unit(j), centre = follows + p * weights;
      const Vec3 velocity = rate * follows + v * weights - motion.spin.cross(centre);
      const Vec3 change = response_change(obstacle.response, 1, here.normal, relative, normal, velocity);
      for (int a = 0; a < 4; ++a) K.block<3, 1>(3 * a, 3 * b + j) = -(moment[a] * force + here.moment[a] * change);
    }
  return K;
}

}  // namespace

CornerMatrix element_contact_tangent(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p,
                                     const Mat34& v, const TangentOptions& options)
{
  const Region here = region_in(obstacle, motion, p);
  if (!(here.volume > 0)) return CornerMatrix::Zero();
  if (options.kind != TangentKind::positive_definite)
    return finish(exact(obstacle, motion, p, v, options.rate, here), options.kind);
  const Vec3 relative = relative_velocity(motion, here.centre, v * here.weights);
  const Mat3 part =
      semidefinite_stiffness(obstacle.response, here.area, here.volume, here.normal, relative, options.rate);
  CornerMatrix K;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) K.block<3, 3>(3 * a, 3 * b) = here.weights[a] * here.weights[b] * part;
  return K;
}

// ---- by nodes ----

CornerMatrix element_contact_tangent_by_nodes(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p,
                                              const Mat34& v, const TangentOptions& options)
{
  CornerMatrix K = CornerMatrix::Zero();
  const geometry::Barycentric tet = geometry::barycentric(p);
  const double volume = std::abs(tet.volume), area = std::cbrt(volume * volume) / 4;
  const double step = std::cbrt(round_off) * std::cbrt(volume);
  for (int a = 0; a < 4; ++a) {
    const Depth depth = depth_in(obstacle, motion, p.col(a));
    if (!(depth.metres > 0)) continue;
    const Vec3 relative = relative_velocity(motion, p.col(a), v.col(a));
    auto own = K.block<3, 3>(3 * a, 3 * a);
    if (options.kind == TangentKind::positive_definite) {
      own = semidefinite_stiffness(obstacle.response, area, area * depth.metres, depth.normal, relative, options.rate);
      continue;
    }
    const Vec3 force = response(obstacle.response, area, depth.normal, relative);
    for (int j = 0; j < 3; ++j) {
      const Around x(p(j, a), step);
      Vec3 moved = p.col(a);
      moved[j] = x.ahead;
      const Depth ahead = depth_in(obstacle, motion, moved);
      moved[j] = x.behind;
      const Depth behind = depth_in(obstacle, motion, moved);
      const Vec3 normal = (ahead.normal - behind.normal) / x.distance();
      const Vec3 velocity = options.rate * Vec3::Unit(j) - motion.spin.cross(Vec3::Unit(j));
      own.col(j) -= (ahead.metres - behind.metres) / x.distance() * force +
                    response_change(obstacle.response, area * depth.metres, depth.normal, relative, normal, velocity);
    }
    // The surface that the corner stands for grows with volume^(2/3).
    for (int b = 0; b < 4; ++b)
      K.block<3, 3>(3 * a, 3 * b) -= 2.0 / 3 * depth.metres * force * tet.gradient.col(b).transpose();
  }
  return finish(K, options.kind);
}

}  // namespace sunder::contact
