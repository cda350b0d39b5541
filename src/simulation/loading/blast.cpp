#include "simulation/loading/blast.hpp"

#include <cmath>

namespace sunder::simulation {

double blast_pressure(const config::Blast& blast, const Vec3& x, double t)
{
  const double distance = (x - blast.origin).norm();
  const double since_arrival = t - blast.start - distance / blast.speed;
  if (since_arrival < 0) return 0;
  double peak = blast.peak;
  if (blast.falloff && distance > blast.falloff->distance)
    peak *= std::pow(blast.falloff->distance / distance, blast.falloff->power);
  if (since_arrival < blast.rise) return peak * since_arrival / blast.rise;
  const double s = (since_arrival - blast.rise) / blast.decay;
  return peak * (1 - s) * std::exp(-blast.shape * s);
}

}  // namespace sunder::simulation
