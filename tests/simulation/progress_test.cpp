#include "simulation/run/progress.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace sunder;
using namespace sunder::simulation;

namespace {

/// Of a run to the end that was so long [s] on its way from one to the other.
double left(const Reached& end, const Reached& from, double seconds, const Reached& now)
{
  Pace pace(share_of(end, from));
  pace.update(seconds, share_of(end, now));
  return pace.seconds_left();
}

}  // namespace

TEST_CASE("time left is that of this run's own way, to the time or the step where it ends", "[progress]")
{
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  const Reached end{10, never};
  // a tenth of the way in 5 s, from the start and gone on from 0.8 of it
  CHECK(left(end, {0, 0}, 5, {1, 70}) == Approx(45));
  CHECK(left(end, {8, 560}, 5, {9, 630}) == Approx(5));
  // --steps 100, long before the end of time
  CHECK(left({10, 100}, {0, 0}, 5, {0.01, 20}) == Approx(20));
  CHECK(left({10, 100}, {0.01, 20}, 5, {0.02, 40}) == Approx(15));
  CHECK(std::isinf(left(end, {5, 10}, 5, {5, 10})));
  CHECK(share_of(end, {10.1, 700}) == 1);
}

TEST_CASE("time left follows a run that slows down", "[progress]")
{
  Pace even(0), slowed(0);
  double share = 0;
  for (int second = 1; second <= 100; ++second) {
    share += second <= 50 ? 0.01 : 0.001;  // ten times slower from 50 s on
    even.update(second, 0.001 * second), slowed.update(second, share);
  }
  CHECK(even.seconds_left() == Approx(900));
  CHECK(slowed.seconds_left() == Approx((1 - share) / 0.001).epsilon(0.25));  // by the mean of the whole run 82 s
}
