#pragma once
/// Contact with obstacles in a step whose end is searched for. docs/equilibrium.md.

#include "config/scene.hpp"
#include "contact/obstacle_contact.hpp"
#include "simulation/state.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Forces in the positions that are tried, obstacles being where they are then. A free obstacle is there already when
/// the step begins: half of what the forces at its start give goes into its momenta before it moves, half of what the
/// forces at the end give after that (velocity Verlet). Without inertia nothing has a velocity, so there is no damping
/// and no friction.
class ObstacleForces {
public:
  /// Local. Both must outlive it. rebuild() has to follow.
  ObstacleForces(const config::Scene& scene, State& state, bool inertia);

  void rebuild();  ///< Local. The mesh is another one.

  enum class At { start, end };
  /// Local. Forces on nodes in the present positions, with the obstacles at the start or at the end of the step [N].
  std::span<const Row4> find(At at);
  /// Local. What find() gave last.
  std::span<const Row4> on_nodes() const noexcept { return on_nodes_; }

  /// Collective. A step of dt to t_end is tried; find(At::start) was last.
  void begin(double t_end, double dt);
  /// Local. Minus the derivative of the forces at the end, which were found last.
  void add_tangent(const TangentOptions& options,
                   const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add) const;
  /// Collective. The step has been taken, and the forces at its end were found last: moves the obstacles, counts the
  /// work on them and the impulses.
  void accept();

  /// Collective. The longest step that lets nothing pass through an obstacle unnoticed, and keeps a free one that is
  /// touched stable [s].
  double longest_step() const;
  /// Collective. As Equilibrium::time_error(), of free obstacles; the forces at the end were found last [m].
  double time_error();

private:
  bool free(std::size_t obstacle) const { return state_.obstacles[obstacle].motion == rigid::MotionKind::free; }
  void sum_over_ranks();
  std::vector<rigid::Motion> motions(At at) const;
  void finish_free(std::size_t obstacle);
  void finish_given(std::size_t obstacle);

  const config::Scene& scene_;
  State& state_;
  const bool inertia_;
  contact::ObstacleContact contact_;
  contact::Resultants resultants_;
  std::vector<std::uint8_t> primary_;       // (slots) does this rank count the element
  std::vector<Row4> on_nodes_;              // [N]
  std::vector<rigid::Motion> end_;          // (obstacles) at the end of the step
  std::vector<contact::Resultant> before_;  // (obstacles) at its start; of all ranks for free ones
  std::vector<double> work_of_start_;       // (obstacles) on free ones, by the forces at the start [J]
  bool summed_ = false;                     // are resultants those of all ranks
  double dt_ = 0;
};

}  // namespace sunder::simulation
