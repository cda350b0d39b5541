#pragma once
/// Tetrahedra and a slow, independent overlap for the tests of this folder; fixed seeds.

#include "geometry/primitive_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace sunder::geometry::testing {

class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967295.0; }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 direction()
  {
    for (;;)
      if (const Vec3 d = vector(1); d.norm() > 0.1 && d.norm() < 1) return d.normalized();
  }
  Mat3 rotation()
  {
    return Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 1.5).normalized().toRotationMatrix();
  }
  /// Corners in a cube of half-width size, either orientation, no sliver.
  Mat34 tet(double size)
  {
    for (;;) {
      Mat34 p;
      for (int a = 0; a < 4; ++a) p.col(a) = vector(size);
      if (std::abs(volume_of(p)) > 0.03 * size * size * size) return p;
    }
  }
  static double volume_of(const Mat34& p)
  {
    return (p.col(1) - p.col(0)).cross(p.col(2) - p.col(0)).dot(p.col(3) - p.col(0)) / 6;
  }

private:
  std::mt19937 engine_;
};

inline double volume_of(const Mat34& p)
{
  return Random::volume_of(p);
}

/// With its corners in the order that gives it a positive volume.
inline Mat34 upright(Mat34 p)
{
  if (volume_of(p) < 0) p.col(1).swap(p.col(2));
  return p;
}

/// Edge length 1, a horizontal face at height z = 0 below its fourth corner.
inline Mat34 regular_tet()
{
  const double r = 1 / std::sqrt(3.0);
  Mat34 p;
  p << r, -r / 2, -r / 2, 0, 0, 0.5, -0.5, 0, 0, 0, 0, std::sqrt(2.0 / 3);
  return p;
}

/// A vertical line's part in a convex body.
struct Chord {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  /// Keeps what satisfies slope z <= bound.
  void keep(double slope, double bound)
  {
    if (slope > 0) high = std::min(high, bound / slope);
    if (slope < 0) low = std::max(low, bound / slope);
    if (slope == 0 && bound < 0) high = low;
  }
};

struct Reference {
  double volume = 0;
  Vec3 centre = Vec3::Zero();
};

/// Volume and centre from n x n vertical lines. cut(x, y, chord) leaves the obstacle's part of a chord.
template <class Cut>
Reference by_columns(const Mat34& p, int n, Cut&& cut)
{
  const Vec3 low = p.rowwise().minCoeff(), high = p.rowwise().maxCoeff();
  const double dx = (high.x() - low.x()) / n, dy = (high.y() - low.y()) / n;
  Mat34 normals;
  Eigen::Vector4d offsets;
  for (int k = 0; k < 4; ++k) {
    const Vec3 a = p.col((k + 1) % 4), b = p.col((k + 2) % 4), c = p.col((k + 3) % 4);
    Vec3 normal = (b - a).cross(c - a);
    if (normal.dot(p.col(k) - a) > 0) normal = -normal;
    normals.col(k) = normal;
    offsets[k] = normal.dot(a);
  }
  Reference sum;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double x = low.x() + (i + 0.5) * dx, y = low.y() + (j + 0.5) * dy;
      Chord chord;
      for (int k = 0; k < 4; ++k) chord.keep(normals(2, k), offsets[k] - normals(0, k) * x - normals(1, k) * y);
      cut(x, y, chord);
      const double length = chord.high - chord.low;
      if (!(length > 0)) continue;
      sum.volume += length * dx * dy;
      sum.centre += length * dx * dy * Vec3(x, y, (chord.low + chord.high) / 2);
    }
  if (sum.volume > 0) sum.centre /= sum.volume;
  return sum;
}

inline bool same(const Mat34& a, const Mat34& b)
{
  return (a.array() == b.array()).all();
}

}  // namespace sunder::geometry::testing
