#pragma once
/// A slice of the points or cells of all pieces of a VTK mesh.

#include "io/files/file_window.hpp"
#include "io/mesh_files/vtu_layout.hpp"

#include <algorithm>
#include <vector>

namespace sunder::io {

inline constexpr GlobalIndex vtu_rows_at_once = 1 << 15;  // points or cells

/// Local. Points or cells [begin, end) of all pieces behind each other: read(piece, file, first, last, before) for
/// those of one piece, by their numbers in it; `before`: those of the pieces before. Throws Error.
template <class Read>
void each_slice(const std::vector<VtuPiece>& pieces, GlobalIndex VtuPiece::*count, GlobalIndex begin, GlobalIndex end,
                Read&& read)
{
  GlobalIndex before = 0;
  for (const VtuPiece& piece : pieces) {
    const GlobalIndex first = std::max(begin - before, GlobalIndex{0}), last = std::min(end - before, piece.*count);
    if (first < last) {
      FileWindow file(piece.file, "a mesh file");
      read(piece, file, first, last, before);
    }
    before += piece.*count;
  }
}

}  // namespace sunder::io
