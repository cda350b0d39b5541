#include "simulation/run/repartition_policy.hpp"
#include "simulation/stepping/processor_time.hpp"

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

/// A run whose checks find what is given, one after the other.
class Checks {
public:
  explicit Checks(double least_cost) : policy(every(100, 1.05), 0, least_cost) {}

  bool find(double ratio, double excess) { return policy.decide({ratio, excess}, step_ += 100); }
  /// The same n times. Returns at which of them repartitioning was due first; 0: at none.
  int find(int n, double ratio, double excess)
  {
    for (int k = 1; k <= n; ++k)
      if (find(ratio, excess)) return k;
    return 0;
  }

  RepartitionPolicy policy;

private:
  std::int64_t step_ = 0;
};

}  // namespace

TEST_CASE("the policy checks every so many steps from where the run begins, and never if it is off", "[repartition]")
{
  RepartitionPolicy policy(every(100, 1.05), 1000, 0);
  CHECK_FALSE(policy.check_due(1099));
  CHECK(policy.check_due(1100));
  policy.decide({1.0, 0.0}, 1103);  // the first step in which it could
  CHECK_FALSE(policy.check_due(1202));
  CHECK(policy.check_due(1203));
  CHECK_FALSE(RepartitionPolicy(every(100, 0), 0, 0).check_due(1000000));
}

TEST_CASE("repartitioning is due when waiting has cost more than the last one did", "[repartition]")
{
  Checks checks(0);
  CHECK(checks.find(30, 1.04, 3.0) == 0);  // balanced well enough, whatever it adds up to
  CHECK(checks.find(3, 1.06, 0.1) == 3);
  checks.policy.repartitioned(1.0);
  CHECK(checks.policy.cost() == 1);
  CHECK(checks.find(3, 1.02, 0.2) == 0);  // waiting counts all the time
  CHECK(checks.find(4, 1.06, 0.1) == 0);
  CHECK(checks.find(1.06, 0.1));
  checks.policy.repartitioned(0.5);
  CHECK(checks.find(5, 1.06, 0.1) == 0);  // what was waited for before is paid off
}

TEST_CASE("the first repartition has to pay for at least as much as set-up needed for the same", "[repartition]")
{
  CHECK(Checks(0.95).find(100, 1.06, 0.1) == 10);
}

TEST_CASE("one check alone, or two, set nothing off, whatever they find", "[repartition]")
{
  Checks checks(0);
  for (int k = 0; k < 100; ++k) {
    CHECK_FALSE(checks.find(1.0, 0.0));
    CHECK_FALSE(checks.find(3.0, 10.0));
    CHECK_FALSE(checks.find(3.0, 10.0));
  }
  CHECK(checks.find(3.0, 10.0));
}

TEST_CASE("a repartition that does not halve the imbalance makes the next one wait twice as long", "[repartition]")
{
  Checks checks(0);
  REQUIRE(checks.find(3, 1.2, 0.6) == 3);
  for (const int due : {4, 7, 14, 27}) {  // what waited longer than 2, 4, 8, 16 times the cost
    checks.policy.repartitioned(1.0);
    CHECK(checks.find(100, 1.2, 0.6) == due);
  }
  CHECK(checks.policy.patience() == 16);
  checks.policy.repartitioned(1.0);
  CHECK(checks.find(3, 1.04, 0.2) == 0);
  CHECK(checks.policy.patience() == 1);  // it has paid: the next one waits for its cost alone
  CHECK(checks.find(100, 1.2, 0.6) == 3);
}

TEST_CASE("a mesh that cannot be divided better is repartitioned ever more rarely", "[repartition]")
{
  Checks checks(0);
  int times = 0;
  for (int k = 0; k < 10000; ++k)
    if (checks.find(1.5, 0.5)) checks.policy.repartitioned(1.0), ++times;
  CHECK(times <= 13);
}

TEST_CASE("imbalance that comes back each time is repartitioned each time it has cost as much", "[repartition]")
{
  Checks checks(0);
  int times = 0;
  for (int k = 0, since = 0; k < 1000; ++k) {
    const double beyond = 0.02 * ++since;
    if (checks.find(1 + beyond, beyond)) checks.policy.repartitioned(1.0), ++times, since = 0;
  }
  CHECK(times > 80);  // about ten checks each: 0.02 + 0.04 + ... + 0.2 > 1
  CHECK(checks.policy.patience() == 1);
}

TEST_CASE("below 1, each third check repartitions, whatever it costs", "[repartition]")
{
  RepartitionPolicy policy(every(100, 0.5), 0, 1e9);
  for (std::int64_t check = 1; check < 30; ++check) {
    const bool due = policy.decide({1, 0}, 100 * check);
    CHECK(due == (check % 3 == 0));
    if (due) policy.repartitioned(1e9);
  }
}

TEST_CASE("one disturbed interval hardly changes what work costs", "[repartition]")
{
  simulation::Effort effort;
  for (int k = 0; k < 99; ++k) effort.add({10, 10e-6});
  effort.add({10, 100e-6});
  CHECK(effort.rate() == Approx(1e-6).epsilon(0.1));
  effort.add({0, 1});  // no work to show for it
  CHECK(effort.rate() == Approx(1e-6).epsilon(0.1));
}
