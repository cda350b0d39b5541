#pragma once
/// Does a plane keep two elements apart for a while? Pure.

#include "core/types.hpp"

namespace sunder::contact {

/// Motion of an element's corners in a window of time: straight, from start to end, give or take a slack.
struct Course {
  Mat34 start, end;
};

/// Local. A face whose plane keeps a and b apart throughout, each corner within slack [m] of its course: 0-3 of a, 4-7
/// of b; -1 if none does. `first` is asked first.
int separating_face(const Course& a, const Course& b, double slack, int first = 0);

}  // namespace sunder::contact
