#pragma once
/// The contact force between an obstacle and an element, T 5.3-5.10, P99 3.3. Pure.

#include "contact/law/obstacle.hpp"
#include "contact/narrow_phase/obstacle_overlap.hpp"

namespace sunder::contact {

/// The forces of an obstacle on the corners of one element.
struct ElementContact {
  Mat34 forces = Mat34::Zero();  ///< On the corners [N]; the obstacle gets minus their sum.
  Vec3 torque = Vec3::Zero();    ///< On the obstacle about its position [N m].
  double overlap = 0;            ///< [m^3]; forces are exactly zero if this is.
};

/// Local. One element against one obstacle, T 5.3-5.10. p, v: corners, shape (3, 4) [m], [m/s]. The force is that of
/// response(), along contact_normal(), and acts at the overlap's centre.
ElementContact element_contact(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p, const Mat34& v);

/// Local. The same by the criterion of P99 3.3: corners inside the obstacle are pushed out. It is not known here which
/// faces are free. So each corner stands for a surface of volume^(2/3) / 4, about the share of a node of a flat
/// surface.
ElementContact element_contact_by_nodes(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p,
                                        const Mat34& v);

}  // namespace sunder::contact
