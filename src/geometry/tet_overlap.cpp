#include "geometry/tet_overlap.hpp"

#include "geometry/clipping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sunder::geometry {
namespace {

using Coordinates = Eigen::Vector4d;

/// A region thinner than this share of a tetrahedron's height is the round-off of two surfaces that touch.
constexpr double thinnest = 1e-13;

/// coordinates: of the subject's corners in the clipper.
TetOverlap clip(const Mat34& subject, const Barycentric& in_subject, const Barycentric& in_clipper,
                const std::array<Coordinates, 4>& coordinates)
{
  TetOverlap result;
  Coordinates least = coordinates[0];
  for (std::size_t a = 1; a < 4; ++a) least = least.cwiseMin(coordinates[a]);
  clipping::Region<4> region(coordinates);
  for (int j = 0; j < 4; ++j)
    if (least[j] < 0 && !region.clip(j)) return result;
  const clipping::Measure measure(region);
  if (!(measure.six_volumes > 0)) return result;
  result.volume = measure.six_volumes * std::abs(in_subject.volume);
  result.weights_a = clipping::barycentric_weights(measure.moment);
  result.weights_b = clipping::barycentric_weights(in_clipper.at(subject * result.weights_a));
  // Area vectors go with the cofactors of the edges: the volume times the gradients.
  result.area = 3 * std::abs(in_subject.volume) * (in_subject.gradient.rightCols<3>() * measure.twice_area);
  return result;
}

/// Coordinates in `of` of the corners p. False if a face of `of` has all of p beyond it.
bool meets(const Barycentric& of, const Mat34& p, std::array<Coordinates, 4>& coordinates)
{
  Coordinates furthest_in = Coordinates::Constant(-1);
  for (std::size_t a = 0; a < 4; ++a) {
    coordinates[a] = of.at(p.col(static_cast<int>(a)));
    furthest_in = furthest_in.cwiseMax(coordinates[a]);
  }
  return (furthest_in.array() > thinnest).all();
}

}  // namespace

TetOverlap overlap_tets(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b)
{
  std::array<Coordinates, 4> a_in_b, b_in_a;
  if (in_a.volume == 0 || in_b.volume == 0 || !meets(in_b, a, a_in_b) || !meets(in_a, b, b_in_a)) return {};
  if (std::abs(in_a.volume) <= std::abs(in_b.volume)) return clip(a, in_a, in_b, a_in_b);
  TetOverlap result = clip(b, in_b, in_a, b_in_a);
  std::swap(result.weights_a, result.weights_b);
  result.area *= -1;
  return result;
}

TetOverlap overlap_tets(const Mat34& a, const Mat34& b)
{
  return overlap_tets(a, barycentric(a), b, barycentric(b));
}

}  // namespace sunder::geometry
