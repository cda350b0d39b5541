#pragma once
/// A mesh that all ranks hold together before it is cut: in even blocks, numbered along the Hilbert curve.

#include "core/comm.hpp"
#include "partition/rows.hpp"
#include "partition/sort_evenly.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

// All plain, so that they travel as they are.

struct SlicedNode {
  std::uint64_t key = 0;           ///< Position along the curve.
  std::uint64_t position = 0;      ///< place_in_input(): settles what is at the same place along the curve.
  GlobalIndex number = 0;          ///< Before it is ordered: its row.
  std::uint64_t label = 0;         ///< In its file.
  std::array<double, 3> X{}, v{};  ///< [m], [m/s]
  std::uint64_t marks = 0;

  SortKey order() const { return {key, position}; }
};

struct SlicedElement {
  std::uint64_t key = 0, position = 0, label = 0;  ///< As of nodes, the key that of its centroid.
  std::array<GlobalIndex, 4> nodes{};              ///< Numbers.
  MaterialIndex material = 0;
  std::uint8_t level = 0;

  SortKey order() const { return {key, position}; }
};

/// Bodies follow each other, each with the rows of its file.
inline constexpr int body_shift = 44;
inline std::uint64_t place_in_input(std::size_t body, GlobalIndex row)
{
  return static_cast<std::uint64_t>(body) << body_shift | static_cast<std::uint64_t>(row);
}
inline std::size_t body_of(std::uint64_t position)
{
  return static_cast<std::size_t>(position >> body_shift);
}

/// What one rank has of a body, in the order of its file. The nodes' rows are dealt out in even blocks; rows that no
/// element uses have no node. Elements and faces name nodes by row.
struct BodySlice {
  BlockDistribution rows;
  std::vector<SlicedNode> nodes;
  std::vector<SlicedElement> elements;
  std::vector<MarkedFace<GlobalIndex>> faces;
};

/// Nodes and elements sorted along the curve, in even blocks; their numbers, the ids of the run, are their places.
/// Faces anywhere.
struct SlicedMesh {
  BlockDistribution node_blocks, element_blocks;
  std::vector<SlicedNode> nodes;
  std::vector<SlicedElement> elements;
  std::vector<MarkedFace<GlobalIndex>> faces;
};

/// Collective. What order_along_hilbert() does with a whole mesh, to the same numbers. centroids: of each body's
/// elements, as order_along_hilbert() adds them up. Faces with a node that no element uses are dropped.
SlicedMesh order_along_hilbert(const Comm& comm, std::vector<BodySlice> bodies,
                               std::vector<std::vector<Vec3>> centroids);

/// Collective. Adds nodes, as many as `added` over all ranks: their numbers follow those there are, and elements and
/// faces that are to have them name them so. Then numbers all nodes anew, along the curve.
void add_nodes(const Comm& comm, SlicedMesh& mesh, std::span<const SlicedNode> more, GlobalIndex added);

}  // namespace sunder::partition
