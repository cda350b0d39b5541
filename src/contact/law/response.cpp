#include "contact/law/response.hpp"

#include "contact/law/response_law.hpp"

#include <algorithm>

namespace sunder::contact {
namespace {

/// The change of friction_slope() with the speed.
double friction_slope_change(const Response& r, double speed)
{
  if (speed <= r.slip_speed) return 0;
  const double steepness = speed < 2 * r.slip_speed ? (r.friction_dynamic - r.friction_static) / r.slip_speed : 0;
  return (steepness - friction_coefficient(r, speed) / speed) / speed;
}

}  // namespace

double friction_slope(const Response& r, double speed)
{
  return speed > r.slip_speed ? friction_coefficient(r, speed) / speed : r.friction_static / r.slip_speed;
}

Vec3 response(const Response& r, double volume, const Vec3& normal, const Vec3& relative)
{
  const Components<double> force =
      response(r, r.stiffness, r.damping, volume, Components<double>{normal.x(), normal.y(), normal.z()},
               Components<double>{relative.x(), relative.y(), relative.z()});
  return {force.x, force.y, force.z};
}

Vec3 response_change(const Response& r, double volume, const Vec3& normal, const Vec3& relative,
                     const Vec3& normal_change, const Vec3& relative_change)
{
  const double parting = relative.dot(normal), stiffness = r.stiffness - r.damping * parting;
  if (!(stiffness > 0)) return Vec3::Zero();
  const double parting_change = relative_change.dot(normal) + relative.dot(normal_change);
  const double press = volume * stiffness, press_change = -volume * r.damping * parting_change;
  const Vec3 slide = relative - parting * normal;
  const Vec3 slide_change = relative_change - parting_change * normal - parting * normal_change;
  const double speed = slide.norm(), slope = friction_slope(r, speed);
  const double speed_change = speed > 0 ? slide.dot(slide_change) / speed : 0;
  return press_change * normal + press * normal_change - slope * press * slide_change -
         (slope * press_change + friction_slope_change(r, speed) * speed_change * press) * slide;
}

Mat3 semidefinite_stiffness(const Response& r, double area, double volume, const Vec3& normal, const Vec3& relative,
                            double rate)
{
  const double parting = relative.dot(normal), stiffness = std::max(0.0, r.stiffness - r.damping * parting);
  if (stiffness == 0) return Mat3::Zero();
  const double speed = (relative - parting * normal).norm();
  const double friction = friction_slope(r, speed) * stiffness;
  const Mat3 along = normal * normal.transpose();
  return (area * stiffness + rate * volume * r.damping) * along + rate * volume * friction * (Mat3::Identity() - along);
}

}  // namespace sunder::contact
