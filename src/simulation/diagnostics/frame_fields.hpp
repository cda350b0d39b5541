#pragma once
/// What a frame shows of the bodies.

#include "fracture/options.hpp"
#include "io/frames/frame.hpp"
#include "simulation/state.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

struct FrameOptions {
  std::vector<std::string> fields = {};  ///< Beside what every frame has; names as in docs/output.md.
  bool reference_geometry = false;       ///< Points at rest instead of in the world.
  element::SeparationCriterion criterion = element::SeparationCriterion::tensile;  ///< Of `Damage`.
};

/// Collective on neighbours. Every frame has Displacement, MaterialPosition, Fragment, Parent, Material and
/// Rank.
io::Frame frame_of(const State& state, const FrameOptions& options);

/// Collective on neighbours. Only the nodes of such a frame, with their fields.
void add_nodes(const State& state, const FrameOptions& options, io::Frame& frame);

/// Local. Bytes of a frame with so many nodes and elements, before compression.
std::int64_t frame_bytes(const FrameOptions& options, GlobalIndex nodes, GlobalIndex elements);

}  // namespace sunder::simulation
