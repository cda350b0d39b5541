#include "contact/node_contact.hpp"

#include <cmath>
#include <limits>

namespace sunder::contact {
namespace {

Depth depth_in_box(const Vec3& half_size, const Vec3& x)
{
  int axis = 0;
  const double depth = (half_size - x.cwiseAbs()).minCoeff(&axis);
  return {depth, std::copysign(1.0, x[axis]) * Vec3::Unit(axis)};
}

/// Area of the free faces at corner c, a third of each [m^2]: face j has the area 3 volume |grad N_j|.
double surface_at(const Side& side, int c)
{
  double area = 0;
  for (int j = 0; j < 4; ++j)
    if (j != c && side.free >> j & 1) area += side.coordinates.volume * side.coordinates.gradient.col(j).norm();
  return area;
}

/// Way to the nearest free face from inside, where N_j is 1 over the height |grad N_j|^-1.
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

/// Adds corners of one element inside the other to a Touch whose normal and weights are still times its volume.
/// sign: 1 if `from` is the touch's a.
void press(const Side& from, const Side& into, double sign, Eigen::Vector4d& weights_from,
           Eigen::Vector4d& weights_into, Touch& touch)
{
  if (into.free == 0) return;
  for (int c = 0; c < 4; ++c) {
    const Eigen::Vector4d coordinates = into.coordinates.at(from.p.col(c));
    if (!(coordinates.array() > 0).all()) continue;
    const double area = surface_at(from, c);
    const Depth depth = depth_in_element(into, coordinates);
    const double volume = area * depth.metres;
    touch.volume += volume;
    touch.area += sign * area * depth.normal;
    touch.normal += sign * volume * depth.normal;
    weights_from[c] += volume;
    weights_into += volume * coordinates;
  }
}

}  // namespace

Depth depth_in(const Obstacle& obstacle, const ObstacleState& state, const Vec3& x)
{
  const Vec3 from = x - state.position;
  switch (obstacle.shape) {
    case Shape::half_space:
      return {-obstacle.normal.dot(from), obstacle.normal};
    case Shape::box: {
      Depth depth = depth_in_box(obstacle.size / 2, state.orientation.conjugate() * from);
      depth.normal = state.orientation * depth.normal;
      return depth;
    }
    case Shape::sphere:
      break;
  }
  const double distance = from.norm();
  return {obstacle.radius - distance, distance > 0 ? Vec3(from / distance) : Vec3(Vec3::Zero())};
}

ElementContact element_contact_by_nodes(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p,
                                        const Mat34& v)
{
  ElementContact contact;
  const double volume = std::abs(barycentric(p).volume), area = std::cbrt(volume * volume) / 4;
  for (int a = 0; a < 4; ++a) {
    const Depth depth = depth_in(obstacle, state, p.col(a));
    if (!(depth.metres > 0)) continue;
    const Vec3 lever = p.col(a) - state.position;
    const Vec3 relative = v.col(a) - state.velocity - state.spin.cross(lever);
    contact.forces.col(a) = response(obstacle.response, area * depth.metres, depth.normal, relative);
    contact.torque -= lever.cross(Vec3(contact.forces.col(a)));
    contact.overlap += area * depth.metres;
  }
  return contact;
}

Touch touch_by_nodes(const Side& a, const Side& b)
{
  if (!(a.coordinates.volume > 0 && b.coordinates.volume > 0)) return {};
  Touch touch;
  press(a, b, 1, touch.weights_a, touch.weights_b, touch);
  press(b, a, -1, touch.weights_b, touch.weights_a, touch);
  if (!(touch.volume > 0)) return {};
  touch.normal /= touch.volume, touch.weights_a /= touch.volume, touch.weights_b /= touch.volume;
  return touch;
}

}  // namespace sunder::contact
