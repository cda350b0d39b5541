#pragma once
/// The outer surface of the bodies of a frame, as a frame of triangles.

#include "io/frames/frame.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace sunder::io {

/// A face of an element that no other element of the bodies has.
struct OuterFace {
  std::size_t element = 0;   ///< Its position in the frame.
  std::size_t opposite = 0;  ///< The corner of the element that is opposite.
};

/// Local. The outer faces that rank `me` writes: of which it is the lowest owner of a node, so that it holds both
/// elements beside an inner one. So a surface has no walls where parts of ranks meet.
std::vector<OuterFace> outer_faces(const Frame& bodies, Rank me);

/// Local. Faces as triangles, anticlockwise seen from outside. Nodes and node fields are those of the bodies; ids and
/// fields of a face are those of its element.
Frame surface_of(const Frame& bodies, std::span<const OuterFace> faces);

/// Local. The triangles of all outer faces that rank `me` writes.
inline Frame outer_surface(const Frame& bodies, Rank me)
{
  return surface_of(bodies, outer_faces(bodies, me));
}

}  // namespace sunder::io
