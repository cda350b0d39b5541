#include "geometry/primitive_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sunder::geometry {
namespace {

using std::numbers::pi;

double signed_volume(const Mat34& p)
{
  const Vec3 a = p.col(0);
  return (p.col(1) - a).cross(p.col(2) - a).dot(p.col(3) - a) / 6;
}

/// A volume this far below the cube of the longest edge is round-off of the corners' positions.
bool flat(const Mat34& p, double volume)
{
  const double edge = (p.rightCols<3>().colwise() - p.col(0)).colwise().norm().maxCoeff();
  return !(volume > 1e-15 * edge * edge * edge);  // also if not a number
}

Overlap whole_tetrahedron(const Mat34& p, double volume)
{
  Overlap whole;
  whole.volume = volume;
  whole.centre = p.rowwise().mean();
  return whole;
}

// ---- half-space ----

/// Regions of a tetrahedron as fractions of it: volume, and first moment in barycentric coordinates.
struct Fractions {
  double volume = 0;
  Eigen::Vector4d moment = Eigen::Vector4d::Zero();

  void add(double fraction, const Eigen::Vector4d& sum_of_corners)
  {
    volume += fraction;
    moment += fraction / 4 * sum_of_corners;
  }
};

/// The section by the surface: up to four points, in order around it, in barycentric coordinates.
struct Section {
  std::array<Eigen::Vector4d, 4> points;
  int count = 0;
};

double section_area(const Mat34& p, const Section& section)
{
  const Vec3 first = p * section.points[0];
  Vec3 twice = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < static_cast<std::size_t>(section.count); ++k)
    twice += (p * section.points[k] - first).cross(p * section.points[k + 1] - first);
  return twice.norm() / 2;
}

/// Position of the surface on the edge from an inside corner to an outside one, as a share of the edge.
double crossing(const Eigen::Vector4d& height, int in, int out)
{
  return height[in] / (height[in] - height[out]);
}

Eigen::Vector4d between(int in, int out, double share)
{
  Eigen::Vector4d point = Eigen::Vector4d::Zero();
  point[in] = 1 - share;
  point[out] = share;
  return point;
}

