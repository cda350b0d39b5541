#pragma once
/// A slow, independent volume of convex polyhedra, for the tests of this folder.

#include "core/types.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sunder::geometry::testing {

using Real = long double;
using RVec = Eigen::Matrix<Real, 3, 1>;

struct Enumerated {
  Real volume = 0;
  RVec centre = RVec::Zero();
};

struct Plane {
  RVec normal;
  Real offset = 0;  // inside: normal.x <= offset
};

inline void add_planes(const Mat34& p, std::vector<Plane>& planes)
{
  for (int k = 0; k < 4; ++k) {
    const RVec a = p.col((k + 1) % 4).cast<Real>(), b = p.col((k + 2) % 4).cast<Real>();
    const RVec c = p.col((k + 3) % 4).cast<Real>(), top = p.col(k).cast<Real>();
    RVec normal = (b - a).cross(c - a).normalized();
    if (normal.dot(top - a) > 0) normal = -normal;
    planes.push_back({normal, normal.dot(a)});
  }
}

/// Corners of the region behind all planes as the points where three of them meet inside all others, its volume by fans
/// around each face, in extended precision. Positions in general only.
inline Enumerated enumerate(const std::vector<Plane>& planes)
{
  constexpr Real skin = 1e-16L;
  std::vector<std::vector<RVec>> on(planes.size());
  std::vector<RVec> corners;
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = i + 1; j < planes.size(); ++j)
      for (std::size_t k = j + 1; k < planes.size(); ++k) {
        const RVec jk = planes[j].normal.cross(planes[k].normal);
        const Real det = planes[i].normal.dot(jk);
        if (std::abs(det) < 1e-14L) continue;
        const RVec x = (planes[i].offset * jk + planes[j].offset * planes[k].normal.cross(planes[i].normal) +
                        planes[k].offset * planes[i].normal.cross(planes[j].normal)) /
                       det;
        bool inside = true;
        for (std::size_t m = 0; m < planes.size() && inside; ++m)
          if (m != i && m != j && m != k) inside = planes[m].normal.dot(x) <= planes[m].offset + skin;
        if (!inside) continue;
        on[i].push_back(x), on[j].push_back(x), on[k].push_back(x), corners.push_back(x);
      }
  Enumerated result;
  if (corners.size() < 4) return result;
  RVec q = RVec::Zero();
  for (const RVec& x : corners) q += x / static_cast<Real>(corners.size());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (on[i].size() < 3) continue;
    RVec middle = RVec::Zero();
    for (const RVec& x : on[i]) middle += x / static_cast<Real>(on[i].size());
    const RVec u = (on[i][0] - middle).normalized(), w = planes[i].normal.cross(u);
    std::sort(on[i].begin(), on[i].end(), [&](const RVec& x, const RVec& y) {
      return std::atan2(w.dot(x - middle), u.dot(x - middle)) < std::atan2(w.dot(y - middle), u.dot(y - middle));
    });
    for (std::size_t m = 0; m < on[i].size(); ++m) {
      const RVec &x = on[i][m], &y = on[i][(m + 1) % on[i].size()];
      const Real part = (middle - q).cross(x - q).dot(y - q) / 6;
      result.volume += part, result.centre += part / 4 * (q + middle + x + y);
    }
  }
  if (result.volume > 0) result.centre /= result.volume;
  return result;
}

}  // namespace sunder::geometry::testing
