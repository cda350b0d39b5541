#include "contact/pair_contact.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

/// Unit vector out of b; shorter only where an element has been swallowed.
Vec3 way_out(const TetOverlap& overlap)
{
  constexpr double inner = 0.1;        // weight of T 5.4's direction beside that of the free surface
  constexpr double least_share = 0.1;  // of volume^(2/3): surfaces smaller than this no longer say where to go
  const Vec3 direction = overlap.free_area + inner * overlap.area;
  return direction / std::max(direction.norm(), least_share * std::cbrt(overlap.volume * overlap.volume));
}

}  // namespace

PairContact pair_contact(const Response& r, double stiffness, const Side& a, const Side& b)
{
  PairContact contact;
  const TetOverlap overlap = overlap_tets(a.p, b.p, a.free, b.free);
  if (!(overlap.volume > 0)) return contact;
  Response own = r;
  own.stiffness = stiffness;
  const Vec3 force = response(own, overlap.volume, way_out(overlap), a.v * overlap.weights_a - b.v * overlap.weights_b);
  contact.on_a = force * overlap.weights_a.transpose();
  contact.on_b = -force * overlap.weights_b.transpose();
  contact.overlap = overlap.volume;
  return contact;
}

}  // namespace sunder::contact
