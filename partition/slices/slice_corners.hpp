#pragma once
/// Positions of the corners of a slice's elements. Other ranks may have most of these nodes.

#include "core/sort_unique.hpp"
#include "mesh/mesh_slice.hpp"
#include "partition/across_ranks/fetch.hpp"

namespace sunder::partition {

/// Collective. Calls visit(e, corners) for each tetrahedron of this rank's slice, in order. corners: their positions as
/// the file gives them [m]. used: (nodes of this rank's block) set to 1 if an element of any rank has the node.
template <class Visit>
void visit_corners(const Comm& comm, const mesh::MeshSlice& slice, std::vector<std::uint8_t>& used, Visit&& visit)
{
  const BlockDistribution rows{slice.all_nodes, comm.size()};
  const std::size_t batches = batches_of(comm, slice.tets.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t first = std::min(batch * rows_at_once, slice.tets.size()),
                      last = std::min(first + rows_at_once, slice.tets.size());
    std::vector<GlobalIndex> wanted;
    wanted.reserve(4 * (last - first));
    for (std::size_t e = first; e < last; ++e) wanted.insert(wanted.end(), slice.tets[e].begin(), slice.tets[e].end());
    sort_unique(wanted);
    const auto places = fetch<Vec3>(comm, rows, slice.nodes, wanted, [&](GlobalIndex row) {
      used[static_cast<std::size_t>(row - slice.first_node)] = 1;
    });
    for (std::size_t e = first; e < last; ++e) {
      std::array<Vec3, 4> corners;
      for (std::size_t a = 0; a < 4; ++a) corners[a] = places[place_of(wanted, slice.tets[e][a])];
      visit(e, corners);
    }
  }
}

}  // namespace sunder::partition
