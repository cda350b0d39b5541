#pragma once
/// The small sections of a Gmsh file: version, names, groups of entities; and the order in which sections come.

#include "io/mesh_files/gmsh_source.hpp"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace sunder::io {

/// A physical group.
struct GmshGroup {
  int dimension = 0, tag = 0;
  auto operator<=>(const GmshGroup&) const = default;
};

struct GmshHeader {
  double version = 0;
  std::map<GmshGroup, std::string> names;
  std::map<std::pair<int, int>, std::vector<int>> entity_groups;  ///< 4.1: (dimension, entity) -> physical tags.

  /// By number if it has no name.
  std::string name_of(const GmshGroup& group) const;
};

/// How many nodes an element has in the file, the corners first. Second-order elements have nodes on their edges, too.
struct GmshShape {
  int corners = 0, nodes = 0;
};
/// Of an element of this type. Throws Error, of the place where `in` is, for a type that means nothing here.
GmshShape shape_of_type(GmshSource& in, int type);
/// Of the shape with so many corners.
inline int dimension_of(int corners)
{
  return corners - 1;
}

/// Local. True for a binary file of a version that is read here; whatever else is wrong is found when it is read.
/// Throws Unreadable: what cannot be looked into is not taken for text.
bool is_binary_gmsh(const std::string& path);

/// Local. Reads the sections in their order: the header's itself; nodes() and elements() are called at the beginning of
/// theirs, with the header as far as it is known. Throws Error.
GmshHeader read_gmsh_sections(GmshSource& in, const std::function<void(const GmshHeader&)>& nodes,
                              const std::function<void(const GmshHeader&)>& elements);

}  // namespace sunder::io
