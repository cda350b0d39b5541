#pragma once
/// The force an obstacle puts on an element, T 5.3-5.10, P99 3.3. Pure.

#include "contact/narrow_phase/obstacle_overlap.hpp"

namespace sunder::contact {

/// The forces an obstacle puts on the corners of one element and what they do.
struct ElementContact {
  Mat34 forces = Mat34::Zero();  ///< On the corners [N]; the obstacle gets minus their sum.
  Vec3 torque = Vec3::Zero();    ///< On the obstacle about its position [N m].
  double overlap = 0;            ///< [m^3]; forces are exactly zero if this is.
};

/// Local. One element against one obstacle, T 5.3-5.10. p, v: (3, 4) corners. All forces act at the overlap's centre,
/// along contact_normal(), by response().
ElementContact element_contact(const Obstacle& obstacle, const rigid::State& state, const Mat34& p, const Mat34& v);

/// Local. One element against one obstacle; p, v: (3, 4) corners. A corner stands for a quarter of volume^(2/3), as
/// which of the faces are free is not asked: a node of a flat surface gets about its share of it.
ElementContact element_contact_by_nodes(const Obstacle& obstacle, const rigid::State& state, const Mat34& p,
                                        const Mat34& v);

}  // namespace sunder::contact
