#pragma once
/// Axis-aligned boxes. Local, pure.

#include "core/types.hpp"

#include <limits>

namespace sunder::geometry {

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void include(const Vec3& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
  void include(const Box& b) { low = low.cwiseMin(b.low), high = high.cwiseMax(b.high); }
  void grow(double by) { low.array() -= by, high.array() += by; }
  bool contains(const Vec3& x) const { return (x.array() >= low.array()).all() && (x.array() <= high.array()).all(); }
  bool meets(const Box& b) const
  {
    return low.x() <= b.high.x() && b.low.x() <= high.x() && low.y() <= b.high.y() && b.low.y() <= high.y() &&
           low.z() <= b.high.z() && b.low.z() <= high.z();
  }
};

}  // namespace sunder::geometry
