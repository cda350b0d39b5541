#pragma once
/// A rank's slice of a tetrahedral mesh as a file gives it. The ranks together have what mesh/mesh_data.hpp has for
/// one. Plain data.

#include "core/types.hpp"

#include <string>
#include <vector>

namespace sunder::mesh {

/// A node of a node set.
struct SetNode {
  GlobalIndex node = 0;
  std::int32_t set = 0;  ///< Position in MeshSlice::node_sets.
};
/// A triangle of a face set.
struct SetFace {
  std::array<GlobalIndex, 3> nodes{};
  std::int32_t set = 0;  ///< Position in MeshSlice::face_sets.
};
struct FaceSetName {
  std::string name;
  std::int32_t node_set = 0;  ///< Position of the node set that has its nodes.
};

/// A node's name is its row in the file, from 0. Rank r has an even block of the nodes (partition::BlockDistribution)
/// and a run of the tetrahedra, in the order of the file. Blocks and runs of the ranks follow each other. Names of sets
/// are the same on every rank.
struct MeshSlice {
  GlobalIndex all_nodes = 0, all_tets = 0;               ///< Over all ranks.
  GlobalIndex first_node = 0, first_tet = 0;             ///< Of this rank.
  std::vector<Vec3> nodes;                               ///< [m]
  std::vector<std::uint64_t> node_labels;                ///< As numbered in the file.
  std::vector<std::uint8_t> repeated;                    ///< One a node: it stands for another row, and no element has
                                                         ///< it; empty: none does.
  std::vector<std::array<GlobalIndex, 4>> tets;          ///< Rows of nodes.
  std::vector<std::uint64_t> element_labels;             ///< One a tetrahedron.
  std::vector<std::int32_t> tet_sets;                    ///< Likewise, positions in set_lists; empty: all 0.
  std::vector<std::vector<std::int32_t>> set_lists{{}};  ///< Positions in element_sets; each rank has lists of its own.
  std::vector<std::string> element_sets, node_sets;
  std::vector<FaceSetName> face_sets;
  std::vector<SetNode> set_nodes;  ///< Some of all ranks', in no order; without those that set_faces gives.
  std::vector<SetFace> set_faces;  ///< Some of all ranks', in the file's order over ranks.
  bool nodes_have_ids = false, second_order = false;  ///< As in MeshData.
};

}  // namespace sunder::mesh
