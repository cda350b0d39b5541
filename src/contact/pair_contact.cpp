#include "contact/pair_contact.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

constexpr double automatic_damping = 0.2;  // [s/m] of the stiffness: at 1 m/s a fifth less on parting

/// Unit vector out of b; shorter only where an element has been swallowed.
Vec3 way_out(const TetOverlap& overlap)
{
  constexpr double least_share = 0.5;  // of volume^(2/3): a smaller area no longer says where to go
  return overlap.area / std::max(overlap.area.norm(), least_share * std::cbrt(overlap.volume * overlap.volume));
}

}  // namespace

Touch touch(const Side& a, const Side& b)
{
  if (a.inside_out() || b.inside_out()) return {};
  const TetOverlap overlap = overlap_tets(a.p, a.coordinates, b.p, b.coordinates);
  // Coincident faces, edges and corners of a young crack share what round-off leaves. That is not yet to be seen: it
  // would stand for what there is to forgive.
  constexpr double round_off = 1e-12;
  if (!(overlap.volume > round_off * std::max(a.coordinates.volume, b.coordinates.volume))) return {};
  return {overlap.volume, overlap.area, way_out(overlap), overlap.weights_a, overlap.weights_b};
}

Vec3 force_of(const Touch& touch, const Response& r, double stiffness, double forgiven, const Mat34& p_a,
              const Mat34& v_a, const Mat34& p_b, const Mat34& v_b)
{
  const Vec3 gone = p_a * touch.weights_a - p_b * touch.weights_b;
  const double volume = touch.volume - touch.area.dot(gone) - forgiven;
  if (!(volume > 0)) return Vec3::Zero();
  Response own = r;
  own.stiffness = stiffness;
  if (r.damping < 0) own.damping = automatic_damping * stiffness;
  return response(own, volume, touch.normal, v_a * touch.weights_a - v_b * touch.weights_b);
}

}  // namespace sunder::contact
