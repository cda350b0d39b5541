#include "contact/narrow_phase/signed_distance.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

using geometry::SignedDistance;

/// The part of x across the axis, which is z.
Vec3 radial(const Vec3& x)
{
  return {x.x(), x.y(), 0};
}

/// From the nearest point of the axis between the centres of a capsule's ends.
Vec3 from_axis(const rigid::Body& capsule, const Vec3& x)
{
  return x - Vec3(0, 0, std::clamp(x.z(), -capsule.length / 2, capsule.length / 2));
}

SignedDistance to_capsule(const rigid::Body& capsule, const Vec3& x)
{
  const Vec3 away = from_axis(capsule, x);
  const double distance = away.norm();
  return {distance - capsule.radius, distance > 0 ? Vec3(away / distance) : Vec3(Vec3::UnitX())};
}

SignedDistance to_cylinder(const rigid::Body& cylinder, const Vec3& x)
{
  const Vec3 across = radial(x);
  const double distance = across.norm();
  const double beside = distance - cylinder.radius, beyond = std::abs(x.z()) - cylinder.length / 2;
  const Vec3 side = distance > 0 ? Vec3(across / distance) : Vec3(Vec3::UnitX());
  const Vec3 end(0, 0, std::copysign(1.0, x.z()));
  if (beside > 0 && beyond > 0) {
    const double metres = std::hypot(beside, beyond);
    return {metres, (beside * side + beyond * end) / metres};
  }
  return beside > beyond ? SignedDistance{beside, side} : SignedDistance{beyond, end};
}

}  // namespace

SignedDistance signed_distance(const rigid::Body& obstacle, const Vec3& x)
{
  if (obstacle.shape == rigid::Shape::capsule) return to_capsule(obstacle, x);
  if (obstacle.shape == rigid::Shape::cylinder) return to_cylinder(obstacle, x);
  return obstacle.surface->distance(x);
}

Vec3 way_out(const rigid::Body& obstacle, const Vec3& x)
{
  if (obstacle.shape == rigid::Shape::capsule) return from_axis(obstacle, x) / obstacle.radius;
  if (obstacle.shape == rigid::Shape::mesh) return obstacle.surface->distance(x).normal;
  // Down the gradient of the sum of the logarithms of radius^2 - r^2 and (length/2)^2 - z^2.
  const double r = obstacle.radius, half = obstacle.length / 2, round_off = 1e-12 * (r * r + half * half);
  const Vec3 slope = radial(x) / std::max(r * r - radial(x).squaredNorm(), round_off) +
                     Vec3(0, 0, x.z() / std::max(half * half - x.z() * x.z(), round_off));
  const Vec3 out = std::min(r, half) * slope;
  return out / std::max(1.0, out.norm());
}

}  // namespace sunder::contact
