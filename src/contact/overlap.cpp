#include "contact/overlap.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

double signed_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
  return (b - a).cross(c - a).dot(d - a) / 6;
}

/// Volume and first moment, added up over pieces.
struct Moments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  void add(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double sign = 1)
  {
    const double v = sign * std::abs(signed_volume(a, b, c, d));
    volume += v;
    first += v / 4 * (a + b + c + d);
  }
};

Vec3 crossing(const Vec3& a, double da, const Vec3& b, double db) { return a + da / (da - db) * (b - a); }

// --- ball -------------------------------------------------------------------------------------------------------
//
// O the centre, R the radius. Each face lies in a plane at signed distance h from O along its outward normal n; C is the
// foot of O in it and rho^2 = R^2 - h^2 the squared radius of the disk the ball cuts from it. With polar coordinates (r,
// theta) about C, an edge at distance d from C is r = d / cos(theta), and integrals over the triangle are sums over its
// edges of integrals over the triangle (C, a, b), signed by its turning sense.
//
// Volume: the tetrahedron is the signed sum of the cones from O over its faces. The cone over a plane element dA has volume
// |h| dA / 3 inside the ball and R^3 dOmega / 3, dOmega = |h| dA / s^3, s^2 = h^2 + r^2, where the face is outside.
// First moment about O: integral of x dV = 1/2 surface integral of |x|^2 dA. On the sphere |x|^2 = R^2, and the area
// vector of the spherical part is minus that of the flat parts: M = 1/2 sum n (integral over disk parts of s^2 - R^2).

struct FaceIntegrals {
  double cone = 0;    // volume of the cone inside the ball, unsigned h
  double area = 0;    // of the part of the face inside the ball
  double second = 0;  // integral of r^2 over that part
};

class FaceInBall {
public:
  FaceInBall(double h, double radius)
    : h_(std::abs(h)), cubed_(radius * radius * radius / 3), rho2_(std::max(0.0, radius * radius - h * h)),
      outside_(h_ < radius ? h_ * rho2_ / 6 + radius * radius * h_ / 3 : cubed_)
  {
  }

  /// Edge at distance d > 0 from the foot, from ta to tb > ta along it, measured from its nearest point.
  void add_edge(double sense, double d, double ta, double tb)
  {
    const double half = rho2_ > d * d ? std::sqrt(rho2_ - d * d) : -1;
    if (half < 0) {
      add_outside(sense, d, ta, tb);
    } else {
      add_outside(sense, d, ta, std::min(tb, -half));
      add_inside(sense, d, std::max(ta, -half), std::min(tb, half));
      add_outside(sense, d, std::max(ta, half), tb);
    }
  }
  const FaceIntegrals& integrals() const { return sum_; }

private:
  void add_inside(double sense, double d, double ta, double tb)
  {
    if (tb <= ta) return;
    const double area = d * (tb - ta) / 2;
    sum_.cone += sense * h_ / 3 * area;
    sum_.area += sense * area;
    sum_.second += sense * d / 4 * (d * d * (tb - ta) + (tb * tb * tb - ta * ta * ta) / 3);
  }
  void add_outside(double sense, double d, double ta, double tb)
  {
    if (tb <= ta) return;
    const double angle = std::atan2(d * (tb - ta), d * d + ta * tb);
    sum_.cone += sense * (outside_ * angle - cubed_ * (arc(d, tb) - arc(d, ta)));
    sum_.area += sense * rho2_ / 2 * angle;
    sum_.second += sense * rho2_ * rho2_ / 4 * angle;
  }
  /// Antiderivative of |h| / sqrt(h^2 + d^2 / cos^2) in theta, at tan(theta) = t / d.
  double arc(double d, double t) const
  {
    return std::asin(std::clamp(h_ * t / std::sqrt((h_ * h_ + d * d) * (t * t + d * d)), -1.0, 1.0));
  }

  double h_, cubed_, rho2_, outside_;
  FaceIntegrals sum_;
};

/// Triangle a, b, c about the foot of the centre, relative to the centre; n its unit normal, seen counter-clockwise.
FaceIntegrals face_in_ball(const std::array<Vec3, 3>& corners, const Vec3& n, double h, double radius)
{
  FaceInBall face(h, radius);
  const Vec3 foot = h * n;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 a = corners[k] - foot, b = corners[(k + 1) % 3] - foot, edge = b - a;
    const double length = edge.norm(), turn = n.dot(a.cross(b));
    const double d = std::abs(turn) / length;
    if (!(d > 0)) continue;  // the foot is on the edge's line: the triangle (C, a, b) is empty
    face.add_edge(turn > 0 ? 1 : -1, d, a.dot(edge) / length, b.dot(edge) / length);
  }
  return face.integrals();
}

}  // namespace

