#include "geometry/barycentric.hpp"
#include "geometry/clipping.hpp"
#include "geometry/primitive_overlap.hpp"

#include <array>
#include <cmath>

namespace sunder::geometry {

Overlap overlap_box(const Mat34& p, const Vec3& centre, const Mat3& axes, const Vec3& half_size)
{
  using Region = clipping::Region<6>;
  const Mat34 x = axes.transpose() * (p.colwise() - centre);
  std::array<Region::Coordinates, 4> inside;  // heights below the six faces
  Region::Coordinates least, most;
  for (std::size_t a = 0; a < 4; ++a) {
    const Vec3 corner = x.col(static_cast<int>(a));
    inside[a] << half_size - corner, half_size + corner;
    least = a == 0 ? inside[a] : least.cwiseMin(inside[a]).eval();
    most = a == 0 ? inside[a] : most.cwiseMax(inside[a]).eval();
  }
  if (!(most.array() > 0).all()) return {};
  const Barycentric tet = barycentric(p);
  if (tet.volume == 0) return {};
  Region region(inside);
  for (int j = 0; j < 6; ++j)
    if (least[j] < 0 && !region.clip(j)) return {};
  const clipping::Measure measure(region);
  if (!(measure.six_volumes > 0)) return {};
  Overlap overlap;
  overlap.volume = measure.six_volumes * std::abs(tet.volume);
  overlap.weights = clipping::barycentric_weights(measure.moment);
  overlap.centre = p * overlap.weights;
  // Area vectors go with the cofactors of the edges: the volume times the gradients.
  overlap.area = 3 * std::abs(tet.volume) * (tet.gradient.rightCols<3>() * measure.twice_area);
  return overlap;
}

}  // namespace sunder::geometry