/// Corner order[0] inside: a tetrahedron at it.
Fractions one_inside(const std::array<int, 4>& order, const Eigen::Vector4d& height, Section& section)
{
  Fractions result;
  double fraction = 1;
  Eigen::Vector4d sum = Eigen::Vector4d::Unit(order[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    const double t = crossing(height, order[0], order[k + 1]);
    section.points[k] = between(order[0], order[k + 1], t);
    fraction *= t;
    sum += section.points[k];
  }
  section.count = 3;
  result.add(fraction, sum);
  return result;
}

/// Corners a, b = order[0], order[1] inside, c and d outside: a wedge, as three tetrahedra.
Fractions two_inside(const std::array<int, 4>& order, const Eigen::Vector4d& height, Section& section)
{
  const auto& [a, b, c, d] = order;
  const double ac = crossing(height, a, c), ad = crossing(height, a, d);
  const double bc = crossing(height, b, c), bd = crossing(height, b, d);
  const Eigen::Vector4d on_ac = between(a, c, ac), on_ad = between(a, d, ad);
  const Eigen::Vector4d on_bc = between(b, c, bc), on_bd = between(b, d, bd);
  section = {{on_ac, on_ad, on_bd, on_bc}, 4};
  Fractions result;
  result.add(ac * ad, Eigen::Vector4d::Unit(a) + Eigen::Vector4d::Unit(b) + on_ac + on_ad);
  result.add((1 - ac) * ad * bc, Eigen::Vector4d::Unit(b) + on_ac + on_ad + on_bc);
  result.add((1 - ad) * bc * bd, Eigen::Vector4d::Unit(b) + on_ad + on_bc + on_bd);
  return result;
}

/// Corner order[3] outside: what the surface leaves below it, as three tetrahedra.
Fractions three_inside(const std::array<int, 4>& order, const Eigen::Vector4d& height, Section& section)
{
  Fractions result;
  double above = 1;
  Eigen::Vector4d sum = Eigen::Vector4d::Ones() - Eigen::Vector4d::Unit(order[3]);
  for (std::size_t k = 0; k < 3; ++k) {
    const double inside = crossing(height, order[k], order[3]);
    section.points[k] = between(order[k], order[3], inside);
    result.add(above * inside, sum + section.points[k]);
    above *= 1 - inside;
    sum += section.points[k] - Eigen::Vector4d::Unit(order[k]);
  }
  section.count = 3;
  return result;
}

// ---- ball; everything below in units of its radius, seen from its centre ----

/// A sum of angles, each in [-pi, pi], for the price of one arc tangent: complex factors are multiplied and full turns
/// counted by signs, which round-off cannot get wrong: no turn is missed or invented.
class AngleSum {
public:
  /// The angle of (cosine, sine), of any length; nothing if both are zero.
  void add(double cosine, double sine)
  {
    if (cosine == 0 && sine == 0) return;
    const double im = re_ * sine + im_ * cosine;
    re_ = re_ * cosine - im_ * sine;
    const bool was = std::signbit(im_), adds = std::signbit(sine), is = std::signbit(im);
    if (was == adds && was != is) turns_ += was ? -1 : 1;
    im_ = im;
  }
  double value() const { return std::atan2(im_, re_) + 2 * pi * turns_; }

private:
  double re_ = 1, im_ = 0;
  int turns_ = 0;
};

/// The segment of an edge that is outside the ball: positions s along the edge's line from the point nearest to the
/// ball's centre, and distances d from that centre.
struct Outside {
  double s1, s2, d1, d2;
};

/// An edge, split where it enters and leaves the ball. Shared by the two faces at the edge.
struct Edge {
  Vec3 along = Vec3::Zero();  ///< Unit vector; zero if the edge has no length.
  Vec3 foot = Vec3::Zero();   ///< Point of the edge's line nearest to the ball's centre.
  double foot2 = 0;           ///< Its squared distance.
  double inside = 0;          ///< Length inside the ball.
  double moment = 0;          ///< Integral of |x|^2 - 1 over the segment inside.
  std::array<Outside, 2> outside;
  int num_outside = 0;

  double distance(double s) const { return std::sqrt(foot2 + s * s); }
  void leave_out(double s1, double s2, double d1, double d2)
  {
    if (s2 > s1) outside[static_cast<std::size_t>(num_outside++)] = {s1, s2, d1, d2};
  }
};

Edge split(const Vec3& a, const Vec3& b)
{
  Edge edge;
  const Vec3 ab = b - a;
  const double length = ab.norm();
  if (length == 0) return edge;
  edge.along = ab / length;
  const double begin = a.dot(edge.along), end = begin + length;
  edge.foot = a - begin * edge.along;
  edge.foot2 = edge.foot.squaredNorm();
  const double half_chord = std::sqrt(std::max(0.0, 1 - edge.foot2));
  const double enter = std::max(begin, -half_chord), leave = std::min(end, half_chord);
  if (!(leave > enter)) {
    edge.leave_out(begin, end, edge.distance(begin), edge.distance(end));
    return edge;
  }
  edge.inside = leave - enter;
  edge.moment = (leave * leave * leave - enter * enter * enter) / 3 - half_chord * half_chord * edge.inside;
  if (begin < enter) edge.leave_out(begin, enter, edge.distance(begin), 1);
  if (leave < end) edge.leave_out(leave, end, 1, edge.distance(end));
  return edge;
}

/// A face and its plane, at distance |height| from the ball's centre.
struct Face {
  Vec3 normal = Vec3::Zero();  ///< Unit, out of the tetrahedron; zero if the face has no area.
  double area = 0;
  double height = 0;  ///< normal . x on the plane; > 0 if the ball's centre is on the inner side.

  double squared_disc_radius() const { return std::max(0.0, 1 - height * height); }
};

Face face_through(const Vec3& a, const Vec3& b, const Vec3& c)
{
  Face face;
  const Vec3 twice = (b - a).cross(c - a);
  const double length = twice.norm();
  if (length == 0) return face;
  face.normal = twice / length;
  face.area = length / 2;
  face.height = face.normal.dot(a);
  return face;
}

/// What a face's cone from the ball's centre shares with the ball.
struct Cone {
  double area = 0;             ///< Of the region of the face inside the ball.
  double solid = 0;            ///< Signed solid angle of the region outside.
  Vec3 moment = Vec3::Zero();  ///< Of the region inside: integral of x - q over it, q the plane's foot point.
  bool touches = false;        ///< The face meets the ball's inside.
};

struct FaceEdge {
  const Edge* edge;
  double sign;  ///< 1 if the edge runs counter-clockwise around the face, seen from outside; else -1.
};

/// The triangle is a sum of signed triangles (q, edge), each a fan of rays from q in the plane. With e the edge line's
/// distance from q, h the plane's height, s along the edge: angle at q: d theta = e ds / (e^2 + s^2), area inside the
/// edge: e ds / 2; beyond it an arc of the disc of squared radius rho^2 = 1 - h^2 bounds it: rho^2/2 d theta. Solid
/// angle between arc and edge: (h - h/d) d theta, whose second term is the angle of (e d, h s). Moment by the
/// divergence theorem: half the boundary integral of (|x|^2 - 1) nu, which vanishes on arcs.
Cone cone_over(const Face& face, const std::array<FaceEdge, 3>& edges)
{
  Cone cone;
  if (face.area == 0) return cone;
  const double h = face.height, rho2 = face.squared_disc_radius();
  AngleSum theta, psi;
  double twice_straight = 0;
  for (const FaceEdge& around : edges) {
    const Edge& edge = *around.edge;
    const Vec3 nu = around.sign * edge.along.cross(face.normal);
    const double e = nu.dot(edge.foot);
    if (edge.inside > 0) {
      cone.touches = true;
      twice_straight += e * edge.inside;
      cone.moment += 0.5 * edge.moment * nu;
    }
    for (int k = 0; k < edge.num_outside; ++k) {
      const auto& [s1, s2, d1, d2] = edge.outside[static_cast<std::size_t>(k)];
      theta.add(e * e + s1 * s2, e * (s2 - s1));
      // s2 d1 - s1 d2, without cancellation when both ends are on one side.
      const double lever = s1 * s2 > 0 ? edge.foot2 * (s2 - s1) * (s2 + s1) / (s2 * d1 + s1 * d2) : s2 * d1 - s1 * d2;
      psi.add(e * e * d1 * d2 + h * h * s1 * s2, h * e * lever);
    }
  }
  double angle = theta.value();
  if (cone.touches) {
    cone.area = std::clamp((twice_straight + rho2 * angle) / 2, 0.0, face.area);
  } else {
    // No edge meets the ball: the plane's disc is in the triangle as a whole or not at all.
    const bool around_disc = angle > pi;
    angle = around_disc ? 2 * pi : 0;
    cone.touches = around_disc && rho2 > 0;
    if (cone.touches) cone.area = pi * rho2;
  }
  cone.solid = std::clamp(h, -1.0, 1.0) * angle - psi.value();
  return cone;
}

constexpr std::array<std::array<int, 2>, 6> edge_corners{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
/// Face k is opposite to corner k, counter-clockwise seen from outside a tetrahedron of positive volume.
constexpr std::array<std::array<int, 3>, 4> face_corners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
struct EdgeOfFace {
  std::size_t edge;
  double sign;
};
constexpr std::array<std::array<EdgeOfFace, 3>, 4> face_edges{{{{{3, 1}, {5, 1}, {4, -1}}},
                                                               {{{2, 1}, {5, -1}, {1, -1}}},
                                                               {{{0, 1}, {4, 1}, {2, -1}}},
                                                               {{{1, 1}, {3, -1}, {0, -1}}}}};

bool box_is_apart(const Mat34& x)
{
  const Vec3 low = x.rowwise().minCoeff(), high = x.rowwise().maxCoeff();
  return !(low.cwiseMax(-high).cwiseMax(0).squaredNorm() < 1);
}

/// Volume, first moment and area of the overlap with the unit ball around the origin.
struct UnitBallOverlap {
  double volume = 0;
  Vec3 moment = Vec3::Zero(), area = Vec3::Zero();
};

/// V = (sum of height * area + solid angle) / 3. With N the integral of directions over the region of the sphere
/// inside, which closes the faces' area vectors (N = -sum of normal * area): moment = (sum of height * integral of x
/// over the area + N) / 4.
UnitBallOverlap overlap_unit_ball(const Mat34& x, const std::array<Face, 4>& faces)
{
  std::array<Edge, 6> edges;
  for (std::size_t k = 0; k < 6; ++k) edges[k] = split(x.col(edge_corners[k][0]), x.col(edge_corners[k][1]));
  UnitBallOverlap overlap;
  bool touches = false, encloses = true;
  for (std::size_t k = 0; k < 4; ++k) {
    std::array<FaceEdge, 3> around;
    for (std::size_t j = 0; j < 3; ++j) around[j] = {&edges[face_edges[k][j].edge], face_edges[k][j].sign};
    const Cone cone = cone_over(faces[k], around);
    const double h = faces[k].height;
    touches = touches || cone.touches;
    encloses = encloses && h > 0;
    overlap.volume += (h * cone.area + cone.solid) / 3;
    overlap.area -= cone.area * faces[k].normal;
    overlap.moment += (h * cone.moment - faces[k].squared_disc_radius() * cone.area * faces[k].normal) / 4;
  }
  if (!touches && !encloses) return {};
  return overlap;
}

}  // namespace

Overlap overlap_half_space(const Mat34& p, const Vec3& point, const Vec3& normal)
{
  const Eigen::Vector4d height = (p.colwise() - point).transpose() * normal;
  std::array<int, 4> order{};  // those inside first
  int inside = 0, outside = 0;
  for (int a = 0; a < 4; ++a) order[static_cast<std::size_t>(height[a] < 0 ? inside++ : 3 - outside++)] = a;
  if (inside == 0) return {};
  const double volume = std::abs(signed_volume(p));
  if (flat(p, volume)) return {};
  if (inside == 4) return whole_tetrahedron(p, volume);

  Section section;
  const Fractions fractions = inside == 1   ? one_inside(order, height, section)
                              : inside == 2 ? two_inside(order, height, section)
                                            : three_inside(order, height, section);
  Overlap overlap;
  if (!(fractions.volume > 0)) return overlap;
  overlap.volume = volume * fractions.volume;
  overlap.weights = fractions.moment / fractions.moment.sum();
  overlap.centre = p * overlap.weights;
  overlap.area = section_area(p, section) * normal;
  return overlap;
}

Overlap overlap_sphere(const Mat34& p, const Vec3& centre, double radius)
{
  Mat34 x = (p.colwise() - centre) / radius;
  if (box_is_apart(x)) return {};
  const double signed_tet = signed_volume(x), tet = std::abs(signed_tet);
  if (flat(x, tet)) return {};
  if (x.colwise().squaredNorm().maxCoeff() <= 1) return whole_tetrahedron(p, tet * radius * radius * radius);
  if (signed_tet < 0) x.col(2).swap(x.col(3));

  std::array<Face, 4> faces;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& [a, b, c] = face_corners[k];
    faces[k] = face_through(x.col(a), x.col(b), x.col(c));
    if (faces[k].height <= -1) return {};
  }
  const UnitBallOverlap shared = overlap_unit_ball(x, faces);
  Overlap overlap;
  if (!(shared.volume > 0)) return overlap;
  const double volume = std::min(shared.volume, tet);
  const Vec3 c = shared.moment / volume;
  for (int k = 0; k < 4; ++k) {
    const Face& face = faces[static_cast<std::size_t>(k)];
    overlap.weights[k] = std::max(0.0, face.area * (face.height - face.normal.dot(c)) / (3 * tet));
  }
  overlap.weights /= overlap.weights.sum();
  if (signed_tet < 0) std::swap(overlap.weights[2], overlap.weights[3]);
  overlap.centre = p * overlap.weights;
  overlap.volume = volume * radius * radius * radius;
  overlap.area = radius * radius * shared.area;
  return overlap;
}

}  // namespace sunder::geometry
