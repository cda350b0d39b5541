#pragma once
/// Nodes, elements and pairs with ids in place of local indices, so that they mean the same on every rank: the form in
/// which they are stored, read and migrated. Plain data.

#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/migration/element_table.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::partition {

// All are trivially copyable, so they are sent as bytes.

struct NodeRecord {
  NodeId id = 0;
  Rank owner = 0;
  std::array<double, 3> X{}, p{}, v{};  ///< [m], [m], [m/s]
  double size = 0;                      ///< Mesh size before fracture [m].
  std::uint64_t marks = 0;
  std::int64_t fragment = 0, parent_fragment = 0;  ///< element::NodeHistory
  double failure_time = 0;                         ///< Likewise [s].
  double dust_factor = 0;                          ///< Likewise.
  std::array<double, 3> a{};                       ///< element::Model::a [m/s^2]; 0 if that is empty.
};

/// The overlap of an element with another, as contact remembers it.
struct PairRecord {
  ElementId element = 0, other = 0;
  double overlap = 0, initial_overlap = 0;  ///< [m^3]
};

/// A link between the sides of a crack: the normal of element::ModelLink, then the values of its CohesiveLink.
struct LinkRecord {
  NodeId plus = 0, minus = 0;
  std::array<double, 3> normal{};
  std::array<double, 13> values{};
};

/// A face that belongs to selections of the scene. Refinement gives their marks to the nodes that it makes on the face.
template <class Index>
struct MarkedFace {
  std::array<Index, 3> nodes{};
  std::uint64_t marks = 0;
};

/// All that a rank is to hold, or what it gives others of it.
struct MigrationRecords {
  std::vector<NodeRecord> nodes;  ///< All corners of elements and faces, ascending by id.
  ElementTable elements;
  std::vector<PairRecord> pairs;          ///< Of the elements, ascending by element.
  std::vector<LinkRecord> links;          ///< Of owned nodes, ascending by both nodes.
  std::vector<MarkedFace<NodeId>> faces;  ///< Only of a mesh that is still to be refined; ascending.
};

}  // namespace sunder::partition
