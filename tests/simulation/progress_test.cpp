#include "simulation/run/progress.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace sunder;
using namespace sunder::simulation;

TEST_CASE("time left is that of this run's own way, to the time or the step where it ends", "[progress]")
{
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  const Reached end{10, never};
  // a tenth of the way in 5 s, from the start and gone on from 0.8 of it
  CHECK(seconds_left(5, share_of(end, {0, 0}), share_of(end, {1, 70})) == Approx(45));
  CHECK(seconds_left(5, share_of(end, {8, 560}), share_of(end, {9, 630})) == Approx(5));
  // --steps 100, long before the end of time
  CHECK(seconds_left(5, share_of({10, 100}, {0, 0}), share_of({10, 100}, {0.01, 20})) == Approx(20));
  CHECK(seconds_left(5, share_of({10, 100}, {0.01, 20}), share_of({10, 100}, {0.02, 40})) == Approx(15));
  CHECK(std::isinf(seconds_left(5, 0.5, 0.5)));
  CHECK(share_of(end, {10.1, 700}) == 1);
}
