#pragma once
/// Loads: forces on marked faces of the surface. docs/loads.md.

#include "config/scene.hpp"
#include "core/tangent_options.hpp"
#include "mesh/tet_mesh.hpp"
#include "simulation/reactions.hpp"

#include <functional>
#include <span>

namespace sunder::simulation {

/// The marked faces of this rank (mesh::FaceMarks, bit k: load k) and the forces on them.
class Loads {
public:
  /// Local.
  Loads(std::vector<config::Load> loads, const mesh::TetMesh& mesh);

  /// Local. Finds the marked faces again. To be called when the mesh is another one.
  void find_loaded_faces(const mesh::TetMesh& mesh);
  /// Local. Those of the elements that were made, cut or emptied, or have got other nodes; slots, ascending.
  void update_loaded_faces(const mesh::TetMesh& mesh, std::span<const LocalIndex> changed);

  /// Local. Adds the loads at time t [s] to f.xyz [N] of the corners of marked faces, a third of a face's force each:
  /// in the order of elements and, within one, of faces, so that the sum at an owned node has the same bits on any
  /// number of ranks. p [m], f: (nodes).
  void add_forces(std::span<const Row4> p, double t, std::span<Row4> f);

  /// Local. Calls add(row, column, -df_row/dp_column) for the pairs of corners of each face under pressure, in the
  /// order of add_forces(), rows of this rank's own nodes only [N/m]. A pressure follows the face: it changes with the
  /// face's area and direction, a blast's with the place, too. Where the loaded surface ends
  /// at a rim that moves, the exact tangent is not symmetric; the symmetric part is taken of each face.
  /// positive_definite: adds nothing, for what a pressure adds may be indefinite.
  /// @param p, t  those of the last add_forces()
  void add_tangent(std::span<const Row4> p, double t, TangentKind kind,
                   const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add) const;

  /// Local. Power [W] of the forces of the last add_forces() on this rank's own nodes, were their velocities v. The
  /// work of a step is dt / 2 times the sum of two powers, of the old and of the new forces, both with the velocity
  /// that carried the nodes.
  double power(std::span<const Row4> v) const;

  /// Local. Adds to each load's impulse what its forces at time t do on this rank's own nodes in dt [s]. p: positions
  /// at time t.
  void add_impulses(std::span<const Row4> p, double t, double dt, std::span<Impulse> impulses) const;

private:
  struct Face {
    LocalIndex element = -1;
    std::array<LocalIndex, 3> nodes{};  // anticlockwise seen from outside
    std::array<bool, 3> owned{};
    std::uint64_t marks = 0;
    double third = 0;           // of its undeformed area [m^2]
    Vec3 force = Vec3::Zero();  // on each corner at the last add_forces() [N]
  };

  void find_faces_of(const mesh::TetMesh& mesh, LocalIndex e);
  std::array<Mat3, 3> tangent_of(const Face& face, std::span<const Row4> p, double t) const;
  Vec3 force_of(std::size_t load, const Face& face, std::span<const Row4> p, double t) const;

  std::vector<config::Load> loads_;
  std::vector<Face> faces_;        // ascending by element
  std::vector<Vec3> tractions_;    // (loads) now
  std::vector<double> pressures_;  // (loads) now, without blasts
};

}  // namespace sunder::simulation
