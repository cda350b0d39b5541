#pragma once
/// The file over all pieces of a frame: NAME_000123.pvtu.

#include "io/frames/piece.hpp"

#include <filesystem>

namespace sunder::io {

/// Local. Adds the units of fields and the names of their components to a file that VTK has written over the pieces of
/// a frame. A reader takes them from there alone, and VTK leaves them out. Throws Error (simulation_failed) if the file
/// cannot be read or written.
/// @param piece  any of the pieces: all have the same fields
void describe_arrays(const std::filesystem::path& index, const Piece& piece);

}  // namespace sunder::io
