#include "contact/law/obstacle_force.hpp"

#include "geometry/barycentric.hpp"

#include <cmath>

namespace sunder::contact {

ElementContact element_contact(const Obstacle& obstacle, const rigid::State& state, const Mat34& p, const Mat34& v)
{
  const geometry::Overlap overlap = overlap_with(obstacle, state, p);
  ElementContact contact;
  if (!(overlap.volume > 0)) return contact;
  const Vec3 lever = overlap.centre - state.position;
  const Vec3 relative = v * overlap.weights - state.velocity - state.spin.cross(lever);
  const Vec3 force = response(obstacle.response, overlap.volume, contact_normal(overlap, obstacle, state), relative);
  contact.forces = force * overlap.weights.transpose();
  contact.torque = -lever.cross(force);
  contact.overlap = overlap.volume;
  return contact;
}

ElementContact element_contact_by_nodes(const Obstacle& obstacle, const rigid::State& state, const Mat34& p,
                                        const Mat34& v)
{
  ElementContact contact;
  const double volume = std::abs(geometry::barycentric(p).volume), area = std::cbrt(volume * volume) / 4;
  for (int a = 0; a < 4; ++a) {
    const Depth depth = depth_in(obstacle, state, p.col(a));
    if (!(depth.metres > 0)) continue;
    const Vec3 lever = p.col(a) - state.position;
    const Vec3 relative = v.col(a) - state.velocity - state.spin.cross(lever);
    contact.forces.col(a) = response(obstacle.response, area * depth.metres, depth.normal, relative);
    contact.torque -= lever.cross(Vec3(contact.forces.col(a)));
    contact.overlap += area * depth.metres;
  }
  return contact;
}

}  // namespace sunder::contact
