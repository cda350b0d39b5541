#include "solvers/explicit_step.hpp"

#include <cmath>

namespace sunder::solvers {
namespace {

template <ExplicitScheme scheme>
double step(double dt, const Vec3& gravity, std::span<const std::uint8_t> owned, std::span<const double> mass,
            std::span<const Row4> f, std::span<Row4> p, std::span<Row4> v)
{
  double fastest = 0;
  for (std::size_t n = 0; n < p.size(); ++n) {
    if (owned[n] == 0) continue;
    const double over_mass = mass[n] > 0 ? dt / mass[n] : 0;
    const Row4 kick{over_mass * f[n].x + dt * gravity.x(), over_mass * f[n].y + dt * gravity.y(),
                    over_mass * f[n].z + dt * gravity.z(), 0};
    const Row4 old = v[n], now{old.x + kick.x, old.y + kick.y, old.z + kick.z, 0};
    // Velocity that carries the position: the new one, the old one, or their mean.
    constexpr double share = scheme == ExplicitScheme::symplectic ? 1 : scheme == ExplicitScheme::euler ? 0 : 0.5;
    p[n].x += dt * (old.x + share * kick.x);
    p[n].y += dt * (old.y + share * kick.y);
    p[n].z += dt * (old.z + share * kick.z);
    v[n] = now;
    const double square = now.x * now.x + now.y * now.y + now.z * now.z;
    fastest = square > fastest || std::isnan(square) ? square : fastest;  // once NaN, it stays: nothing is greater
  }
  return std::sqrt(fastest);
}

}  // namespace

double explicit_step(ExplicitScheme scheme, double dt, const Vec3& gravity, std::span<const std::uint8_t> owned,
                     std::span<const double> mass, std::span<const Row4> f, std::span<Row4> p, std::span<Row4> v)
{
  switch (scheme) {
    case ExplicitScheme::euler:
      return step<ExplicitScheme::euler>(dt, gravity, owned, mass, f, p, v);
    case ExplicitScheme::taylor:
      return step<ExplicitScheme::taylor>(dt, gravity, owned, mass, f, p, v);
    case ExplicitScheme::symplectic:
      break;
  }
  return step<ExplicitScheme::symplectic>(dt, gravity, owned, mass, f, p, v);
}

}  // namespace sunder::solvers
