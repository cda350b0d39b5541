#pragma once
/// The same elements in other lanes of other blocks.

#include "random_element.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace sunder::element::testing {

struct BlockCase {
  Mat34 X, p, v;
  MaterialIndex material;
};

/// How cases stand in blocks: one after the other from case `shift` on, or each alone in a block, in lane shift %
/// lanes, so that its block is uniform and padded.
struct Places {
  std::size_t shift = 0;
  bool alone = false;
};

/// Four rows of forces for each case, whatever their places. Then calls visit(bench, element, position in cases) with
/// each.
inline std::vector<Row4> rows_of(
    const std::vector<BlockCase>& cases, const std::vector<material::Material>& materials, bool plastic, Places places,
    const std::function<void(const Bench&, LocalIndex, std::size_t)>& visit = [](auto&&...) {})
{
  Bench bench(materials, plastic);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const BlockCase& c = cases[(i + places.shift) % cases.size()];
    while (places.alone && bench.blocks.size() % lanes != static_cast<LocalIndex>(places.shift % lanes)) {
      const Mat34 X = regular_tet(0.1);
      bench.blocks.clear(bench.add(X, X, Mat34::Zero()));
    }
    bench.add(c.X, c.p, c.v, c.material, 0.7);
    if (places.alone)
      while (bench.blocks.size() % lanes != 0) bench.blocks.clear(bench.add(c.X, c.X, c.v));
  }
  bench.run();
  std::vector<Row4> rows(4 * cases.size());
  std::size_t i = 0;
  for (LocalIndex e = 0; e < bench.blocks.size(); ++e) {
    if (!(bench.blocks.volume(e) > 0)) continue;
    const std::size_t at = (i++ + places.shift) % cases.size();
    for (int a = 0; a < 4; ++a) rows[4 * at + static_cast<std::size_t>(a)] = bench.row(e, a);
    visit(bench, e, at);
  }
  return rows;
}

}  // namespace sunder::element::testing
