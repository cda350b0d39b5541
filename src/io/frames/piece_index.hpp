#pragma once
/// The file over all pieces of a frame: NAME_000123.pvtu.

#include "io/frames/piece.hpp"

#include <filesystem>

namespace sunder::io {

/// Local. Adds the units of fields and the names of their components to the file over the pieces of a frame that VTK
/// has written. Readers of this file do not take them from the pieces, and VTK leaves them out of it. Throws Error
/// (simulation_failed) if the file cannot be read or written.
/// @param piece  any of the pieces: all have the same fields
void describe_arrays(const std::filesystem::path& index, const Piece& piece);

}  // namespace sunder::io
