#pragma once
/// A mesh before it is decomposed, which all ranks hold together: each an even block of it, numbered along the Hilbert
/// curve.

#include "core/comm.hpp"
#include "partition/across_ranks/sort_evenly.hpp"
#include "partition/distribute/rows.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

// All are trivially copyable, so they are sent as bytes.

struct SlicedNode {
  std::uint64_t key = 0;           ///< Position along the curve.
  std::uint64_t position = 0;      ///< place_in_input(): decides the order of equal keys.
  GlobalIndex number = 0;          ///< Its place along the curve; its row, before it is ordered.
  std::uint64_t label = 0;         ///< Its number in the file.
  std::array<double, 3> X{}, v{};  ///< [m], [m/s]
  std::uint64_t marks = 0;

  SortKey order() const { return {key, position}; }
};

struct SlicedElement {
  std::uint64_t key = 0, position = 0, label = 0;  ///< As for nodes; key: of the centroid.
  std::array<GlobalIndex, 4> nodes{};              ///< Numbers of nodes.
  MaterialIndex material = 0;
  std::uint8_t level = 0;

  SortKey order() const { return {key, position}; }
};

/// Place in the input: the bits from body_shift on are the body, the lower ones its row in the body's file.
inline constexpr int body_shift = 44;
inline std::uint64_t place_in_input(std::size_t body, GlobalIndex row)
{
  return static_cast<std::uint64_t>(body) << body_shift | static_cast<std::uint64_t>(row);
}
inline std::size_t body_of(std::uint64_t position)
{
  return static_cast<std::size_t>(position >> body_shift);
}

/// One rank's slice of a body, in the order of the body's file. Rows of nodes are dealt out in even blocks; a row that
/// no element uses has no node here. Elements and faces name nodes by row.
struct BodySlice {
  BlockDistribution rows;
  std::vector<SlicedNode> nodes;
  std::vector<SlicedElement> elements;
  std::vector<MarkedFace<GlobalIndex>> faces;
};

/// Nodes and elements, each sorted along the curve and in even blocks. Their numbers are their places, and become the
/// ids of the run. Faces are on any rank.
struct SlicedMesh {
  BlockDistribution node_blocks, element_blocks;
  std::vector<SlicedNode> nodes;
  std::vector<SlicedElement> elements;
  std::vector<MarkedFace<GlobalIndex>> faces;
};

/// Collective. Does with a mesh in slices what order_along_hilbert() of hilbert.hpp does with a whole mesh, and gives
/// the same numbers. centroids: (bodies, elements), rounded as there. Faces with a node that no element uses are
/// dropped.
SlicedMesh order_along_hilbert(const Comm& comm, std::vector<BodySlice> bodies,
                               std::vector<std::vector<Vec3>> centroids);

/// Collective. Adds nodes, and numbers all nodes anew along the curve. The numbers of `more` follow those of the nodes
/// already there; elements and faces must use these numbers already. added: size of `more`, summed over ranks.
void add_nodes(const Comm& comm, SlicedMesh& mesh, std::span<const SlicedNode> more, GlobalIndex added);

}  // namespace sunder::partition
