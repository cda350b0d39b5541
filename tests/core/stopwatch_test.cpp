#include "core/stopwatch.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

void wait(double seconds)
{
  for (const double begin = MPI_Wtime(); MPI_Wtime() - begin < seconds;) {
  }
}

}  // namespace

TEST_CASE("a phase within another pauses it, and a second counts once", "[core]")
{
  double all = 0, outer = 0, inner = 0;
  {
    const Stopwatch watch(all);
    const PhaseStopwatch of_outer(outer);
    {
      const PhaseStopwatch of_inner(inner);
      wait(0.02);
    }
    wait(0.01);
    {
      const PhaseStopwatch again(inner);
      wait(0.01);
    }
  }
  CHECK(inner >= 0.03);
  CHECK(outer >= 0.01);
  CHECK(outer + inner <= all);
}
