#include "simulation/run/repartition_policy.hpp"

namespace sunder::simulation {

RepartitionPolicy::RepartitionPolicy(const config::PartitionOptions& options, std::int64_t step)
  : options_(options), next_(step + options.rebalance_steps)
{
}

bool RepartitionPolicy::decide(const Imbalance& found, std::int64_t step)
{
  waited_ += found.excess;
  next_ = step + options_.rebalance_steps;
  return found.ratio > options_.rebalance && waited_ > cost_;
}

void RepartitionPolicy::repartitioned(double cost)
{
  cost_ = cost;
  waited_ = 0;
}

}  // namespace sunder::simulation
