#pragma once
/// The decision to repartition. Local, all of it: ranks that are told the same decide the same.

#include "config/scene.hpp"
#include "simulation/diagnostics/partition_statistics.hpp"

#include <array>
#include <cstdint>

namespace sunder::simulation {

/// Checks the imbalance of work every so many steps. Repartitioning is due when two things hold: in each of the last
/// three checks the busiest rank had more than `rebalance` times the mean, and the time that the others have waited for
/// it since the last repartition exceeds what that repartition cost. Earlier, more time would be spent on
/// repartitioning than on waiting; later, on waiting than on repartitioning. One check alone shows what may be over
/// before elements have migrated: an impact that moves on, or a clock that was disturbed.
///
/// The three checks after a repartition judge it. If it has not halved the imbalance that it was made for, the next one
/// has to wait twice as long as this one had to: a mesh that cannot be divided better, or contact that moves faster
/// than work can follow, would be repartitioned again and again for nothing.
///
/// With `rebalance` below 1, which no ratio is, every third check repartitions, whatever it costs: for tests.
class RepartitionPolicy {
public:
  /// step: at which the run begins. least_cost: of the first repartition [s of a processor].
  RepartitionPolicy(const config::PartitionOptions& options, std::int64_t step, double least_cost);

  bool check_due(std::int64_t step) const noexcept { return options_.rebalance > 0 && step >= next_; }
  /// Is repartitioning due? To be called once for each check, with the imbalance since the last one.
  bool decide(const Imbalance& found, std::int64_t step);
  /// It was done, or tried in vain. cost: of a rank, in the mean [s of its processor].
  void repartitioned(double cost);

  double cost() const noexcept { return cost_; }  ///< Of the last repartition, or the least one of the first. [s]
  /// How many times its cost has to have been waited for before the next one.
  double patience() const noexcept { return patience_; }

private:
  config::PartitionOptions options_;
  std::int64_t next_;
  double cost_;
  double waited_ = 0;  // since the last repartition, for the busiest rank [s of the processor]
  double patience_ = 1;
  // What the busiest rank has beyond the mean, over the mean:
  std::array<double, 3> latest_{};  // in the last checks
  std::int64_t checks_ = 0;         // since the last repartition
  double before_ = 0;               // when it was decided; 0 before the first
};

}  // namespace sunder::simulation
