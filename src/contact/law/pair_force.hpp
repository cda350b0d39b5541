#pragma once
/// The contact force between two overlapping elements, T 5.3. Pure.

#include "contact/law/response.hpp"
#include "contact/narrow_phase/element_overlap.hpp"

namespace sunder::contact {

/// Local. The constants of one pair: with this stiffness [N/m^3], and the automatic damping where r leaves it open.
Response resolved(const Response& r, double stiffness);

/// Local. Returns the force on a [N]. The caller shares it among a's corners by weights_a, and its opposite among b's
/// corners by weights_b. Since the overlap update the overlap's centre in a has moved by a vector dx relative to its
/// centre in b; the overlap counts as changed by -area . dx.
/// @param stiffness        [N/m^3], instead of r.stiffness
/// @param initial_overlap  the overlap that exerts no force [m^3]
/// @param p_a, v_a         corners of a now, shape (3, 4) [m], [m/s]; p_b and v_b likewise
Vec3 pair_force(const ElementOverlap& overlap, const Response& r, double stiffness, double initial_overlap,
                const Mat34& p_a, const Mat34& v_a, const Mat34& p_b, const Mat34& v_b);

}  // namespace sunder::contact
