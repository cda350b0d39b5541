#include "contact/narrow_phase/element_overlap.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

/// An area smaller than this does not give a direction any more [m^2].
double least_area(const geometry::TetOverlap& overlap)
{
  constexpr double least_share = 0.5;  // of volume^(2/3)
  return least_share * std::cbrt(overlap.volume * overlap.volume);
}

/// Unit vector out of b; shorter only if one element is inside the other.
Vec3 contact_normal(const geometry::TetOverlap& overlap)
{
  return overlap.area / std::max(overlap.area.norm(), least_area(overlap));
}

// Coincident faces, edges and corners of a young crack overlap by round-off. That must not count as an overlap: it
// would be taken for the initial overlap.
bool is_round_off(const geometry::TetOverlap& overlap, const Side& a, const Side& b)
{
  constexpr double round_off = 1e-12;
  return !(overlap.volume > round_off * std::max(a.coordinates.volume, b.coordinates.volume));
}

}  // namespace

ElementOverlap overlap_of_elements(const Side& a, const Side& b, Arithmetic arithmetic)
{
  if (a.inverted() || b.inverted()) return {};
  const auto overlap_of = arithmetic == Arithmetic::of_slope
                              ? geometry::overlap_as_slope
                              : static_cast<decltype(&geometry::overlap_as_slope)>(geometry::overlap_tets);
  const geometry::TetOverlap overlap = overlap_of(a.p, a.coordinates, b.p, b.coordinates);
  if (is_round_off(overlap, a, b)) return {};
  return {overlap.volume, overlap.area, contact_normal(overlap), overlap.weights_a, overlap.weights_b};
}

ElementOverlapSlope slope_of_overlap(const Side& a, const Side& b)
{
  if (a.inverted() || b.inverted()) return {};
  const geometry::TetOverlapSlope slope = geometry::overlap_slope(a.p, a.coordinates, b.p, b.coordinates);
  const geometry::TetOverlap& overlap = slope.overlap;
  if (is_round_off(overlap, a, b)) return {};
  ElementOverlapSlope result{
      {overlap.volume, overlap.area, contact_normal(overlap), overlap.weights_a, overlap.weights_b},
      slope.volume,
      {},
      slope.weights_a,
      slope.weights_b};
  const double area = overlap.area.norm(), least = least_area(overlap);
  const Vec3& normal = result.overlap.normal;
  if (area >= least)
    result.normal = (slope.area - normal * (normal.transpose() * slope.area)) / area;
  else
    result.normal = slope.area / least - normal * (2 / (3 * overlap.volume) * slope.volume);
  return result;
}

}  // namespace sunder::contact
