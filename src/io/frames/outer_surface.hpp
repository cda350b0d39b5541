#pragma once
/// The outer surface of the bodies of a frame, as a frame of triangles.

#include "io/frames/frame.hpp"

namespace sunder::io {

/// Local. Faces that only one element of the bodies has, those that rank `me` writes: of which it is the lowest owner
/// of a node, so that it holds both elements beside an inner one. Nodes and node fields are those of the bodies; ids
/// and fields of a face are those of its element. So a surface has no walls where parts of ranks meet.
Frame outer_surface(const Frame& bodies, Rank me);

}  // namespace sunder::io
