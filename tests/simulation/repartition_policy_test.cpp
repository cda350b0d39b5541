#include "simulation/run/repartition_policy.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using simulation::RepartitionPolicy;

namespace {

config::PartitionOptions every(std::int64_t steps, double rebalance)
{
  config::PartitionOptions options;
  options.rebalance = rebalance, options.rebalance_steps = steps;
  return options;
}

}  // namespace

TEST_CASE("the policy checks every so many steps from where the run begins, and never if it is off", "[repartition]")
{
  RepartitionPolicy policy(every(100, 1.05), 1000);
  CHECK_FALSE(policy.check_due(1099));
  CHECK(policy.check_due(1100));
  policy.decide({1.0, 0.0}, 1103);  // the first step in which it could
  CHECK_FALSE(policy.check_due(1202));
  CHECK(policy.check_due(1203));
  CHECK_FALSE(RepartitionPolicy(every(100, 0), 0).check_due(1000000));
}

TEST_CASE("repartitioning is due when waiting has cost more than the last one did", "[repartition]")
{
  RepartitionPolicy policy(every(100, 1.05), 0);
  CHECK_FALSE(policy.decide({1.04, 3.0}, 100));  // balanced well enough, whatever it adds up to
  CHECK(policy.decide({1.06, 0.1}, 200));        // what it costs is not known yet
  policy.repartitioned(1.0);
  CHECK(policy.cost() == 1);
  CHECK_FALSE(policy.decide({1.5, 0.6}, 300));
  CHECK_FALSE(policy.decide({1.02, 0.3}, 400));  // waiting counts all the time
  CHECK(policy.decide({1.06, 0.2}, 500));
  policy.repartitioned(0.5);
  CHECK_FALSE(policy.decide({2.0, 0.5}, 600));  // what was waited for before is paid off
  CHECK(policy.decide({2.0, 0.01}, 700));
}
