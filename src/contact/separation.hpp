#pragma once
/// Does a plane keep two elements apart, now or for a while? Pure.

#include "core/types.hpp"

namespace sunder::contact {

/// Motion of an element's corners in a window of time: straight, from start to end, give or take a slack.
struct Course {
  Mat34 start, end;
};

/// Local. A face whose plane keeps a and b apart throughout, each corner within slack [m] of its course: 0-3 of a, 4-7
/// of b; -1 if none does. `first` is asked first.
int separating_face(const Course& a, const Course& b, double slack, int first = 0);

/// Local. How far all of b is beyond all of a along the axis, times the axis's length [m]; negative if not
/// all of it is.
inline double gap_along(const Vec3& axis, const Mat34& a, const Mat34& b)
{
  return (axis.transpose() * b).minCoeff() - (axis.transpose() * a).maxCoeff();
}

/// Local. A unit vector along which all of b is beyond all of a by more than `least` [m]; zero if there is none. Normal
/// to the face with the widest gap, else, as convex polyhedra that no face keeps apart are parted so, to an edge of
/// each.
Vec3 separating_axis(const Mat34& a, const Mat34& b, double least);

}  // namespace sunder::contact
