#pragma once
/// Which nodes a boundary condition holds, and on which faces a load acts.

#include "config/scene.hpp"
#include "partition/halo/halo.hpp"
#include "partition/migration/migration_records.hpp"

#include <span>

namespace sunder::simulation {

/// How far beyond the border of a place of this size a point is still in it, so that a box that ends on a face takes
/// the face's nodes whatever digits a file has of them. Grows with |x|.
double slack(double size, const Vec3& x);

/// Local. Is the point in the box, ball and cylinder of a selection, as far as it has them? A side asks for elements.
bool inside(const config::Selection& where, const Vec3& x);

/// Local. Is the centroid of an element with these corners on that side?
bool is_on_side(const config::Selection::Side& side, const std::array<Vec3, 4>& corners);

/// A selection of the scene and the path of its key.
struct Selecting {
  std::string path;
  const config::Selection* where = nullptr;
  bool of_load = false;  ///< Its side is asked of the elements of faces, not of nodes.
};

/// Local. Those of boundary conditions, then those of loads. Number k is bit k of the marks of nodes.
std::vector<Selecting> selections(const config::Scene& scene);

/// Local. What is said of a selection that is empty.
std::string no_node_in(const config::Selection& where);
std::string no_face_in(const config::Selection& where);

/// Collective. Of the nodes that selection k names by body and set (bit k of their marks), keeps those in its place;
/// ghosts get their owner's marks. Throws Error on every rank if a selection has no node at all.
void select_by_place(const std::vector<Selecting>& selections, const partition::Halo& halo, mesh::TetMesh& mesh);

/// Collective on neighbours. Marks of ghosts are again those of their owners.
void owners_marks_to_ghosts(const partition::Halo& halo, mesh::TetMesh& mesh);

/// Collective on neighbours. Gives the faces of elements the marks of the face sets they belong to, bit k for selection
/// k, the same on every rank that holds the element. faces: those of which this rank owns a node.
void mark_face_sets(std::span<const partition::MarkedFace<LocalIndex>> faces, const partition::Halo& halo,
                    mesh::TetMesh& mesh);

/// Collective; call after mark_face_sets(). Faces get their marks for good (mesh::FaceMarks): bit k for load k where
/// the face is free, its three nodes are selected, its element is on the load's side and, if the load names a face set
/// (surface_marks: bits of these), it belongs to that; then those of the face sets of boundary conditions. Takes the
/// marks of loads off the nodes, which leaves those of held nodes. Throws Error on every rank if a load has no face.
void select_loaded_faces(const config::Scene& scene, std::uint64_t surface_marks, const partition::Halo& halo,
                         mesh::TetMesh& mesh);

/// Collective. Tells the mesh which marks of nodes are those of face sets: what some face has. Faces with marks never
/// vanish, so that a run that goes on finds the same.
void find_face_sets(const config::Scene& scene, const Comm& comm, mesh::TetMesh& mesh);

}  // namespace sunder::simulation
