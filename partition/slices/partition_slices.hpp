#pragma once
/// Decomposes a mesh in slices into parts, and brings each rank the part it is to hold.

#include "core/comm.hpp"
#include "partition/distribute/distribute.hpp"
#include "partition/slices/sliced_stars.hpp"

#include <memory>
#include <vector>

namespace sunder::partition {

enum class ParallelMethod { ptscotch, hilbert };

/// Collective. Returns the owners of the nodes of this rank's block: by PT-Scotch, or by dividing the order of
/// nodes evenly. A node weighs as many elements as there will be around it after refinement. levels: (nodes) how often
/// these elements are divided. Frees `stars` on the way. Throws Error on every rank if there are more ranks than nodes.
std::vector<Rank> partition_slices(const Comm& comm, const SlicedMesh& mesh, std::unique_ptr<SlicedStars> stars,
                                   const std::vector<std::uint8_t>& levels, ParallelMethod method);

/// Collective. Sends each element, with its nodes, and each face to every rank that owns one of its nodes. sizes [m]
/// and owners: of the nodes of this rank's block.
Part migrate_slices(const Comm& comm, SlicedMesh mesh, const std::vector<double>& sizes,
                    const std::vector<Rank>& owners, std::uint64_t surface_marks);

}  // namespace sunder::partition
