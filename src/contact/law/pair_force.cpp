#include "contact/law/pair_force.hpp"

namespace sunder::contact {
namespace {

constexpr double automatic_damping = 0.2;  // [s/m], times the stiffness: parting at 1 m/s takes a fifth off the force

}  // namespace

Response resolved(const Response& r, double stiffness)
{
  Response own = r;
  own.stiffness = stiffness;
  if (r.damping < 0) own.damping = automatic_damping * stiffness;
  return own;
}

Vec3 pair_force(const ElementOverlap& overlap, const Response& r, double stiffness, double initial_overlap,
                const Mat34& p_a, const Mat34& v_a, const Mat34& p_b, const Mat34& v_b)
{
  const Vec3 shift = p_a * overlap.weights_a - p_b * overlap.weights_b;
  const double volume = overlap.volume - overlap.area.dot(shift) - initial_overlap;
  if (!(volume > 0)) return Vec3::Zero();
  return response(resolved(r, stiffness), volume, overlap.normal, v_a * overlap.weights_a - v_b * overlap.weights_b);
}

}  // namespace sunder::contact
