#pragma once
/// From a mesh in slices to the part each rank holds.

#include "core/comm.hpp"
#include "partition/distribute.hpp"
#include "partition/sliced_stars.hpp"

#include <memory>
#include <vector>

namespace sunder::partition {

enum class ParallelMethod { ptscotch, hilbert };

/// Collective. Owners of the nodes of this rank's block, each of which weighs as many elements as it has around it once
/// they are divided (levels: one a node): by PT-Scotch, or in equal shares of the order of nodes. Stars are freed on
/// the way. Throws Error on every rank if there are more ranks than nodes.
std::vector<Rank> cut_slices(const Comm& comm, const SlicedMesh& mesh, std::unique_ptr<SlicedStars> stars,
                             const std::vector<std::uint8_t>& levels, ParallelMethod method);

/// Collective. Brings each element with its nodes, and each face, to every rank that owns one of its nodes. sizes and
/// owners: of the nodes of this rank's block.
Part migrate_slices(const Comm& comm, SlicedMesh mesh, const std::vector<double>& sizes,
                    const std::vector<Rank>& owners, std::uint64_t surface_marks);

}  // namespace sunder::partition
