#pragma once
/// The graph that partitioners decompose: its vertices are nodes, two of them joined if a tetrahedron has both.

#include "core/types.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace sunder::partition {

/// Compressed sparse rows. Index: the integer type of the partitioner.
template <class Index>
struct NodalGraph {
  std::vector<Index> begin;      ///< (rows + 1)
  std::vector<Index> neighbour;  ///< Ascending in each row.
};

/// Local. Makes the graph of nodes [first, first + rows). corners(row, out) appends the corners of the elements around
/// a row's node; the node itself and repeated entries are allowed.
template <class Index, class Corners>
NodalGraph<Index> graph_of_rows(GlobalIndex first, std::size_t rows, const Corners& corners)
{
  constexpr std::size_t usual = 15;  // neighbours a node; what is not written costs nothing
  NodalGraph<Index> graph;
  graph.begin.reserve(rows + 1), graph.begin.push_back(0);
  graph.neighbour.reserve(usual * rows);
  std::vector<GlobalIndex> around;
  for (std::size_t q = 0; q < rows; ++q) {
    around.clear();
    corners(q, around);
    std::sort(around.begin(), around.end());
    const auto end = std::unique(around.begin(), around.end());
    for (auto r = around.begin(); r != end; ++r)
      if (*r != first + static_cast<GlobalIndex>(q)) graph.neighbour.push_back(static_cast<Index>(*r));
    graph.begin.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

/// The tetrahedra around each node of a block. Refers to the tetrahedra it was made from, which must outlive it.
class TetsAround {
public:
  /// Local. The block has nodes [first, first + rows).
  TetsAround(std::span<const std::array<GlobalIndex, 4>> tets, GlobalIndex first, std::size_t rows);

  /// Local. Appends the corners of the tetrahedra around a row's node to out.
  void corners(std::size_t row, std::vector<GlobalIndex>& out) const
  {
    for (std::size_t k = begin_[row]; k < begin_[row + 1]; ++k)
      out.insert(out.end(), tets_[tet_[k]].begin(), tets_[tet_[k]].end());
  }

private:
  std::span<const std::array<GlobalIndex, 4>> tets_;
  std::vector<std::size_t> begin_;  // (rows + 1)
  std::vector<std::uint32_t> tet_;
};

/// Local. The graph of nodes [first, last). tets: all tetrahedra that have one of them.
template <class Index>
NodalGraph<Index> nodal_graph(std::span<const std::array<GlobalIndex, 4>> tets, GlobalIndex first, GlobalIndex last)
{
  const auto rows = static_cast<std::size_t>(last - first);
  const TetsAround around(tets, first, rows);
  return graph_of_rows<Index>(first, rows,
                              [&around](std::size_t row, std::vector<GlobalIndex>& out) { around.corners(row, out); });
}

}  // namespace sunder::partition
