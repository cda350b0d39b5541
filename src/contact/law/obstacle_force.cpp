#include "contact/law/obstacle_force.hpp"

#include "geometry/barycentric.hpp"

#include <cmath>

namespace sunder::contact {

ElementContact element_contact(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p, const Mat34& v)
{
  const geometry::Overlap overlap = overlap_with(obstacle, motion, p);
  ElementContact contact;
  if (!(overlap.volume > 0)) return contact;
  const Vec3 lever = overlap.centre - motion.position;
  const Vec3 relative = v * overlap.weights - motion.velocity - motion.spin.cross(lever);
  const Vec3 force = response(obstacle.response, overlap.volume, contact_normal(overlap, obstacle, motion), relative);
  contact.forces = force * overlap.weights.transpose();
  contact.torque = -lever.cross(force);
  contact.overlap = overlap.volume;
  return contact;
}

ElementContact element_contact_by_nodes(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p,
                                        const Mat34& v)
{
  ElementContact contact;
  const double volume = std::abs(geometry::barycentric(p).volume), area = std::cbrt(volume * volume) / 4;
  for (int a = 0; a < 4; ++a) {
    const Depth depth = depth_in(obstacle, motion, p.col(a));
    if (!(depth.metres > 0)) continue;
    const Vec3 lever = p.col(a) - motion.position;
    const Vec3 relative = v.col(a) - motion.velocity - motion.spin.cross(lever);
    contact.forces.col(a) = response(obstacle.response, area * depth.metres, depth.normal, relative);
    contact.torque -= lever.cross(Vec3(contact.forces.col(a)));
    contact.overlap += area * depth.metres;
  }
  return contact;
}

}  // namespace sunder::contact
