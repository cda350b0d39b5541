#include "contact/narrow_phase/obstacle_overlap.hpp"

#include "contact/narrow_phase/signed_distance.hpp"
#include "geometry/level_set_overlap.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

bool has_closed_form(const rigid::Body& obstacle)
{
  return obstacle.shape == rigid::Shape::half_space || obstacle.shape == rigid::Shape::sphere ||
         obstacle.shape == rigid::Shape::box;
}

Vec3 to_own_frame(const rigid::Motion& motion, const Vec3& x)
{
  return motion.orientation.conjugate() * (x - motion.position);
}

/// In the obstacle's own frame, and back.
geometry::Overlap overlap_by_distance(const rigid::Body& obstacle, const rigid::Motion& motion, const Mat34& p)
{
  const int levels = obstacle.shape == rigid::Shape::mesh ? 1 : 2;  // a mesh takes a search for each point
  Mat34 own;
  for (int a = 0; a < 4; ++a) own.col(a) = to_own_frame(motion, p.col(a));
  geometry::Overlap overlap =
      geometry::overlap_level_set(own, levels, [&](const Vec3& x) { return signed_distance(obstacle, x).metres; });
  overlap.centre = motion.position + motion.orientation * overlap.centre;
  overlap.area = motion.orientation * overlap.area;
  return overlap;
}

/// The direction out of the obstacle for an element inside it: along the radius of a sphere; to the nearest faces of a
/// box, down the gradient of sum log(half_size^2 - x^2), which is zero in the middle. At most a unit vector.
Vec3 outward(const rigid::Body& obstacle, const rigid::Motion& motion, const Vec3& x)
{
  if (!has_closed_form(obstacle)) return motion.orientation * way_out(obstacle, to_own_frame(motion, x));
  const Vec3 from_centre = x - motion.position;
  if (obstacle.shape == rigid::Shape::sphere) return from_centre / obstacle.radius;
  const Vec3 half = obstacle.size / 2, local = motion.orientation.conjugate() * from_centre;
  const Vec3 margin = (half.cwiseAbs2() - local.cwiseAbs2()).cwiseMax(1e-12 * half.squaredNorm());
  const Vec3 slope = half.minCoeff() * local.cwiseQuotient(margin);
  return motion.orientation * (slope / std::max(1.0, slope.norm()));
}

Depth depth_in_box(const Vec3& half_size, const Vec3& x)
{
  int axis = 0;
  const double depth = (half_size - x.cwiseAbs()).minCoeff(&axis);
  return {depth, std::copysign(1.0, x[axis]) * Vec3::Unit(axis)};
}

/// Between a box and one that is turned and centred at its own origin; along the axes of either.
double gap_to_box(const Vec3& half_size, const Mat3& axes, const Vec3& away, const Vec3& half)
{
  const Mat3 reach = axes.cwiseAbs();
  const Vec3 along_its = (axes.transpose() * away).cwiseAbs() - half_size - reach.transpose() * half;
  const Vec3 along_ours = away.cwiseAbs() - half - reach * half_size;
  return std::max(along_its.maxCoeff(), along_ours.maxCoeff());
}

double gap_to_mesh(const geometry::ClosedSurface& surface, const Mat3& axes, const Vec3& away, const Vec3& half)
{
  const geometry::Box& box = surface.box();
  const Vec3 middle = (box.low + box.high) / 2;
  const double to_box = gap_to_box((box.high - box.low) / 2, axes, away - axes * middle, half);
  if (to_box > 0) return to_box;
  return surface.distance(axes.transpose() * away).metres - half.norm();
}

}  // namespace

geometry::Overlap overlap_with(const rigid::Body& obstacle, const rigid::Motion& motion, const Mat34& p)
{
  switch (obstacle.shape) {
    case rigid::Shape::half_space:
      return geometry::overlap_half_space(p, motion.position, obstacle.normal);
    case rigid::Shape::box:
      return geometry::overlap_box(p, motion.position, motion.orientation.toRotationMatrix(), obstacle.size / 2);
    case rigid::Shape::sphere:
      return geometry::overlap_sphere(p, motion.position, obstacle.radius);
    case rigid::Shape::cylinder:
    case rigid::Shape::capsule:
    case rigid::Shape::mesh:
      break;
  }
  return overlap_by_distance(obstacle, motion, p);
}

Vec3 contact_normal(const geometry::Overlap& overlap, const rigid::Body& obstacle, const rigid::Motion& motion)
{
  constexpr double least_share = 0.05;  // of volume^(2/3): a smaller surface does not decide the direction alone
  constexpr double fade = 1e-3;         // of |outward()|: for less, near the centre, the force fades out
  if (obstacle.shape == rigid::Shape::half_space) return obstacle.normal;
  const double area = overlap.area.norm();
  const double scale = std::cbrt(overlap.volume * overlap.volume);
  const double missing = std::max(0.0, least_share * scale - area);
  if (missing == 0) return overlap.area / area;
  const Vec3 direction = overlap.area + missing * outward(obstacle, motion, overlap.centre);
  return direction / std::max(direction.norm(), fade * least_share * scale);
}

Depth depth_in(const rigid::Body& obstacle, const rigid::Motion& motion, const Vec3& x)
{
  const Vec3 from = x - motion.position;
  switch (obstacle.shape) {
    case rigid::Shape::half_space:
      return {-obstacle.normal.dot(from), obstacle.normal};
    case rigid::Shape::box: {
      Depth depth = depth_in_box(obstacle.size / 2, motion.orientation.conjugate() * from);
      depth.normal = motion.orientation * depth.normal;
      return depth;
    }
    case rigid::Shape::sphere: {
      const double distance = from.norm();
      return {obstacle.radius - distance, distance > 0 ? Vec3(from / distance) : Vec3(Vec3::Zero())};
    }
    case rigid::Shape::cylinder:
    case rigid::Shape::capsule:
    case rigid::Shape::mesh:
      break;
  }
  const geometry::SignedDistance own = signed_distance(obstacle, motion.orientation.conjugate() * from);
  return {-own.metres, motion.orientation * own.normal};
}

double gap_to(const rigid::Body& obstacle, const rigid::Motion& motion, const geometry::Box& box)
{
  const Vec3 half = (box.high - box.low) / 2, away = box.low + half - motion.position;
  if (obstacle.shape == rigid::Shape::half_space)
    return obstacle.normal.dot(away) - obstacle.normal.cwiseAbs().dot(half);
  if (obstacle.shape == rigid::Shape::sphere) {
    const Vec3 beside = (box.low - motion.position).cwiseMax(motion.position - box.high).cwiseMax(0);
    return beside.norm() - obstacle.radius;
  }
  const Mat3 axes = motion.orientation.toRotationMatrix();
  if (obstacle.shape == rigid::Shape::box) return gap_to_box(obstacle.size / 2, axes, away, half);
  if (obstacle.shape == rigid::Shape::mesh) return gap_to_mesh(*obstacle.surface, axes, away, half);
  return signed_distance(obstacle, axes.transpose() * away).metres - half.norm();
}

geometry::Box box_around(const Mat34& p)
{
  return {p.rowwise().minCoeff(), p.rowwise().maxCoeff()};
}

}  // namespace sunder::contact
