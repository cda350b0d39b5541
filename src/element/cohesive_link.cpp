#include "element/cohesive_link.hpp"

#include "element/softening.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::element {

/// How far the sides are from each other: u in parts.
struct CohesiveLink::Opening {
  double pressed = 0;    // across the crack, at most 0
  Vec3 opened;           // the rest,
  double effective = 0;  // and its size, what is along the crack times beta
  Vec3 pull;             // of a link of stiffness 1
};

CohesiveLink::Opening CohesiveLink::opening_of(const Vec3& u) const
{
  const double pressed = std::min(0.0, u.z());
  const double more = law_.cohesion.shear_ratio * law_.cohesion.shear_ratio - 1;
  const Vec3 opened(u.x(), u.y(), u.z() - pressed), sheared(u.x(), u.y(), 0);
  return {pressed, opened, std::sqrt(opened.squaredNorm() + more * sheared.squaredNorm()), opened + more * sheared};
}

void CohesiveLink::begin(const Vec3& first_force)
{
  constexpr double least_softening = 1.1;  // what the link is to take, over what its rise to full strength takes
  const double k = law_.stiffness, beta = law_.cohesion.shear_ratio;
  const double most = beta * std::max(law_.strength * law_.area, first_force.norm());
  const double along = std::hypot(first_force.x(), first_force.y());
  const double kept = (along > most ? most / along : 1) / (beta * beta);
  offset_ = Vec3(kept * first_force.x(), kept * first_force.y(), std::max(0.0, first_force.z())) / k;
  first_ = opening_of(offset_).effective;
  const double first = k * first_, energy = surface_energy() + first * first_ / 2;
  strength_ = std::max(first, std::min(law_.strength * law_.area, std::sqrt(2 * k * energy / least_softening)));
  greatest_ = strength_ / k;
  const double softens = (energy / strength_ - greatest_ / 2) / softened(law_.cohesion.softening, 1).taken;
  final_ = greatest_ + std::max(greatest_ * 1e-9, softens);
}

/// The share of the softening that a link is through that has been open by so much.
double CohesiveLink::progress(double greatest) const
{
  const double full = strength_ / law_.stiffness;
  return std::clamp((greatest - full) / (final_ - full), 0.0, 1.0);
}

/// Force over effective opening.
double CohesiveLink::secant(double greatest) const
{
  if (greatest >= final_) return 0;
  if (greatest <= strength_ / law_.stiffness) return law_.stiffness;
  return strength_ * softened(law_.cohesion.softening, progress(greatest)).left / greatest;
}

CohesivePull CohesiveLink::pull(const Vec3& opening) const
{
  const Opening u = opening_of(opening + offset_);
  const double s = secant(std::max(greatest_, u.effective));
  return {-(s * u.pull + law_.stiffness * u.pressed * Vec3::UnitZ()), u.effective};
}

/// The work of opening as far as that, less what is had back by closing.
double CohesiveLink::dissipated(double greatest) const
{
  const double full = strength_ / law_.stiffness, g = std::min(greatest, final_);
  const double taken = strength_ * (full / 2 + (final_ - full) * softened(law_.cohesion.softening, progress(g)).taken);
  return taken - secant(g) * g * g / 2;
}

CohesiveLink::Dissipation CohesiveLink::dissipation(const Vec3& opening, bool softens) const
{
  const Opening u = opening_of(opening + offset_);
  const double g = std::max(greatest_, u.effective);
  Dissipation done{dissipated(g) - dissipated(greatest_), Vec3::Zero()};
  if ((!softens && u.effective <= greatest_) || u.effective == 0 || g >= final_) return done;
  const double range = final_ - strength_ / law_.stiffness;
  const double force_slope = strength_ * softening_slope(law_.cohesion.softening, progress(g)) / range;
  done.slope = (secant(g) * g - force_slope * g) / 2 / u.effective * u.pull;
  return done;
}

bool CohesiveLink::about_to_soften(const Vec3& opening) const
{
  return begun() && !broken() && opening_of(opening + offset_).effective > 0.99 * greatest_;
}

double CohesiveLink::absorbed(const Vec3& opening) const
{
  const Opening u = opening_of(opening + offset_);
  const double k = law_.stiffness, g = std::max(greatest_, u.effective);
  const double stored = (secant(g) * u.effective * u.effective + k * u.pressed * u.pressed) / 2;
  return dissipated(g) + stored - k * first_ * first_ / 2;
}

double CohesiveLink::strength_left() const
{
  return begun() ? std::min(1.0, secant(greatest_) * greatest_ / strength_) : 1;
}

double CohesiveLink::stored_by_pressing(const Vec3& opening) const
{
  const double pressed = opening_of(opening + offset_).pressed;
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
  return {law_.area,
          law_.strength,
          law_.stiffness,
          law_.cohesion.energy,
          static_cast<double>(law_.cohesion.softening),
          law_.cohesion.shear_ratio,
          strength_,
          final_,
          greatest_,
          first_,
          offset_.x(),
          offset_.y(),
          offset_.z()};
}

CohesiveLink CohesiveLink::from(const std::array<double, num_values>& values)
{
  const auto softening = static_cast<material::Softening>(static_cast<int>(values[4]));
  CohesiveLink link({values[0], values[1], values[2], {values[3], softening, values[5]}});
  link.strength_ = values[6], link.final_ = values[7], link.greatest_ = values[8], link.first_ = values[9];
  link.offset_ = {values[10], values[11], values[12]};
  return link;
}

}  // namespace sunder::element
