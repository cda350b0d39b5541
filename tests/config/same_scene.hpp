#pragma once
/// Is a scene the same as another? Every field of it, so that a comparison leaves none out.

#include "config/scene.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <tuple>

namespace sunder::config::testing {

inline auto all(const material::Material& m)
{
  return std::tie(m.name, m.law, m.density, m.k1, m.k2, m.toughness, m.toughness_form, m.cohesion, m.residual, m.source,
                  m.axes, m.toughness_scale, m.toughness_axes, m.reference);
}
inline auto all(const material::Weibull& w)
{
  return std::tie(w.modulus, w.volume, w.seed);
}
inline auto all(const material::Interface& i)
{
  return std::tie(i.a, i.b, i.form, i.toughness, i.reference, i.cohesion);
}
inline bool same_law(const material::Material& a, const material::Material& b)
{
  if (a.anisotropy && b.anisotropy)
    return a.anisotropy->own_C() == b.anisotropy->own_C() && a.anisotropy->own_D() == b.anisotropy->own_D() &&
           a.anisotropy->C() == b.anisotropy->C() && a.anisotropy->D() == b.anisotropy->D();
  return !a.anisotropy && !b.anisotropy && a.lambda == b.lambda && a.mu == b.mu && a.phi == b.phi && a.psi == b.psi;
}
inline auto all(const MeshSource& m)
{
  return std::tie(m.file, m.geometry, m.size, m.grading, m.scale, m.refine);
}
inline auto all(const contact::Response& r)
{
  return std::tie(r.stiffness, r.damping, r.friction_static, r.friction_dynamic, r.slip_speed);
}
inline auto all(const TimeOptions& t)
{
  return std::tie(t.end, t.step, t.safety, t.step_factor, t.scheme, t.viscosity_cap, t.mass_scaling_step, t.inverted,
                  t.local_steps, t.macro_step);
}
inline auto all(const fracture::FractureOptions& f)
{
  return std::tie(f.enabled, f.criterion, f.remesh, f.snap_distance, f.snap_angle, f.snap_relative, f.least_height,
                  f.back_crack_angle, f.residual, f.relief, f.check_interval, f.dust, f.exclusion, f.max_rounds);
}
inline auto all(const OutputOptions& o)
{
  return std::tie(o.directory, o.history_interval, o.frame_interval, o.pieces, o.frames, o.geometry);
}
inline auto all(const CheckpointOptions& c)
{
  return std::tie(c.interval, c.steps, c.wall_interval, c.keep, c.patience);
}
inline auto all(const PartitionOptions& p)
{
  return std::tie(p.file, p.method, p.seed, p.rebalance, p.rebalance_steps);
}

template <class T, class Same>
bool same_lists(const std::vector<T>& a, const std::vector<T>& b, Same same)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}
template <class T, class Same>
bool same_optionals(const std::optional<T>& a, const std::optional<T>& b, Same same)
{
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

inline bool same(const Body& a, const Body& b)
{
  const auto plain = [](const Body& c) {
    return std::tie(c.name, c.material, c.position, c.rotation_axis, c.rotation_angle, c.velocity, c.spin,
                    c.velocity_gradient, c.velocity_center, c.split_hinges);
  };
  return plain(a) == plain(b) && all(a.mesh) == all(b.mesh) &&
         same_lists(a.regions, b.regions,
                    [](const Region& r, const Region& s) { return r.set == s.set && r.material == s.material; });
}

inline bool same(const contact::Obstacle& a, const contact::Obstacle& b)
{
  const auto plain = [](const contact::Obstacle& o) {
    return std::tie(o.name, o.shape, o.motion, o.position, o.velocity, o.normal, o.radius, o.size, o.rotation_axis,
                    o.rotation_angle, o.spin, o.mass, o.length, o.axis, o.file, o.scale);
  };
  return plain(a) == plain(b) && all(a.response) == all(b.response) &&
         same_lists(a.path, b.path,
                    [](const auto& p, const auto& q) { return p.time == q.time && p.position == q.position; }) &&
         same_optionals(a.circle, b.circle, [](const auto& p, const auto& q) {
           return p.center == q.center && p.axis == q.axis && p.rate == q.rate;
         });
}

inline bool same(const Selection& v, const Selection& w)
{
  using S = Selection;
  return v.body == w.body && v.set == w.set &&
         same_optionals(v.box, w.box,
                        [](const S::Box& p, const S::Box& q) { return p.min == q.min && p.max == q.max; }) &&
         same_optionals(
             v.sphere, w.sphere,
             [](const S::Ball& p, const S::Ball& q) { return p.center == q.center && p.radius == q.radius; }) &&
         same_optionals(v.cylinder, w.cylinder,
                        [](const S::Cylinder& p, const S::Cylinder& q) {
                          return p.point == q.point && p.axis == q.axis && p.radius == q.radius;
                        }) &&
         same_optionals(v.side, w.side,
                        [](const S::Side& p, const S::Side& q) { return p.point == q.point && p.normal == q.normal; });
}

template <class Point>
bool same_points(const std::vector<Point>& a, const std::vector<Point>& b)
{
  return same_lists(a, b, [](const auto& p, const auto& q) { return p.time == q.time && p.value == q.value; });
}

inline bool same(const BoundaryCondition& a, const BoundaryCondition& b)
{
  return a.name == b.name && a.axes == b.axes && a.until == b.until && same(a.where, b.where) &&
         same_points(a.velocity, b.velocity) && same_points(a.displacement, b.displacement) &&
         same_optionals(a.rotation, b.rotation, [](const Rotation& p, const Rotation& q) {
           return p.axis == q.axis && p.center == q.center && same_points(p.rate, q.rate) &&
                  same_points(p.angle, q.angle);
         });
}

inline bool same(const Blast& a, const Blast& b)
{
  const auto plain = [](const Blast& c) {
    return std::tie(c.origin, c.speed, c.peak, c.rise, c.decay, c.shape, c.start);
  };
  return plain(a) == plain(b) && same_optionals(a.falloff, b.falloff, [](const auto& p, const auto& q) {
           return p.distance == q.distance && p.power == q.power;
         });
}

inline bool same(const Load& a, const Load& b)
{
  return a.name == b.name && same(a.where, b.where) && same_points(a.traction, b.traction) &&
         same_points(a.pressure, b.pressure) &&
         same_optionals(a.blast, b.blast, [](const auto& p, const auto& q) { return same(p, q); });
}

inline void check_same(const Scene& a, const Scene& b)
{
  const auto each = [](const auto& x, const auto& y) { return same(x, y); };
  CHECK(a.name == b.name);
  CHECK(a.title == b.title);
  CHECK(same_lists(a.materials, b.materials, [](const auto& x, const auto& y) {
    return all(x) == all(y) && same_law(x, y) &&
           same_optionals(x.weibull, y.weibull, [](auto& u, auto& w) { return all(u) == all(w); });
  }));
  CHECK(same_lists(a.interfaces, b.interfaces, [](const auto& x, const auto& y) { return all(x) == all(y); }));
  CHECK(same_lists(a.bodies, b.bodies, each));
  CHECK(same_lists(a.obstacles, b.obstacles, each));
  CHECK(same_lists(a.boundary, b.boundary, each));
  CHECK(same_lists(a.loads, b.loads, each));
  CHECK(a.collisions.enabled == b.collisions.enabled);
  CHECK(a.collisions.criterion == b.collisions.criterion);
  CHECK(all(a.collisions.response) == all(b.collisions.response));
  CHECK(a.collisions.resolve == b.collisions.resolve);
  CHECK(a.gravity == b.gravity);
  CHECK(all(a.time) == all(b.time));
  CHECK(all(a.fracture) == all(b.fracture));
  CHECK(all(a.output) == all(b.output));
  CHECK(all(a.checkpoint) == all(b.checkpoint));
  CHECK(all(a.partition) == all(b.partition));
}

}  // namespace sunder::config::testing
