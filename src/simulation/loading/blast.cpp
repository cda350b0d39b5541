#include "simulation/loading/blast.hpp"

#include <cmath>

namespace sunder::simulation {
namespace {

/// A place as the front meets it.
struct Place {
  double distance = 0, since_arrival = 0;
  double peak = 0;       ///< there [Pa]
  bool falling = false;  ///< Is it beyond the distance from which the peak falls off?

  Place(const config::Blast& blast, const Vec3& x, double t)
    : distance((x - blast.origin).norm()), since_arrival(t - blast.start - distance / blast.speed), peak(blast.peak)
  {
    if (since_arrival < 0) return;
    falling = blast.falloff && distance > blast.falloff->distance;
    if (falling) peak *= std::pow(blast.falloff->distance / distance, blast.falloff->power);
  }
};

}  // namespace

double blast_pressure(const config::Blast& blast, const Vec3& x, double t)
{
  const Place at(blast, x, t);
  if (at.since_arrival < 0) return 0;
  if (at.since_arrival < blast.rise) return at.peak * at.since_arrival / blast.rise;
  const double s = (at.since_arrival - blast.rise) / blast.decay;
  return at.peak * (1 - s) * std::exp(-blast.shape * s);
}

Vec3 blast_gradient(const config::Blast& blast, const Vec3& x, double t)
{
  const Place at(blast, x, t);
  if (at.since_arrival < 0 || at.distance == 0) return Vec3::Zero();
  double slope = 0;  // of the pressure with the time since the arrival
  if (at.since_arrival < blast.rise) {
    slope = at.peak / blast.rise;
  } else {
    const double s = (at.since_arrival - blast.rise) / blast.decay;
    slope = -at.peak * (1 + blast.shape * (1 - s)) * std::exp(-blast.shape * s) / blast.decay;
  }
  const double fall = at.falling ? blast.falloff->power / at.distance * blast_pressure(blast, x, t) : 0;
  return -(slope / blast.speed + fall) / at.distance * (x - blast.origin);
}

}  // namespace sunder::simulation
