#pragma once
/// What a state keeps of cracks that have just been made.

#include "fracture/crack.hpp"
#include "simulation/state.hpp"

#include <span>

namespace sunder::simulation {

/// Collective. After a crack: notes when nodes were first parted, counts elements, and follows what came off.
/// Returns whether something came off, or flag was set on some rank: the same on any number of ranks.
bool record_splits(State& state, std::span<const fracture::NodeCopy> splits, bool flag = false);

}  // namespace sunder::simulation
