#pragma once
/// The decision to repartition. Local, all of it: ranks that are told the same decide the same.

#include "config/scene.hpp"
#include "simulation/diagnostics/partition_statistics.hpp"

#include <cstdint>

namespace sunder::simulation {

/// Checks the imbalance of work every so many steps. Repartitioning is due when two things hold: the busiest rank has
/// more than `rebalance` times the mean, and the time that the others have waited for it since the last repartition
/// exceeds what that repartition cost. Earlier, more time would be spent on repartitioning than on waiting; later, on
/// waiting than on repartitioning.
class RepartitionPolicy {
public:
  /// step: at which the run begins.
  RepartitionPolicy(const config::PartitionOptions& options, std::int64_t step);

  bool check_due(std::int64_t step) const noexcept { return options_.rebalance > 0 && step >= next_; }
  /// Is repartitioning due? To be called once for each check, with the imbalance since the last one.
  bool decide(const Imbalance& found, std::int64_t step);
  /// It was done, or tried in vain. cost: of a rank, in the mean [s of its processor].
  void repartitioned(double cost);

  double cost() const noexcept { return cost_; }  ///< Of the last repartition; 0 before the first. [s]

private:
  config::PartitionOptions options_;
  std::int64_t next_;
  double cost_ = 0;
  double waited_ = 0;  // since then, for the busiest rank [s of the processor]
};

}  // namespace sunder::simulation
