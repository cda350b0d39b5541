#pragma once
/// Does a plane keep two elements apart, now or for a while? Pure.

#include "core/types.hpp"

namespace sunder::geometry {

/// Motion of an element's corners in a window of time: straight, from start to end.
struct LinearMotion {
  Mat34 start, end;
};

/// Local. How far all of b is beyond all of a along the axis, times the axis's length [m]; negative if not
/// all of it is.
inline double gap_along(const Vec3& axis, const Mat34& a, const Mat34& b)
{
  return (axis.transpose() * b).minCoeff() - (axis.transpose() * a).maxCoeff();
}

/// Local. Is all of b beyond all of a along the axis, by more than skin [m], throughout? Corners move straight, so the
/// gap is a concave function of time: what it exceeds at both ends it exceeds between. Never, if the axis is zero.
bool keeps_apart(const Vec3& axis, const LinearMotion& a, const LinearMotion& b, double skin);

/// Local. Normal, of any length, to a face as it is at the start, that keeps them apart so; zero if none does.
Vec3 separating_face(const LinearMotion& a, const LinearMotion& b, double skin);

/// Local. A unit vector along which all of b is beyond all of a by more than `least` [m]; zero if there is none. Normal
/// to the face with the widest gap, else, as convex polyhedra that no face keeps apart are parted so, to an edge of
/// each.
Vec3 separating_axis(const Mat34& a, const Mat34& b, double least);

}  // namespace sunder::geometry
