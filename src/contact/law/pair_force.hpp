#pragma once
/// The forces two overlapping elements put on each other, T 5.3. Pure.

#include "contact/law/response.hpp"
#include "contact/narrow_phase/element_overlap.hpp"

namespace sunder::contact {

/// Local. Force on a [N], to be shared among its corners by weights_a, and minus it among b's by weights_b. p, v:
/// corners now. The overlap has changed by -area times the way its centre in a has shift from its centre in b since
/// overlap_of_elements(); initial_overlap [m^3] of it does not count. stiffness [N/m^3] stands in place of r's.
Vec3 pair_force(const ElementOverlap& overlap, const Response& r, double stiffness, double initial_overlap,
                const Mat34& p_a, const Mat34& v_a, const Mat34& p_b, const Mat34& v_b);

}  // namespace sunder::contact
