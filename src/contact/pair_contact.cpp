#include "contact/pair_contact.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

/// Unit vector out of b; shorter only where an element has been swallowed.
Vec3 way_out(const TetOverlap& overlap)
{
  constexpr double inner = 0.1;        // weight of T 5.4's direction beside that of the free surface
  constexpr double least_share = 0.5;  // of volume^(2/3): surfaces smaller than this no longer say where to go
  const Vec3 direction = overlap.free_area + inner * overlap.area;
  return direction / std::max(direction.norm(), least_share * std::cbrt(overlap.volume * overlap.volume));
}

}  // namespace

PairContact pair_contact(const Response& r, double stiffness, const Side& a, const Side& b, double forgiven)
{
  PairContact contact;
  if (a.coordinates.volume < 0 || b.coordinates.volume < 0) return contact;
  const TetOverlap overlap = overlap_tets(a.p, a.coordinates, b.p, b.coordinates, a.free, b.free);
  contact.overlap = overlap.volume;
  if (!(overlap.volume > forgiven)) return contact;
  Response own = r;
  own.stiffness = stiffness;
  const Vec3 force =
      response(own, overlap.volume - forgiven, way_out(overlap), a.v * overlap.weights_a - b.v * overlap.weights_b);
  contact.on_a = force * overlap.weights_a.transpose();
  contact.on_b = -force * overlap.weights_b.transpose();
  return contact;
}

}  // namespace sunder::contact
