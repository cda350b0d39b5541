#include "simulation/run/repartition_policy.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace sunder::simulation {
namespace {

double mean(std::span<const double> x)
{
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

}  // namespace

RepartitionPolicy::RepartitionPolicy(const config::PartitionOptions& options, std::int64_t step, double least_cost)
  : options_(options), next_(step + options.rebalance_steps), cost_(least_cost)
{
}

bool RepartitionPolicy::decide(const Imbalance& found, std::int64_t step)
{
  next_ = step + options_.rebalance_steps;
  waited_ += found.excess;
  std::shift_left(latest_.begin(), latest_.end(), 1);
  latest_.back() = found.ratio - 1;
  if (++checks_ < std::ssize(latest_)) return false;
  if (checks_ == std::ssize(latest_) && before_ > 0) patience_ = mean(latest_) > before_ / 2 ? 2 * patience_ : 1;
  if (options_.rebalance < 1) return true;
  return std::ranges::min(latest_) > options_.rebalance - 1 && waited_ > patience_ * cost_;
}

void RepartitionPolicy::repartitioned(double cost)
{
  cost_ = cost;
  before_ = mean(latest_);
  waited_ = 0, checks_ = 0;
}

}  // namespace sunder::simulation
