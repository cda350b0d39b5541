#include "partition/refine/bey.hpp"

#include <algorithm>
#include <limits>

namespace sunder::partition {

std::array<std::size_t, 4> best_order(const std::array<Vec3, 4>& X)
{
  constexpr std::array<std::array<std::size_t, 4>, 3> orders{{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}}};
  std::array<std::size_t, 4> best = orders[0];
  double least = std::numeric_limits<double>::infinity();
  for (const auto& order : orders) {
    const auto x = with_middles<Vec3>({X[order[0]], X[order[1]], X[order[2]], X[order[3]]});
    double worst = 0;
    for (std::size_t child = 4; child < 8; ++child) {
      double squares = 0;
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = a + 1; b < 4; ++b)
          squares += (x[bey_children[child][a]] - x[bey_children[child][b]]).squaredNorm();
      worst = std::max(worst, squares);
    }
    if (worst < least) least = worst, best = order;
  }
  return best;
}

}  // namespace sunder::partition
