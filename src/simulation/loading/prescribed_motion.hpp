#pragma once
/// Boundary conditions: nodes whose motion is given, per axis, over time. docs/loads.md.

#include "config/scene.hpp"
#include "element/model.hpp"
#include "simulation/reactions.hpp"

#include <span>

namespace sunder::simulation {

/// How a condition moves nodes in one step, on average: the steps of a rotation or displacement add up to it exactly.
struct StepMotion {
  Vec3 velocity = Vec3::Zero();  ///< [m/s]
  bool turns = false;
  Mat3 turning = Mat3::Zero();  ///< Change of the rotation over the step's length [1/s]
  Vec3 center = Vec3::Zero();   ///< [m]

  /// Of the node whose material position is X, where it was at the start.
  Vec3 velocity_of(const Vec3& X) const { return turns ? Vec3(velocity + turning * (X - center)) : velocity; }
};

/// Local. Does the condition still hold in a step that begins at time t [s]?
bool holds_at(const config::BoundaryCondition& condition, double t);

/// Local. The first time after t at which some condition ends [s]; infinite if none does.
double next_release(const std::vector<config::BoundaryCondition>& conditions, double t);

/// Local. From t to t + dt [s].
StepMotion step_motion(const config::BoundaryCondition& condition, double t, double dt);

/// The nodes of this rank that some condition holds, and the work it takes to hold them.
class PrescribedMotion {
public:
  /// Local. Where two conditions hold the same axis of a node, the later one in the scene wins.
  PrescribedMotion(std::vector<config::BoundaryCondition> conditions, const mesh::TetMesh& mesh);

  /// Local. Finds the held nodes again. To be called when the mesh is another one.
  void find_prescribed_nodes(const mesh::TetMesh& mesh);
  /// Local. Adds those of the nodes that the mesh has got since. Others stay as they are.
  void add_new_nodes(const mesh::TetMesh& mesh);

  /// Local. To call before the nodes are moved by their forces: remembers where held nodes are.
  void before_step(const element::Model& model);
  /// Local. To call after that: gives held nodes the prescribed velocity of the step from t to t + dt, and moves them
  /// with it from where they were. Returns the greatest speed of a held node [m/s].
  /// @param impulses  (conditions) get what it took: mass times the change of velocity beyond what forces gave, on the
  ///                  axes that the condition decides
  double after_step(element::Model& model, double t, double dt, std::span<Impulse> impulses);

  /// Where a step ends for a node.
  struct Target {
    LocalIndex node = -1;
    Vec3 position = Vec3::Zero();              ///< Of the axes that are held [m].
    std::array<int, 3> condition{-1, -1, -1};  ///< That decides each axis; -1: none, the axis is free.
  };
  /// Local. Of this rank's held nodes, in a step from t to t + dt that begins in the present state. With dt = 0 they
  /// stay where they are.
  std::vector<Target> targets(const element::Model& model, double t, double dt) const;

  /// Local. Which components of the motion of a node with these marks are held in a step that begins at time t [s].
  std::array<bool, 3> prescribed_axes(std::uint64_t marks, double t) const;

  /// [J] Work done on this rank's own nodes so far: change of kinetic energy beyond what the nodes' forces gave.
  double work() const noexcept { return work_; }

  /// Local. [J] Work that holding this rank's nodes does in the last `half` [s] before time t, with the present forces.
  /// work() counts it with the next step; energies of the present positions need it now.
  double work_ahead(const element::Model& model, const Vec3& gravity, double half, double t) const;

private:
  using OfAxes = std::array<int, 3>;  // which condition decides each axis; -1: none
  struct PrescribedNode {
    LocalIndex node;
    OfAxes condition;
    Row4 p, v;  // before the step
  };
  std::uint64_t holding(double t) const;
  OfAxes deciding(std::uint64_t marks) const;
  void assign_conditions(const mesh::TetMesh& mesh, double t);

  std::vector<config::BoundaryCondition> conditions_;
  std::vector<StepMotion> motions_;    // (conditions) of this step
  std::vector<PrescribedNode> nodes_;  // ascending
  std::uint64_t holding_ = 0;          // bit k: condition k holds, for the conditions of nodes_
  std::size_t assigned_ = 0;           // of nodes_, the first so many have their conditions
  LocalIndex looked_at_ = 0;           // of all nodes, the first so many
  double work_ = 0;
};

}  // namespace sunder::simulation
