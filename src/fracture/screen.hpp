#pragma once
/// Step 1 of a crack, screen: which nodes may fail. docs/fracture.md.

#include "element/model.hpp"

#include <vector>

namespace sunder::fracture {

/// Local. Lists the owned nodes that may fail. O(nodes). model.f must be what add_internal_forces() has just left: its
/// fourth lane sums a bound b of |f+_a|. The bounds on the largest eigenvalue v+ of the separation tensor are:
///
///   tensile: v+ <= sum b / 2. Why: m(a) has |a| as its only non-zero eigenvalue; -sum m(f-) never adds, nor does
///            m(c) - m(f+_sum) = -u d d^T, as u >= 0; so v+ <= sum |f+| / 2. Without tension no node is listed.
///   sources: v+ <= sum b + |f|/2. Why: -m(f+_sum) and -sum m(f-) never add, and |f-_sum| <= |f| + |f+_sum|, so
///            v+ <= (sum |f+| + |f-_sum|) / 2 <= sum |f+| + |f| / 2.
///
/// An element whose toughness has directions puts f*+ and f*- of sigma* (T 4.8) into the tensor, but f+ + f- into f.
/// Its b is therefore a bound of (|f+| + |f-| + |f*+| + |f*-|) / 2. That is enough for `sources`. For `tensile` it is
/// only certain that b >= |f*+| / 2, so a scene with such a material uses v+ <= sum b.
///
/// Nodes on interfaces with a G_c are listed always: these slide, too, and no bound of tension says when.
void screen(const element::Model& model, element::SeparationCriterion criterion, std::vector<LocalIndex>& nodes);

}  // namespace sunder::fracture
