#pragma once
/// What a law measured, for jobs/validate to report.

#include "core/comm.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>

namespace sunder::test {

/// Local. Checks `found` against `expected` within the share `tolerance` of it; rank 0 says so in a line that
/// jobs/validate reads.
inline void measured(const std::string& quantity, double found, double expected, double tolerance, const char* unit)
{
  if (Comm().rank() == 0)
    fmt::print("measured | {} | {:.4g} | {:.4g} | {:+.1f} % | {:.0f} % | {}\n", quantity, found, expected,
               100 * (found / expected - 1), 100 * tolerance, unit);
  CAPTURE(quantity);
  CHECK(found == Approx(expected).epsilon(tolerance));
}

}  // namespace sunder::test
