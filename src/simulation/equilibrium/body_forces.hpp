#pragma once
/// Contact of bodies with each other in a step whose end is searched for. docs/equilibrium.md.

#include "config/scene.hpp"
#include "contact/trial_collisions.hpp"
#include "simulation/equilibrium/node_numbering.hpp"
#include "simulation/equilibrium/stiffness_matrix.hpp"
#include "simulation/state.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Forces in the positions that are tried, with what pairs remember of the last accepted state, and the room that they
/// take in the matrix. Nothing at all where the scene has no collisions.
class BodyForces {
public:
  /// Local. Both must outlive it. reset() has to follow.
  BodyForces(const config::Scene& scene, State& state, bool enabled);

  bool enabled() const noexcept { return enabled_; }  ///< Local.

  /// Collective. The bodies are new to this rank, in an accepted state, with the memory of their pairs.
  void reset(std::span<const partition::PairRecord> memory);
  /// Collective. They were cut in an accepted state.
  void cut(contact::Origins origins);
  void release();  ///< Local. Drops all that refers to the mesh.

  /// Collective. Forces on nodes in the present positions [N].
  std::span<const Row4> find();
  /// Local. What find() gave last.
  std::span<const Row4> on_nodes() const noexcept { return on_nodes_; }
  /// Local. The step has been taken, and the forces at its end were found last.
  void accept();
  /// Local. What pairs remember, of the elements this rank counts.
  std::vector<partition::PairRecord> memory() const;

  /// Collective. Nodes move by `moves` from p: TrialCollisions::safe_share().
  double safe_share(std::span<const Row4> p, std::span<const Row4> moves) const;

  /// Local. A step begins: only pairs that overlap from here on need room in the matrix. So its pattern is one of the
  /// step alone, also after a restart.
  void forget_pairs();
  /// Collective. Does the matrix need another pattern for the pairs that overlap now or have overlapped in this step?
  bool needs_room();
  /// Collective. Gives the numbering the nodes of other ranks that these pairs have, and returns for each pair, in
  /// ascending order, its nodes.
  std::vector<CoupledNodes> make_room(NodeNumbering& numbering);
  /// Local. Adds minus the derivative of the forces that were found last, to a matrix with room for them.
  void add_tangent(const TangentOptions& options, StiffnessMatrix& matrix) const;

private:
  using Collisions = contact::TrialCollisions;
  Collisions::Bodies bodies() const;

  const config::Scene& scene_;
  State& state_;
  const bool enabled_;
  std::optional<Collisions> collisions_;
  std::vector<Row4> on_nodes_;                              // [N]
  std::map<Collisions::Ids, Collisions::Corners> pairs_;    // that overlap, or have in this step
  std::vector<Collisions::Ids> with_room_;                  // in the matrix, ascending
};

}  // namespace sunder::simulation
