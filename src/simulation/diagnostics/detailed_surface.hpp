#pragma once
/// The outer surface of the bodies with crack faces that are not flat. docs/output.md.

#include "io/frames/frame.hpp"
#include "io/frames/rough_surface.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// Collective. The outer surface of the bodies of a frame; faces that fracture has made are subdivided, and displaced
/// in the material but for the edges that lie in faces of the unbroken bodies. Points move as the nodes at the ends of
/// their edge do: by the deformation gradient of the elements around these. Cell data also has `CrackFace`: 1 of what
/// fracture has made. Costs what the outer surface does, one exchange of nodal values and one by combining questions.
/// @param bodies     frame_of() the state
/// @param reference  points at rest instead of in the world
io::Frame detailed_surface(const State& state, const io::Frame& bodies, const io::SurfaceDetail& detail,
                           bool reference);

}  // namespace sunder::simulation
