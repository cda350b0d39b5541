#pragma once
/// The law of response.hpp for one contact (Number: double) or for a block of them at a time (Number: Lanes). Pure.

#include "contact/law/response_constants.hpp"
#include "core/types.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {

/// One number for each contact of a block.
using Lanes = Eigen::Array<double, 8, 1>;

template <class Number>
struct Components {
  Number x, y, z;
};

inline double select(bool condition, double yes, double no)
{
  return condition ? yes : no;
}
inline double value_or_zero(bool condition, double value)
{
  return condition ? value : 0;
}
inline double at_most(double x, double bound)
{
  return std::min(x, bound);
}
inline double at_least(double x, double bound)
{
  return std::max(bound, x);
}
inline double root(double x)
{
  return std::sqrt(x);
}

template <class Mask>
Lanes select(const Mask& condition, const Lanes& yes, const Lanes& no)
{
  return condition.select(yes, no);
}
template <class Mask>
Lanes value_or_zero(const Mask& condition, const Lanes& value)
{
  return condition.select(value, 0.0);
}
inline Lanes at_most(const Lanes& x, double bound)
{
  return x.min(bound);
}
inline Lanes at_least(const Lanes& x, double bound)
{
  return x.max(bound);
}
inline Lanes root(const Lanes& x)
{
  return x.sqrt();
}

template <class Number>
Number dot(const Components<Number>& a, const Components<Number>& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class Number>
Number friction_coefficient(const Response& r, const Number& speed)
{
  const Number slip = speed / r.slip_speed;
  const Number rising = r.friction_static * slip;
  const Number beyond = r.friction_static + (r.friction_dynamic - r.friction_static) * at_most(slip - 1.0, 1.0);
  return select(slip <= 1.0, rising, beyond);
}

/// The constants of each contact instead of r.stiffness and r.damping.
template <class Number>
Components<Number> response(const Response& r, const Number& stiffness, const Number& damping, const Number& volume,
                            const Components<Number>& normal, const Components<Number>& relative)
{
  const Number parting = dot(relative, normal);
  const Number press = volume * at_least(stiffness - damping * parting, 0.0);
  const Components<Number> slide{relative.x - parting * normal.x, relative.y - parting * normal.y,
                                 relative.z - parting * normal.z};
  const Number speed = root(dot(slide, slide));
  const Number drag = value_or_zero(speed > 0.0, Number(friction_coefficient(r, speed) * press / speed));
  return {press * normal.x - drag * slide.x, press * normal.y - drag * slide.y, press * normal.z - drag * slide.z};
}

}  // namespace sunder::contact
