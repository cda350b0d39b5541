#pragma once
/// The largest of many errors.

#include <cmath>

namespace sunder::test {

/// Local. What is not a number is worse than any, and stays: std::max() would drop it, and the check of the largest
/// error would pass.
inline void keep_worst(double& worst, double error)
{
  if (error > worst || std::isnan(error)) worst = error;
}

}  // namespace sunder::test
