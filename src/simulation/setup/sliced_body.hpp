#pragma once
/// A body of the scene whose mesh all ranks have together, each its slice of the file.

#include "config/scene.hpp"
#include "mesh/mesh_slice.hpp"
#include "partition/slices/fault_tally.hpp"
#include "partition/slices/sliced_mesh.hpp"
#include "simulation/setup/set_marks.hpp"

namespace sunder::simulation {

/// Collective. The mesh of a body: read in slices where its file can be, else read or made by rank 0 and dealt out.
/// Throws Error on every rank.
mesh::MeshSlice load_slice(const Comm& comm, const config::Body& body);

/// A body in the world, still in the order of its file.
struct PlacedSlice {
  partition::BodySlice slice;
  std::vector<Vec3> centroids;               ///< Of its elements.
  std::vector<partition::Finding> findings;  ///< Everything mesh::check_mesh() finds but what is joined to what.
  std::uint64_t surface_marks = 0;           ///< Marks that only faces pass on to new nodes.
};

/// What place_slice() is to know of a body.
struct SlicedBody {
  std::size_t number = 0;  ///< In the scene.
  const config::Body* body = nullptr;
  const std::vector<material::Material>* materials = nullptr;   ///< Of the model.
  const std::vector<MaterialIndex>* placed_material = nullptr;  ///< PlacedMaterials::of_body.
};

/// Collective. Turns elements round that are all inverted, drops nodes no element uses; places, marks (marks: of this
/// body's sets) and sets in motion what is left. Throws Error on every rank for a region that is no set.
PlacedSlice place_slice(const Comm& comm, const SlicedBody& body, mesh::MeshSlice slice, const BodyMarks& marks);

}  // namespace sunder::simulation
