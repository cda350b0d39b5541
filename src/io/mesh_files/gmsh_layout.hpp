#pragma once
/// Where in a binary Gmsh file its nodes and elements lie, so that every rank can read its slice of them.

#include "io/mesh_files/gmsh_header.hpp"

#include "core/bytes.hpp"
#include "core/types.hpp"

namespace sunder::io {

/// Nodes that lie at even distances.
struct GmshNodeRun {
  std::uint64_t tags_at = 0, tag_stride = 0, points_at = 0, point_stride = 0;  ///< [bytes]
  GlobalIndex count = 0;
};

/// Elements of one shape, in groups of `per_group` behind each other, the groups `pitch` bytes apart: 2.2 has a header
/// before each, and Gmsh itself writes one before every element.
struct GmshElementRun {
  std::uint64_t at = 0;  ///< First element, behind its header.
  std::uint64_t pitch = 0, stride = 0;
  GlobalIndex per_group = 1, count = 0;
  std::int32_t corners = 0, tags = 0;  ///< tags: of each element (2.2).
  std::int32_t groups = 0;             ///< Position in GmshLayout::group_lists (4.1).
};

struct GmshLayout {
  bool four = false, swapped = false;  ///< Version 4.1, tags of 8 bytes; else 2.2, of 4.
  bool second_order = false;           ///< Some elements have more nodes than corners.
  std::vector<GmshNodeRun> nodes;
  std::vector<GmshElementRun> elements;
  std::vector<std::vector<int>> group_lists{{}};
  std::map<GmshGroup, std::string> names;

  GlobalIndex num_nodes() const;
  GlobalIndex num_elements() const;
};

/// Local. Walks through the file from header to header; a count that the file is too short for is an Error.
GmshLayout gmsh_layout(const std::string& path);

Bytes packed(const GmshLayout& layout);
GmshLayout unpacked_layout(const Bytes& bytes);

}  // namespace sunder::io
