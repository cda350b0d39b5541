#pragma once
/// Fracture as a stepper needs it: when nodes are looked at, which of them fail, and the cracks that follow.

#include "config/scene.hpp"
#include "fracture/crack.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/processor_time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder::simulation {

/// In a step: screen() with the new forces, evaluate() before nodes move, crack() if evaluate() has found a failing
/// node on any rank. docs/fracture.md.
class FailureCheck {
public:
  /// Local. Both must outlive it. interval: between two checks [s].
  FailureCheck(const config::Scene& scene, State& state, double interval);

  /// Local. Is the next check due? screen() then needs bounds of tension.
  bool due() const noexcept { return scene_.fracture.enabled && state_.time >= next_check_; }
  /// Local. If it is: collects the nodes that may fail, by a bound that is cheap. Forces are current.
  void screen(ProcessorTime& spent);
  /// Local. How many of these do fail.
  std::int64_t evaluate(ProcessorTime& spent);
  /// Local. The nodes that evaluate() found to fail, ascending.
  std::span<const LocalIndex> failing() const noexcept { return nodes_; }
  /// Local. The greatest v+ / tau of these but for some, ascending; 0 if no other fails.
  double largest_ratio(std::span<const LocalIndex> but = {}) const;
  /// Collective. Splits the failing nodes, and those that fail in consequence. Nothing if no node could be split. The
  /// mesh and the halo are consistent again, and the state has counted the events.
  std::optional<fracture::CrackResult> crack() { return crack(false); }
  /// Collective. The same, but one round: what else fails waits for the caller, who evaluates it anew.
  std::optional<fracture::CrackResult> crack_one_round() { return crack(true); }

  /// Local. The mesh has other nodes: gives each a count of evaluations.
  void resize();

  double next_check() const noexcept { return next_check_; }  ///< Local. [s]
  bool warned() const noexcept { return warned_; }            ///< Local. That a step left failing nodes to the next.
  void restore(double next_check, bool warned) { next_check_ = next_check, warned_ = warned; }  ///< Local.

  /// Local. (nodes) how often each was evaluated since this was last forgotten.
  std::span<const std::uint32_t> evaluations() const noexcept { return evaluations_; }
  void forget_evaluations();  ///< Local.

private:
  std::optional<fracture::CrackResult> crack(bool one_round);

  const config::Scene& scene_;
  State& state_;
  fracture::Scratch scratch_;
  std::vector<LocalIndex> nodes_;  // owned ones that may fail; after evaluate() those that do, ascending
  std::vector<double> ratios_;     // v+ / tau of those that do
  std::vector<std::uint32_t> evaluations_;
  double interval_ = 0, next_check_ = 0;  // [s]
  bool warned_ = false;
};

}  // namespace sunder::simulation
