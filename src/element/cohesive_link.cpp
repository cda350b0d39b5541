#include "element/cohesive_link.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::element {
namespace {

/// Of u, the part along the normal where the sides press on each other, and the rest.
struct Parts {
  double pressed = 0;  // along the normal, at most 0
  Vec3 opened;
};

Parts parts_of(const Vec3& u, const Vec3& normal)
{
  const double along = std::min(0.0, u.dot(normal));
  return {along, u - along * normal};
}

}  // namespace

void CohesiveLink::begin(const Vec3& first_force, const Vec3& normal)
{
  constexpr double least_softening = 1.1;  // d_c over F_s/k
  const double k = law_.stiffness;
  offset_ = parts_of(first_force, normal).opened / k;
  const double first = k * offset_.norm(), energy = surface_energy() + first * first / (2 * k);
  strength_ = std::max(first, std::min(law_.strength * law_.area, std::sqrt(2 * k * energy / least_softening)));
  greatest_ = strength_ / k;
  final_ = std::max(greatest_ * (1 + 1e-9), 2 * energy / strength_);
}

/// Force over opening, of a link that has been open by so much.
double CohesiveLink::secant(double greatest) const
{
  const double yield = strength_ / law_.stiffness;
  if (greatest >= final_) return 0;
  return greatest <= yield ? law_.stiffness : strength_ * (final_ - greatest) / ((final_ - yield) * greatest);
}

CohesivePull CohesiveLink::pull(const Vec3& opening, const Vec3& normal) const
{
  const auto [pressed, opened] = parts_of(opening + offset_, normal);
  const double effective = opened.norm();
  return {-(secant(std::max(greatest_, effective)) * opened + law_.stiffness * pressed * normal), effective};
}

double CohesiveLink::absorbed(const Vec3& opening, const Vec3& normal) const
{
  const auto [pressed, opened] = parts_of(opening + offset_, normal);
  const double k = law_.stiffness, g = std::min(std::max(greatest_, opened.norm()), final_), s = secant(g);
  const double dissipated = (strength_ * g - s * g * (strength_ / k)) / 2;
  const double stored = (s * opened.squaredNorm() + k * pressed * pressed) / 2;
  return dissipated + stored - k * offset_.squaredNorm() / 2;
}

double CohesiveLink::strength_left() const
{
  return begun() ? std::min(1.0, secant(greatest_) * greatest_ / strength_) : 1;
}

double CohesiveLink::stored_by_pressing(const Vec3& opening, const Vec3& normal) const
{
  const double pressed = parts_of(opening + offset_, normal).pressed;
  return law_.stiffness * pressed * pressed / 2;
}

CohesiveLink CohesiveLink::share(double part) const
{
  CohesiveLink other = *this;
  other.law_.area *= part, other.law_.stiffness *= part, other.strength_ *= part;
  return other;
}

std::array<double, CohesiveLink::num_values> CohesiveLink::values() const
{
  return {law_.area, law_.strength, law_.energy, law_.stiffness, strength_,
          final_,    greatest_,     offset_.x(), offset_.y(),    offset_.z()};
}

CohesiveLink CohesiveLink::from(const std::array<double, num_values>& values)
{
  CohesiveLink link({values[0], values[1], values[2], values[3]});
  link.strength_ = values[4], link.final_ = values[5], link.greatest_ = values[6];
  link.offset_ = {values[7], values[8], values[9]};
  return link;
}

}  // namespace sunder::element
