#include "contact/law/pair_tangent.hpp"

namespace sunder::contact {
namespace {

using Weights = Eigen::Matrix<double, 8, 1>;

PairMatrix semidefinite(const ElementOverlap& overlap, const Response& r, double volume, const Weights& weights,
                        const Vec3& relative, double rate)
{
  const Mat3 part = semidefinite_stiffness(r, overlap.area.norm(), volume, overlap.normal, relative, rate);
  PairMatrix K;
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b) K.block<3, 3>(3 * a, 3 * b) = weights[a] * weights[b] * part;
  return K;
}

}  // namespace

PairMatrix pair_tangent(const ElementOverlapSlope& slope, const Response& r, double initial_overlap, const Mat34& v_a,
                        const Mat34& v_b, const TangentOptions& options)
{
  const ElementOverlap& overlap = slope.overlap;
  const double volume = overlap.volume - initial_overlap;
  if (!(volume > 0)) return PairMatrix::Zero();
  Weights weights;  // of the force on the first element; the second gets its opposite
  weights << overlap.weights_a, -overlap.weights_b;
  const Vec3 relative = v_a * overlap.weights_a - v_b * overlap.weights_b;
  if (options.kind == TangentKind::positive_definite)
    return semidefinite(overlap, r, volume, weights, relative, options.rate);

  const Vec3 per_volume = response(r, 1, overlap.normal, relative), force = volume * per_volume;
  geometry::Slope<3> velocity = v_a * slope.weights_a - v_b * slope.weights_b;
  for (int c = 0; c < 8; ++c) velocity.middleCols<3>(3 * c) += options.rate * weights[c] * Mat3::Identity();
  PairMatrix K;
  for (int k = 0; k < 24; ++k) {
    const Vec3 change = slope.volume(k) * per_volume +
                        response_change(r, volume, overlap.normal, relative, slope.normal.col(k), velocity.col(k));
    for (int c = 0; c < 4; ++c) {
      K.block<3, 1>(3 * c, k) = -(slope.weights_a(c, k) * force + overlap.weights_a[c] * change);
      K.block<3, 1>(12 + 3 * c, k) = slope.weights_b(c, k) * force + overlap.weights_b[c] * change;
    }
  }
  if (options.kind == TangentKind::symmetric) K = (0.5 * (K + K.transpose())).eval();
  return K;
}

}  // namespace sunder::contact
