#pragma once
/// What a state keeps of cracks that have just been made.

#include "contact/broad_phase/surface_element.hpp"
#include "fracture/crack.hpp"
#include "simulation/state.hpp"

#include <span>
#include <vector>

namespace sunder::simulation {

/// Collective. After a crack: notes when nodes were first parted, counts elements, and follows what came off.
/// Returns whether something came off, or flag was set on some rank: the same on any number of ranks.
/// @param elements_more  than before, of those that this rank counts
bool record_splits(State& state, std::span<const fracture::NodeCopy> splits, std::int64_t elements_more,
                   bool flag = false);

/// Local. Each element made in a step with its ancestor from before the step.
contact::Origins origins_of(const std::vector<fracture::Lineage>& lineage);

}  // namespace sunder::simulation
