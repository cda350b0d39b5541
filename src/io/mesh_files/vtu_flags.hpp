#pragma once
/// Arrays of zeros and ones in VTK meshes: sets that have the arrays' names. Read in slices.

#include "core/comm.hpp"
#include "io/mesh_files/vtu_layout.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sunder::io {

/// Which flags, and the rows [begin, end) of them that this rank reads.
struct VtuFlagSlice {
  GlobalIndex VtuPiece::*count;
  VtuFlags VtuPiece::*flags;
  GlobalIndex begin = 0, end = 0;
};

/// Collective. Names, ascending, of the arrays that hold zeros and ones in every piece that has them, and a one
/// somewhere. Throws Error on every rank.
std::vector<std::string> flag_names(const Comm& comm, const std::vector<VtuPiece>& pieces, const VtuFlagSlice& slice);

/// Local. Calls found(number, row, value) for the values of the arrays with these names. Throws Error.
void each_flag(const std::vector<VtuPiece>& pieces, const VtuFlagSlice& slice,
               const std::map<std::string, std::int32_t>& numbers,
               const std::function<void(std::int32_t number, GlobalIndex row, std::int64_t value)>& found);

}  // namespace sunder::io
