#pragma once
/// How the contact force between two elements changes with the motion of their corners: what Newton's method needs.
/// Pure.

#include "contact/law/response.hpp"
#include "contact/narrow_phase/element_overlap.hpp"
#include "core/tangent_options.hpp"

namespace sunder::contact {

/// Of the corners of two elements: rows and columns 3 c + i for corner c of the first, 12 + 3 c + i for corner c of the
/// second, axis i [N/m].
using PairMatrix = Eigen::Matrix<double, 24, 24>;

/// Local. -(df/dp + rate df/dv), f the forces on the corners that come of pair_force() at an overlap update.
///
/// exact: exact where the overlap's slope is. positive_definite: the spring and the damper along the normal and the
/// friction across it, as if all corners followed the centre of an overlap that keeps its shape: rank 3 at most.
/// @param r         of the pair (resolved())
/// @param v_a, v_b  velocities of the corners [m/s]
PairMatrix pair_tangent(const ElementOverlapSlope& slope, const Response& r, double initial_overlap, const Mat34& v_a,
                        const Mat34& v_b, const TangentOptions& options);

}  // namespace sunder::contact
