#include "contact/law/response.hpp"

#include <algorithm>

namespace sunder::contact {
namespace {

double friction_coefficient(const Response& r, double speed)
{
  const double slip = speed / r.slip_speed;
  return slip <= 1 ? r.friction_static * slip
                   : r.friction_static + (r.friction_dynamic - r.friction_static) * std::min(slip - 1, 1.0);
}

}  // namespace

Vec3 response(const Response& r, double volume, const Vec3& normal, const Vec3& relative)
{
  const double parting = relative.dot(normal);
  const double press = volume * std::max(0.0, r.stiffness - r.damping * parting);
  const Vec3 slide = relative - parting * normal;
  const double speed = slide.norm();
  Vec3 force = press * normal;
  if (speed > 0) force -= (friction_coefficient(r, speed) * press / speed) * slide;
  return force;
}

}  // namespace sunder::contact
