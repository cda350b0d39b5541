#pragma once
/// Records that go to other ranks, and the mesh of those that have come.

#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/migration/migration_records.hpp"

namespace sunder::partition {

/// Collective. Sends each element, with its corners and pairs, and each face to every rank that owns one of its nodes,
/// by the owners in the records of nodes. Before, each element is on exactly one rank. Returns what this rank is to
/// hold.
MigrationRecords migrate_records(const Comm& comm, const MigrationRecords& mine);

/// Local. Makes the mesh of rank `me`, entry by entry of the nodes and elements of the records. Empties the elements of
/// the records on the way, to save memory.
mesh::TetMesh mesh_of(Rank me, MigrationRecords& records);

}  // namespace sunder::partition
