#include "geometry/level_set_overlap.hpp"

#include "geometry/barycentric.hpp"

namespace sunder::geometry {

void add_linear_overlap(const TetPart& part, Overlap& sum)
{
  const auto add = [&](const Overlap& more) {
    sum.volume += more.volume, sum.centre += more.volume * more.centre;
    sum.weights += more.volume * (part.weights * more.weights), sum.area += more.area;
  };
  if (part.distance.minCoeff() >= 0) return;
  const Barycentric coordinates = barycentric(part.p);
  if (coordinates.volume == 0) return;
  if (part.distance.maxCoeff() <= 0) {
    Overlap all;
    all.volume = std::abs(coordinates.volume), all.centre = part.p.rowwise().mean();
    return add(all);
  }
  const Vec3 slope = coordinates.gradient * part.distance;
  const double steepness = slope.norm();
  if (!(steepness > 0)) return;
  int deepest = 0;
  const double least = part.distance.minCoeff(&deepest);
  const Vec3 point = part.p.col(deepest) - least / (steepness * steepness) * slope;
  add(overlap_half_space(part.p, point, slope / steepness));
}

}  // namespace sunder::geometry
