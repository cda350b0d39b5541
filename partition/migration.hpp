#pragma once
/// Parts of the bodies in terms that no rank and no number of ranks changes: how they are stored, read and migrate.

#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/element_table.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::partition {

// All plain, so that they travel as they are.

struct NodeRecord {
  NodeId id = 0;
  Rank owner = 0;
  std::array<double, 3> X{}, p{}, v{};  ///< [m], [m], [m/s]
  double size = 0;
  std::uint64_t marks = 0;
};

/// What an element remembers of another that it overlaps.
struct PairRecord {
  ElementId element = 0, other = 0;
  double overlap = 0, initial_overlap = 0;  ///< [m^3]
};

/// A face that belongs to selections of the scene: refinement gives their marks to the nodes it makes on it.
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
  std::vector<MarkedFace<NodeId>> faces;  ///< Of a mesh that is still to be refined; ascending.
};

/// Collective. Brings each element with its corners and pairs, and each face, to every rank that owns one of its nodes.
/// Each is on exactly one rank before; the nodes' owners say where to. Returns what this rank is to hold.
MigrationRecords migrate(const Comm& comm, const MigrationRecords& mine);

/// Local. The mesh of what rank `me` is to hold: entry by entry the nodes and elements of the records. Takes the
/// elements out of them, so that they and the mesh are never there at once.
mesh::TetMesh mesh_of(Rank me, MigrationRecords& records);

}  // namespace sunder::partition
