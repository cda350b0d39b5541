#pragma once
/// Where in VTK's files of appended raw data the arrays lie, so that every rank can read its slice of them.

#include "core/bytes.hpp"
#include "core/types.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder::io {

/// Points of a cell: its corners first, and on its edges if it is of second order.
struct VtuCell {
  std::int64_t corners = 0, points = 0;  ///< 0: a type that is not read.
};
VtuCell vtu_cell(std::int64_t type);
inline constexpr const char* vtu_cell_types =
    "tetrahedra and triangles of first or second order (cell types 10, 24, 5, 22)";

/// Arrays of ids in frames of sunder, which declare none as GlobalIds (io/frames/frame_writer.hpp).
inline constexpr const char *vtu_node_ids = "GlobalNodeId", *vtu_element_ids = "GlobalElementId";

/// Cell arrays whose values make sets: NAME_k.
inline constexpr std::array vtu_set_arrays{"material", "Material", "region", "gmsh:physical", "medit:ref"};

enum class VtuType : std::uint8_t { none, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

/// Numbers of one kind behind each other, raw or in compressed blocks.
struct VtuArray {
  std::uint64_t at = 0;      ///< First byte of the numbers; of the table of blocks, if compressed.
  std::uint64_t values = 0;  ///< Tuples times components.
  VtuType type = VtuType::none;

  explicit operator bool() const { return type != VtuType::none; }
  std::uint64_t bytes() const;
};
std::uint64_t size_of(VtuType type);
bool is_real(VtuType type);

enum class VtuCompressor : std::uint8_t { none, zlib, lz4 };

/// Arrays of one integer for each point or cell, which may be sets by their names, and all others: their names are no
/// sets.
struct VtuFlags {
  std::vector<std::pair<std::string, VtuArray>> arrays;
  std::vector<std::string> others;
};

/// One file.
struct VtuPiece {
  std::string file;
  GlobalIndex points = 0, cells = 0;
  bool swapped = false, wide = false;  ///< wide: counts of bytes have 8 of them, else 4.
  VtuCompressor compressor = VtuCompressor::none;
  VtuArray place, rest, point_ids, types, offsets, connectivity, cell_ids, ghosts;
  std::array<VtuArray, vtu_set_arrays.size()> sets;
  VtuFlags point_flags, cell_flags;
};

/// Local. Of a .vtu or of all pieces of a .pvtu. Nothing if some array cannot be read in slices (text, base64, several
/// pieces in a file), or if anything looks wrong: the reader of whole files knows what to say of it.
/// Throws Unreadable: a file that cannot be looked into is not left to one rank, which has no room for it.
std::optional<std::vector<VtuPiece>> vtu_layout(const std::string& path);

/// Local. Sources of a .pvtu, in order. Throws Error.
std::vector<std::string> vtu_piece_files(const std::string& path);

Bytes packed(const std::vector<VtuPiece>& pieces);
std::vector<VtuPiece> unpacked_pieces(const Bytes& bytes);

}  // namespace sunder::io
