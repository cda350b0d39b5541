#include "geometry/closed_surface.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>

namespace sunder::geometry {
namespace {

/// A point of a triangle, and where in it: 0 to 2 a corner, 3 to 5 the edge from corner k - 3 on, 6 the face.
struct PointOfTriangle {
  Vec3 x;
  int feature = 6;
};

/// C. Ericson, Real-Time Collision Detection (2005), 5.1.5.
PointOfTriangle nearest_point(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x)
{
  const Vec3 ab = b - a, ac = c - a, ax = x - a, bx = x - b, cx = x - c;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return {a, 0};
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return {b, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + d1 / (d1 - d3) * ab, 3};
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return {c, 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + d2 / (d2 - d6) * ac, 5};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return {b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), 4};
  const double scale = 1 / (va + vb + vc);
  return {a + vb * scale * ab + vc * scale * ac, 6};
}

double greatest_eigenvalue(const Mat3& m)
{
  return Eigen::SelfAdjointEigenSolver<Mat3>(m, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

}  // namespace

ClosedSurface::ClosedSurface(std::vector<Vec3> points, std::vector<TriangleCorners> triangles)
  : points_(std::move(points)), triangles_(std::move(triangles))
{
  find_frame();
  for (const Vec3& x : points_) box_.include(x), radius_ = std::max(radius_, x.norm());
  std::vector<Box> boxes(triangles_.size());
  for (std::size_t t = 0; t < boxes.size(); ++t)
    for (const std::uint32_t n : triangles_[t]) boxes[t].include(points_[n]);
  tree_.build(boxes);
  find_normals();
  find_spring_area();
}

/// Volume, first and second moments are those of tetrahedra from one point over all triangles.
void ClosedSurface::find_frame()
{
  const Vec3 origin = points_[triangles_.front()[0]];
  Vec3 moment = Vec3::Zero();
  Mat3 second = Mat3::Zero();  // integral of x x^T about the origin
  for (const auto& [i, j, k] : triangles_) {
    const Vec3 a = points_[i] - origin, b = points_[j] - origin, c = points_[k] - origin, sum = a + b + c;
    const double v = a.cross(b).dot(c) / 6;
    volume_ += v, moment += v / 4 * sum;
    second += v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  const Vec3 mean = moment / volume_;
  centre_ = origin + mean;
  const Mat3 spread = second / volume_ - mean * mean.transpose();
  const Mat3 tensor = spread.trace() * Mat3::Identity() - spread;
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(tensor);
  axes_ = solver.eigenvectors();
  if (axes_.determinant() < 0) axes_.col(2) *= -1;
  // A frame that is the given one already, up to round-off, stays it: a cube's is arbitrary.
  const double off = (tensor - Mat3(tensor.diagonal().asDiagonal())).norm();
  if (off < 1e-12 * tensor.norm()) axes_ = Mat3::Identity();
  inertia_ = (axes_.transpose() * tensor * axes_).diagonal();
  for (Vec3& x : points_) x = axes_.transpose() * (x - centre_);
}

void ClosedSurface::find_normals()
{
  std::vector<Vec3> of_corner(points_.size(), Vec3::Zero());
  std::map<std::pair<std::uint32_t, std::uint32_t>, Vec3> of_edge;
  normals_.resize(triangles_.size());
  const auto edge = [](std::uint32_t a, std::uint32_t b) { return std::pair(std::min(a, b), std::max(a, b)); };
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const auto& n = triangles_[t];
    const auto x = [&](std::size_t a) -> const Vec3& { return points_[n[a % 3]]; };
    normals_[t].face = (x(1) - x(0)).cross(x(2) - x(0)).normalized();
    for (std::size_t a = 0; a < 3; ++a) {
      const Vec3 next = x(a + 1) - x(a), last = x(a + 2) - x(a);
      of_corner[n[a]] += std::atan2(next.cross(last).norm(), next.dot(last)) * normals_[t].face;
      of_edge.try_emplace(edge(n[a], n[(a + 1) % 3]), Vec3::Zero()).first->second += normals_[t].face;
    }
  }
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      const auto& n = triangles_[t];
      normals_[t].corners[a] = of_corner[n[a]], normals_[t].edges[a] = of_edge.at(edge(n[a], n[(a + 1) % 3]));
    }
}

/// Springs against moving make k T, against turning k R, with T and R the integrals of n n^T and (x x n)(x x n)^T. Of
/// both together the greatest eigenvalue is at most the sum of theirs. Midpoints of edges integrate R exactly.
void ClosedSurface::find_spring_area()
{
  Mat3 moving = Mat3::Zero(), turning = Mat3::Zero();
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const auto& [a, b, c] = triangles_[t];
    const Vec3& n = normals_[t].face;
    const double area = (points_[b] - points_[a]).cross(points_[c] - points_[a]).norm() / 2;
    moving += area * n * n.transpose();
    for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}}) {
      const Vec3 arm = ((points_[from] + points_[to]) / 2).cross(n);
      turning += area / 3 * arm * arm.transpose();
    }
  }
  const Mat3 scale = inertia_.cwiseSqrt().cwiseInverse().asDiagonal();
  spring_area_ = greatest_eigenvalue(moving) + greatest_eigenvalue(scale * turning * scale);
}

SignedDistance ClosedSurface::distance(const Vec3& x) const
{
  const auto point_of = [&](int t) {
    const auto& [a, b, c] = triangles_[static_cast<std::size_t>(t)];
    return nearest_point(points_[a], points_[b], points_[c], x);
  };
  const int t = tree_.nearest(x, [&](int k) { return (point_of(k).x - x).squaredNorm(); });
  const PointOfTriangle at = point_of(t);
  const Normals& normals = normals_[static_cast<std::size_t>(t)];
  const Vec3& out = at.feature == 6  ? normals.face
                    : at.feature < 3 ? normals.corners[static_cast<std::size_t>(at.feature)]
                                     : normals.edges[static_cast<std::size_t>(at.feature - 3)];
  const Vec3 away = x - at.x;
  const double metres = away.norm(), sign = away.dot(out) < 0 ? -1 : 1;
  if (!(metres > 1e-12 * radius_)) return {sign * metres, out.normalized()};
  return {sign * metres, sign / metres * away};
}

}  // namespace sunder::geometry
