#include "contact/narrow_phase/element_overlap.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

/// Unit vector out of b; shorter only if one element is inside the other.
Vec3 contact_normal(const geometry::TetOverlap& overlap)
{
  constexpr double least_share = 0.5;  // of volume^(2/3): a smaller area does not give a direction any more
  return overlap.area / std::max(overlap.area.norm(), least_share * std::cbrt(overlap.volume * overlap.volume));
}

}  // namespace

ElementOverlap overlap_of_elements(const Side& a, const Side& b)
{
  if (a.inverted() || b.inverted()) return {};
  const geometry::TetOverlap overlap = geometry::overlap_tets(a.p, a.coordinates, b.p, b.coordinates);
  // Coincident faces, edges and corners of a young crack overlap by round-off. That must not count as an overlap: it
  // would be taken for the initial overlap.
  constexpr double round_off = 1e-12;
  if (!(overlap.volume > round_off * std::max(a.coordinates.volume, b.coordinates.volume))) return {};
  return {overlap.volume, overlap.area, contact_normal(overlap), overlap.weights_a, overlap.weights_b};
}

}  // namespace sunder::contact