Overlap overlap_half_space(const Mat34& x, const Vec3& point, const Vec3& normal)
{
  std::array<int, 4> order{0, 1, 2, 3};  // those inside first
  const Eigen::Vector4d d = ((x.colwise() - point).transpose() * normal);
  const auto inside = static_cast<int>(
    std::stable_partition(order.begin(), order.end(), [&d](int a) { return d[a] < 0; }) - order.begin());
  if (inside == 0) return {};
  const auto corner = [&](std::size_t k) -> Vec3 { return x.col(order[k]); };
  const auto cut = [&](std::size_t i, std::size_t j) {
    return crossing(corner(i), d[order[i]], corner(j), d[order[j]]);
  };
  Moments m;
  if (inside == 1) {
    m.add(corner(0), cut(0, 1), cut(0, 2), cut(0, 3));
  } else if (inside == 2) {  // a wedge with the edge 01 inside: three tetrahedra
    const Vec3 p02 = cut(0, 2), p03 = cut(0, 3), p12 = cut(1, 2), p13 = cut(1, 3);
    m.add(corner(0), corner(1), p02, p03);
    m.add(corner(1), p02, p03, p13);
    m.add(corner(1), p02, p12, p13);
  } else {
    m.add(corner(0), corner(1), corner(2), corner(3));
    if (inside == 3) m.add(corner(3), cut(3, 0), cut(3, 1), cut(3, 2), -1);
  }
  if (!(m.volume > 0)) return {};
  return {m.volume, m.first / m.volume, normal};
}

Overlap overlap_ball(const Mat34& x, const Vec3& centre, double radius)
{
  static constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // outward if the volume is positive
  const Mat34 r = x.colwise() - centre;
  if (signed_volume(r.col(0), r.col(1), r.col(2), r.col(3)) == 0) return {};
  const double turn = signed_volume(r.col(0), r.col(1), r.col(2), r.col(3)) > 0 ? 1 : -1;

  std::array<Vec3, 4> normals;
  std::array<double, 4> h{};
  for (std::size_t f = 0; f < 4; ++f) {
    const Vec3 a = r.col(faces[f][0]);
    const Vec3 area = turn * (r.col(faces[f][1]) - a).cross(r.col(faces[f][2]) - a);
    const double size = area.norm();
    if (!(size > 0)) return {};
    normals[f] = area / size, h[f] = normals[f].dot(a);
    if (h[f] <= -radius) return {};  // the ball is wholly beyond this face
  }
  double volume = 0;
  Vec3 first = Vec3::Zero(), flat = Vec3::Zero();
  for (std::size_t f = 0; f < 4; ++f) {
    std::array<Vec3, 3> corners{r.col(faces[f][0]), r.col(faces[f][1]), r.col(faces[f][2])};
    if (turn < 0) std::swap(corners[1], corners[2]);
    const FaceIntegrals face = face_in_ball(corners, normals[f], h[f], radius);
    volume += h[f] < 0 ? -face.cone : face.cone;
    flat += face.area * normals[f];
    first += 0.5 * ((h[f] * h[f] - radius * radius) * face.area + face.second) * normals[f];
  }
  // Cones of opposite sign cancel: what is left below their round-off is no overlap.
  if (!(volume > 1e-13 * radius * radius * radius)) return {};
  Vec3 mean = first / volume;
  const double size = flat.norm();
  if (size > 1e-9 * radius * radius) return {volume, centre + mean, -flat / size};
  if (!(mean.norm() > 0)) mean = Vec3::UnitZ();
  return {volume, centre + first / volume, mean.normalized()};
}

Eigen::Vector4d barycentric(const Mat34& x, const Vec3& y)
{
  Mat3 edges;
  edges << x.col(1) - x.col(0), x.col(2) - x.col(0), x.col(3) - x.col(0);
  const double size = edges.col(0).norm() * edges.col(1).norm() * edges.col(2).norm();
  if (!(std::abs(edges.determinant()) > 1e-12 * size)) return Eigen::Vector4d::Constant(0.25);
  const Vec3 b = edges.inverse() * (y - x.col(0));
  return {1 - b.sum(), b[0], b[1], b[2]};
}

}  // namespace sunder::contact
