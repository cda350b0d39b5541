#include "contact/separation.hpp"

namespace sunder::contact {
namespace {

/// Out of the tetrahedron, of any length.
Vec3 normal_of(const Mat34& p, int face)
{
  const Vec3 base = p.col((face + 1) % 4);
  const Vec3 n = (Vec3(p.col((face + 2) % 4)) - base).cross(Vec3(p.col((face + 3) % 4)) - base);
  return n.dot(Vec3(p.col(face)) - base) > 0 ? Vec3(-n) : n;
}

/// Does the plane of a face of `of`, as it is at the start, keep `other` off by more than the slack? Corners
/// move straight, so the gap is a concave function of time: what it exceeds at both ends it exceeds between.
bool keeps_off(const Course& of, int face, const Course& other, double slack)
{
  const Vec3 n = normal_of(of.start, face);
  const double needed = slack * n.norm();
  const auto gap = [&n](const Mat34& a, const Mat34& b) {
    return (n.transpose() * b).minCoeff() - (n.transpose() * a).maxCoeff();
  };
  return gap(of.start, other.start) > needed && gap(of.end, other.end) > needed;
}

}  // namespace

int separating_face(const Course& a, const Course& b, double slack, int first)
{
  for (int k = 0; k < 8; ++k) {
    const int face = (first + k) % 8;
    if (face < 4 ? keeps_off(a, face, b, slack) : keeps_off(b, face - 4, a, slack)) return face;
  }
  return -1;
}

}  // namespace sunder::contact
