#include "geometry/tet_overlap.hpp"

#include "geometry/clipping.hpp"
#include "geometry/dual.hpp"
#include "geometry/tet_clipping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace sunder::geometry {
namespace {

using Coordinates = Eigen::Vector4d;

/// A region thinner than this share of a tetrahedron's height is the round-off of two surfaces that touch.
constexpr double thinnest = 1e-13;

/// Half-spaces of the clipper that cut the subject, those that leave least of it first.
struct Planes {
  std::array<std::uint8_t, 4> j{};
  int count = 0;

  explicit Planes(const std::array<Coordinates, 4>& coordinates)
  {
    Eigen::Array4i beyond = Eigen::Array4i::Zero();
    for (const Coordinates& corner : coordinates) beyond += (corner.array() < 0).cast<int>();
    std::array<int, 4> keys{};  // ascending: most corners beyond first
    for (int k = 0; k < 4; ++k) keys[static_cast<std::size_t>(k)] = 4 * (4 - beyond[k]) + k;
    const auto sort = [&keys](std::size_t i, std::size_t k) {
      std::tie(keys[i], keys[k]) = std::pair(std::min(keys[i], keys[k]), std::max(keys[i], keys[k]));
    };
    sort(0, 1), sort(2, 3), sort(0, 2), sort(1, 3), sort(1, 2);
    for (std::size_t k = 0; k < 4; ++k) j[k] = static_cast<std::uint8_t>(keys[k] % 4), count += keys[k] < 16;
  }
};

/// Of what the region measures in the space of the subject's barycentric coordinates 1 to 3. Area vectors go with the
/// cofactors of the edges: the volume times the gradients.
TetOverlap overlap_from(double six_volumes, const Coordinates& moment, const Vec3& twice_area, const Mat34& subject,
                        const Barycentric& in_subject, const Barycentric& in_clipper)
{
  TetOverlap result;
  const double whole = std::abs(in_subject.volume);
  result.volume = six_volumes * whole;
  result.weights_a = clipping::barycentric_weights(moment);
  result.weights_b = clipping::barycentric_weights(in_clipper.at(subject * result.weights_a));
  result.area = 3 * whole * (in_subject.gradient.rightCols<3>() * twice_area);
  return result;
}

/// coordinates: of the subject's corners in the clipper.
TetOverlap clip(const Mat34& subject, const Barycentric& in_subject, const Barycentric& in_clipper,
                const std::array<Coordinates, 4>& coordinates)
{
  std::array<tet_clipping::Point, 4> corners;
  tet_clipping::Tetrahedron whole;
  for (std::size_t a = 0; a < 4; ++a) {
    corners[a] = tet_clipping::corner(a, coordinates[a].data());
    whole.corners[a] = &corners[a];
  }
  const Planes planes(coordinates);
  tet_clipping::Measure measure;
  tet_clipping::add_inside(measure, whole, planes.j.data(), planes.count);
  if (!(measure.six_volumes > 0)) return {};
  const auto &m = measure.moment, &area = measure.twice_area;
  return overlap_from(measure.six_volumes, {m[3], m[0], m[1], m[2]}, {area[0], area[1], area[2]}, subject, in_subject,
                      in_clipper);
}

/// The same to round-off, with the arithmetic of clip_slope().
TetOverlap clip_as_slope(const Mat34& subject, const Barycentric& in_subject, const Barycentric& in_clipper,
                         const std::array<Coordinates, 4>& coordinates)
{
  Coordinates least = coordinates[0];
  for (std::size_t a = 1; a < 4; ++a) least = least.cwiseMin(coordinates[a]);
  clipping::Region<4> region(coordinates);
  for (int j = 0; j < 4; ++j)
    if (least[j] < 0 && !region.clip(j)) return {};
  const clipping::Measure measure(region);
  if (!(measure.six_volumes > 0)) return {};
  return overlap_from(measure.six_volumes, measure.moment, measure.twice_area, subject, in_subject, in_clipper);
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

using Dual16 = Dual<16>;
using ByCoordinates = Eigen::Matrix<double, 16, 24>;

Mat3 cross_matrix(const Vec3& v)
{
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// Of the coordinates of the subject's corners in the clipper, row 4 corner + coordinate: a coordinate changes by its
/// gradient times how far its point moves relative to the clipper there.
ByCoordinates slope_of_coordinates(const Barycentric& in_clipper, const std::array<Coordinates, 4>& coordinates)
{
  ByCoordinates slope = ByCoordinates::Zero();
  for (int a = 0; a < 4; ++a) {
    slope.block<4, 3>(4 * a, 3 * a) = in_clipper.gradient.transpose();
    for (int b = 0; b < 4; ++b)
      slope.block<4, 3>(4 * a, 12 + 3 * b) =
          -coordinates[static_cast<std::size_t>(a)][b] * in_clipper.gradient.transpose();
  }
  return slope;
}

/// Of 3 |volume| gradient of the subject times t, three cross products of edges, with t constant.
Eigen::Matrix<double, 3, 12> slope_of_cofactors(const Mat34& p, double sign, const Vec3& t)
{
  const Vec3 x = p.col(1) - p.col(0), y = p.col(2) - p.col(0), z = p.col(3) - p.col(0);
  Eigen::Matrix<double, 3, 12> slope;
  slope.middleCols<3>(3) = sign / 2 * cross_matrix(t[1] * z - t[2] * y);
  slope.middleCols<3>(6) = sign / 2 * cross_matrix(t[2] * x - t[0] * z);
  slope.middleCols<3>(9) = sign / 2 * cross_matrix(t[0] * y - t[1] * x);
  slope.leftCols<3>() = -(slope.middleCols<3>(3) + slope.middleCols<3>(6) + slope.middleCols<3>(9));
  return slope;
}

template <int rows>
Slope<rows> with_sides_swapped(const Slope<rows>& slope)
{
  Slope<rows> swapped;
  swapped << slope.template rightCols<12>(), slope.template leftCols<12>();
  return swapped;
}

/// The same as clip() to round-off, the subject's corners before the clipper's.
TetOverlapSlope clip_slope(const Mat34& subject, const Barycentric& in_subject, const Barycentric& in_clipper,
                           const std::array<Coordinates, 4>& coordinates)
{
  TetOverlapSlope result;
  using Duals = Eigen::Matrix<Dual16, 4, 1>;
  std::array<Duals, 4> variables;
  Coordinates least = coordinates[0];
  for (std::size_t a = 0; a < 4; ++a) {
    least = least.cwiseMin(coordinates[a]);
    for (int j = 0; j < 4; ++j) variables[a][j] = Dual16::variable(coordinates[a][j], 4 * static_cast<int>(a) + j);
  }
  clipping::Region<4, Dual16> region(variables);
  for (int j = 0; j < 4; ++j)
    if (least[j] < 0 && !region.clip(j)) return result;
  const clipping::MeasureOf<Dual16> measure(region);
  if (!(measure.six_volumes.value > 0)) return result;

  const ByCoordinates chain = slope_of_coordinates(in_clipper, coordinates);
  const auto chained = [&chain](const Dual16& x) -> Slope<1> { return x.slope.matrix().transpose() * chain; };
  const double whole = std::abs(in_subject.volume), six = measure.six_volumes.value;
  result.overlap.volume = six * whole;
  result.volume = whole * chained(measure.six_volumes);
  result.volume.leftCols<12>() += result.overlap.volume * in_subject.gradient.reshaped().transpose();

  Coordinates moment;
  for (int j = 0; j < 4; ++j) moment[j] = measure.moment[j].value;
  const Coordinates weights = result.overlap.weights_a = clipping::barycentric_weights(moment);
  for (int j = 0; j < 4; ++j) result.weights_a.row(j) = chained(measure.moment[j]) / moment.sum();
  const Slope<1> sums = result.weights_a.colwise().sum();
  result.weights_a -= weights * sums;

  const Coordinates in_other = in_clipper.at(subject * weights);
  result.overlap.weights_b = clipping::barycentric_weights(in_other);
  Slope<3> motion = subject * result.weights_a;  // of the centre, relative to the clipper there
  for (int a = 0; a < 4; ++a) {
    motion.middleCols<3>(3 * a) += weights[a] * Mat3::Identity();
    motion.middleCols<3>(12 + 3 * a) -= in_other[a] * Mat3::Identity();
  }
  result.weights_b = in_clipper.gradient.transpose() * motion;

  Vec3 twice_area;
  Slope<3> change;
  for (int j = 0; j < 3; ++j)
    twice_area[j] = measure.twice_area[j].value, change.row(j) = chained(measure.twice_area[j]);
  const Mat3 cofactors = 3 * whole * in_subject.gradient.rightCols<3>();
  result.overlap.area = cofactors * twice_area;
  result.area = cofactors * change;
  result.area.leftCols<12>() += slope_of_cofactors(subject, in_subject.volume < 0 ? -1 : 1, twice_area);
  return result;
}

template <class Clip>
TetOverlap overlap_by(const Clip& clip_one, const Mat34& a, const Barycentric& in_a, const Mat34& b,
                      const Barycentric& in_b)
{
  std::array<Coordinates, 4> a_in_b, b_in_a;
  if (in_a.volume == 0 || in_b.volume == 0 || !meets(in_b, a, a_in_b) || !meets(in_a, b, b_in_a)) return {};
  if (std::abs(in_a.volume) <= std::abs(in_b.volume)) return clip_one(a, in_a, in_b, a_in_b);
  TetOverlap result = clip_one(b, in_b, in_a, b_in_a);
  std::swap(result.weights_a, result.weights_b);
  result.area *= -1;
  return result;
}

}  // namespace

TetOverlapSlope overlap_slope(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b)
{
  std::array<Coordinates, 4> a_in_b, b_in_a;
  if (in_a.volume == 0 || in_b.volume == 0 || !meets(in_b, a, a_in_b) || !meets(in_a, b, b_in_a)) return {};
  if (std::abs(in_a.volume) <= std::abs(in_b.volume)) return clip_slope(a, in_a, in_b, a_in_b);
  TetOverlapSlope result = clip_slope(b, in_b, in_a, b_in_a);
  std::swap(result.overlap.weights_a, result.overlap.weights_b);
  std::swap(result.weights_a, result.weights_b);
  result.overlap.area *= -1, result.area *= -1;
  result.volume = with_sides_swapped(result.volume), result.area = with_sides_swapped(result.area);
  result.weights_a = with_sides_swapped(result.weights_a), result.weights_b = with_sides_swapped(result.weights_b);
  return result;
}

TetOverlap overlap_tets(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b)
{
  return overlap_by(clip, a, in_a, b, in_b);
}

TetOverlap overlap_as_slope(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b)
{
  return overlap_by(clip_as_slope, a, in_a, b, in_b);
}

TetOverlap overlap_tets(const Mat34& a, const Mat34& b)
{
  return overlap_tets(a, barycentric(a), b, barycentric(b));
}

}  // namespace sunder::geometry
