#pragma once
/// The fragments that the bodies are in, and what came off what: a fragment keeps its number as long as the run lasts.

#include "fracture/crack.hpp"
#include "simulation/state.hpp"

#include <span>

namespace sunder::simulation {

/// Collective. At set-up. The fragments get numbers from 0, in the order of their smallest node ids. None has a parent
/// fragment.
void number_fragments(State& state);

/// Local. Whether a fragment may have come apart between these pairs of nodes of this rank: a node that was split and
/// its copy, or the two of a link that broke. Each pair is looked for on a way from one to the other through held
/// elements and links near them. If there is one for each split on every rank, then all nodes that were connected still
/// are, for a way through a node can go around it. Costs what it looks at, which is bounded.
bool may_have_come_apart(const element::Model& model, std::span<const fracture::NodeCopy> pairs);

/// Collective. Numbers what came off since the last call. Of the components that a fragment has become, the
/// one of most volume at rest keeps its number, of equals that with the smallest element id. The others get new
/// numbers, in the order of their smallest element ids, and the fragment as their parent fragment. The same on any
/// number of ranks. Costs what find_fragments() does and, if something came off, a few messages more for each of the
/// hops log2 P. Returns whether something came off.
bool follow_fragments(State& state);

}  // namespace sunder::simulation
