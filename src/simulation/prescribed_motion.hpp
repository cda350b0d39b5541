#pragma once
/// Boundary conditions: nodes whose velocity is given, per axis, over time.

#include "config/scene.hpp"
#include "element/model.hpp"

namespace sunder::simulation {

/// The nodes of this rank that some condition holds, and the work it takes to hold them.
class PrescribedMotion {
public:
  /// Local. Where two conditions hold the same axis of a node, the later one in the scene wins.
  PrescribedMotion(std::vector<config::BoundaryCondition> conditions, const mesh::TetMesh& mesh);

  /// Local. Looks for held nodes anew: after the mesh has changed.
  void mesh_changed(const mesh::TetMesh& mesh);

  /// Local. To call before and after the nodes are moved by their forces: puts the prescribed velocity of the middle of
  /// the step in place of theirs and moves them from where they were. Returns the greatest speed of a held node [m/s].
  void before_step(const element::Model& model);
  double after_step(element::Model& model, double t, double dt);

  /// [J] Work done on this rank's own nodes so far: change of kinetic energy beyond what the nodes' forces gave.
  double work() const noexcept { return work_; }

private:
  struct Held {
    LocalIndex node;
    Row4 p, v;  // before the step
  };
  std::vector<config::BoundaryCondition> conditions_;
  std::vector<Held> held_;
  double work_ = 0;
};

}  // namespace sunder::simulation
