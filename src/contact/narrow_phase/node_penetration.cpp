#include "contact/narrow_phase/node_penetration.hpp"

#include "contact/narrow_phase/depth.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace sunder::contact {
namespace {

/// The surface that corner c stands for: a third of each free face at it [m^2]. Face j has the area 3 volume |grad
/// N_j|.
double surface_at(const Side& side, int c)
{
  double area = 0;
  for (int j = 0; j < 4; ++j)
    if (j != c && side.free >> j & 1) area += side.coordinates.volume * side.coordinates.gradient.col(j).norm();
  return area;
}

/// Distance and direction from a point inside to the nearest free face. Face j is N_j / |grad N_j| away.
Depth depth_in_element(const Side& side, const Eigen::Vector4d& coordinates)
{
  Depth nearest{std::numeric_limits<double>::infinity(), Vec3::Zero()};
  for (int j = 0; j < 4; ++j) {
    if (!(side.free >> j & 1)) continue;
    const Vec3 gradient = side.coordinates.gradient.col(j);
    const double steepness = gradient.norm();
    if (coordinates[j] / steepness < nearest.metres) nearest = {coordinates[j] / steepness, -gradient / steepness};
  }
  return nearest;
}

/// Adds the corners of element `from` that are inside the other to an overlap. Its normal and weights are sums weighted
/// by volume; the caller divides. sign: 1 if `from` is element a of the overlap.
void press(const Side& from, const Side& into, double sign, Eigen::Vector4d& weights_from,
           Eigen::Vector4d& weights_into, ElementOverlap& overlap)
{
  if (into.free == 0) return;
  for (int c = 0; c < 4; ++c) {
    const Eigen::Vector4d coordinates = into.coordinates.at(from.p.col(c));
    if (!(coordinates.array() > 0).all()) continue;
    const double area = surface_at(from, c);
    const Depth depth = depth_in_element(into, coordinates);
    const double volume = area * depth.metres;
    overlap.volume += volume;
    overlap.area += sign * area * depth.normal;
    overlap.normal += sign * volume * depth.normal;
    weights_from[c] += volume;
    weights_into += volume * coordinates;
  }
}

}  // namespace

ElementOverlap overlap_by_nodes(const Side& a, const Side& b)
{
  if (!(a.coordinates.volume > 0 && b.coordinates.volume > 0)) return {};
  ElementOverlap overlap;
  press(a, b, 1, overlap.weights_a, overlap.weights_b, overlap);
  press(b, a, -1, overlap.weights_b, overlap.weights_a, overlap);
  if (!(overlap.volume > 0)) return {};
  overlap.normal /= overlap.volume, overlap.weights_a /= overlap.volume, overlap.weights_b /= overlap.volume;
  return overlap;
}

ElementOverlapSlope slope_of_overlap_by_nodes(const Side& a, const Side& b)
{
  ElementOverlapSlope slope;
  slope.overlap = overlap_by_nodes(a, b);
  if (slope.overlap.volume == 0) return slope;
  // The error of the third derivative grows with the square of the step, that of round-off with its inverse.
  const double edge = std::cbrt(std::min(a.coordinates.volume, b.coordinates.volume));
  const double depth = std::min(edge, slope.overlap.volume / std::max(slope.overlap.area.norm(), edge * edge * 1e-6));
  const double step = 1e-4 * depth;
  for (int k = 0; k < 24; ++k) {
    std::array<ElementOverlap, 2> around;
    std::array<double, 2> at{};
    for (const std::size_t ahead : {0u, 1u}) {
      Mat34 p = k < 12 ? a.p : b.p;
      double& x = p.data()[k % 12];
      x += ahead ? step : -step;
      at[ahead] = x;
      const Side moved(p, k < 12 ? a.free : b.free);
      around[ahead] = k < 12 ? overlap_by_nodes(moved, b) : overlap_by_nodes(a, moved);
    }
    const auto& [behind, ahead] = around;
    const double distance = at[1] - at[0];
    slope.volume(k) = (ahead.volume - behind.volume) / distance;
    if (ahead.volume == 0 || behind.volume == 0) continue;
    slope.normal.col(k) = (ahead.normal - behind.normal) / distance;
    slope.weights_a.col(k) = (ahead.weights_a - behind.weights_a) / distance;
    slope.weights_b.col(k) = (ahead.weights_b - behind.weights_b) / distance;
  }
  return slope;
}

}  // namespace sunder::contact
