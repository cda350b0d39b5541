#pragma once
/// The graph that partitioners cut: nodes are joined if a tetrahedron has both.

#include "mesh/mesh_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::partition {

/// Compressed rows. Index: the partitioner's own integer.
template <class Index>
struct NodalGraph {
  std::vector<Index> begin;      ///< (rows + 1)
  std::vector<Index> neighbour;  ///< Ascending in each row.
};

/// Local. Rows of nodes [first, last), from all tetrahedra that have one of them.
template <class Index>
NodalGraph<Index> nodal_graph(std::span<const std::array<GlobalIndex, 4>> tets, GlobalIndex first, GlobalIndex last)
{
  const auto rows = static_cast<std::size_t>(last - first);
  const auto in_rows = [&](GlobalIndex q) { return q >= first && q < last; };
  std::vector<std::size_t> slot(rows + 1, 0);
  for (const auto& tet : tets)
    for (const GlobalIndex q : tet)
      if (in_rows(q)) slot[static_cast<std::size_t>(q - first) + 1] += 3;
  for (std::size_t q = 0; q < rows; ++q) slot[q + 1] += slot[q];
  std::vector<Index> all(slot[rows]);
  auto next = slot;
  for (const auto& tet : tets)
    for (const GlobalIndex q : tet)
      for (const GlobalIndex r : tet)
        if (in_rows(q) && q != r) all[next[static_cast<std::size_t>(q - first)]++] = static_cast<Index>(r);
  NodalGraph<Index> graph;
  graph.begin.reserve(rows + 1), graph.begin.push_back(0);
  auto end = all.begin();
  for (std::size_t q = 0; q < rows; ++q) {  // unique neighbours, moved up in place
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(slot[q]),
               to = all.begin() + static_cast<std::ptrdiff_t>(slot[q + 1]);
    std::sort(from, to);
    end = std::copy(from, std::unique(from, to), end);
    graph.begin.push_back(static_cast<Index>(end - all.begin()));
  }
  all.erase(end, all.end());
  graph.neighbour = std::move(all);
  return graph;
}

/// Local. Elements around each node once they are divided into eight `levels` times (empty: not at all), as a share of
/// what a partitioner can add up in 32 bits.
template <class Index>
std::vector<Index> node_weights(const mesh::MeshData& mesh, std::span<const std::uint8_t> levels)
{
  std::vector<double> work(mesh.nodes.size(), 0);
  double total = 0;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const double parts = levels.empty() ? 1 : std::exp2(3 * levels[e]);
    for (const GlobalIndex q : mesh.tets[e]) work[static_cast<std::size_t>(q)] += parts, total += parts;
  }
  const double unit = std::max(1.0, total / (1 << 30));
  std::vector<Index> weights;
  weights.reserve(work.size());
  for (const double w : work) weights.push_back(std::max(Index{1}, static_cast<Index>(w / unit)));
  return weights;
}

}  // namespace sunder::partition
