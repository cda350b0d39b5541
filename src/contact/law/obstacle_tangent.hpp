#pragma once
/// How the contact force between an obstacle and an element changes with the motion of the element's corners: what
/// Newton's method needs. Pure.

#include "contact/law/obstacle.hpp"
#include "core/tangent_options.hpp"
#include "core/types.hpp"
#include "rigid/motion.hpp"

namespace sunder::contact {

/// Of the four corners of an element: row 3 a + i, column 3 b + j for corners a and b, axes i and j [N/m].
using CornerMatrix = Eigen::Matrix<double, 12, 12>;

/// Local. -(df_ai/dp_bj + rate df_ai/dv_bj), f the forces of element_contact(); the obstacle keeps its motion. p, v:
/// corners, shape (3, 4) [m], [m/s].
///
/// exact: the law is differentiated in closed form (response_change()), the region's volume, centre and normal by
/// central differences over a step that is small beside the depth. So where the force is smooth, the error is about
/// 1e-6 of the matrix, and 1e-4 where the depth is near the round-off of the overlap. Where an edge of the obstacle
/// meets a corner or an edge of the element the force has a kink, and the derivative is the mean of both sides.
/// positive_definite: the spring and the damper along the normal and the friction across it, as if all corners followed
/// the centre of an overlap that keeps its shape: rank 3 at most.
CornerMatrix element_contact_tangent(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p,
                                     const Mat34& v, const TangentOptions& options);

/// Local. The same of element_contact_by_nodes().
CornerMatrix element_contact_tangent_by_nodes(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p,
                                              const Mat34& v, const TangentOptions& options);

}  // namespace sunder::contact
