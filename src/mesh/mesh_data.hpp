#pragma once
/// A whole tetrahedral mesh as a file or a mesher gives it, before it is distributed. Plain data.

#include "core/types.hpp"

#include <string>
#include <vector>

namespace sunder::mesh {

struct NodeSet {
  std::string name;
  std::vector<GlobalIndex> nodes;  ///< Positions in MeshData::nodes, ascending, unique.
};
struct ElementSet {
  std::string name;
  std::vector<GlobalIndex> elements;  ///< Positions in MeshData::tets, ascending, unique.
};
struct FaceSet {
  std::string name;
  std::vector<std::array<GlobalIndex, 3>> faces;  ///< Three positions in MeshData::nodes each.
};

/// Positions count from 0. Labels are the numbers in the file; messages use them, so that a user can look them up.
struct MeshData {
  std::vector<Vec3> nodes;                       ///< [m]
  std::vector<std::array<GlobalIndex, 4>> tets;  ///< Positively oriented after mesh checking.
  std::vector<NodeSet> node_sets;                ///< Face sets are here too, each as the set of its nodes.
  std::vector<ElementSet> element_sets;
  std::vector<FaceSet> face_sets;
  std::vector<std::uint64_t> node_labels;     ///< As numbered in the file, one a node.
  std::vector<std::uint64_t> element_labels;  ///< As numbered in the file, one a tetrahedron.
  bool nodes_have_ids = false;                ///< The file tells nodes apart by ids: two in one place are meant.
  bool second_order = false;  ///< The file has second-order elements, of which only the corners were read.
};

}  // namespace sunder::mesh
