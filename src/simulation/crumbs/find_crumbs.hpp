#pragma once
/// The crumbs of an impact on a lattice: fragments of a single small element. docs/lattice.md.

#include "config/scene.hpp"
#include "simulation/state.hpp"

#include <vector>

namespace sunder::simulation {

/// Collective. Fragments of one element of less than lattice.crumbs.volume times the mean volume of all elements, as
/// slots of elements held, ascending. It depends on the mesh alone: the same after a restart, and on every rank that
/// holds the element.
std::vector<LocalIndex> find_single_elements(const config::Scene& scene, const State& state);

/// Collective. The crumbs of an impact that has just ended: these, but for what a probe of the scene follows.
std::vector<LocalIndex> find_crumbs(const config::Scene& scene, const State& state);

}  // namespace sunder::simulation
