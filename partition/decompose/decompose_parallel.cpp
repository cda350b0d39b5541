#include "partition/decompose/decompose_parallel.hpp"

#include "core/error.hpp"
#include "core/log.hpp"
#include "partition/across_ranks/transfer.hpp"
#include "partition/decompose/curve_partition.hpp"
#include "partition/decompose/nodal_graph.hpp"
#include "partition/decompose/ptscotch.hpp"
#include "partition/decompose/weights.hpp"
#include "partition/halo/holders.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::partition {
namespace {

/// On rank 0: sends every other rank its block, one at a time, and returns its own.
NodeBlock deal(const Comm& comm, const mesh::MeshData& mesh, std::span<const Rank> owners,
               std::span<const std::uint8_t> levels)
{
  const std::vector<Held> held =
      held_by_rank(mesh.tets.size(), [&](std::size_t e) { return owners_of(mesh.tets[e], owners); });
  const std::vector<double> weights = node_weights(mesh.tets, 0, mesh.nodes.size(), levels);
  const auto block_of = [&](Rank r) {
    const auto [from, to] = std::equal_range(owners.begin(), owners.end(), r);
    const auto first = from - owners.begin(), last = to - owners.begin();
    NodeBlock block{first, {weights.begin() + first, weights.begin() + last}, {}};
    for (const Held& h : of_rank(held, r)) block.tets.push_back(mesh.tets[static_cast<std::size_t>(h.index)]);
    return block;
  };
  for (Rank r = 1; r < comm.size(); ++r) {
    const NodeBlock block = block_of(r);
    send(comm, std::vector{block.first}, r);
    send(comm, block.weights, r);
    send(comm, block.tets, r);
  }
  return block_of(0);
}

NodeBlock receive_block(const Comm& comm)
{
  NodeBlock block;
  block.first = receive<GlobalIndex>(comm, 0).front();
  block.weights = receive<double>(comm, 0);
  block.tets = receive<std::array<GlobalIndex, 4>>(comm, 0);
  return block;
}

/// Collective.
void check_range(const Comm& comm, std::span<const Rank> owners)
{
  std::optional<std::string> problem;
  for (const Rank r : owners)
    if ((r < 0 || r >= comm.size()) && !problem)
      problem = fmt::format("PT-Scotch gave a node to rank {}, expected one of {} ranks", r, comm.size());
  throw_on_all(comm, problem);
}

}  // namespace

std::vector<Rank> decompose_rows(const Comm& comm, const NodeRows& rows)
{
  if (auto owners = partition_with_ptscotch(comm, rows)) {
    check_range(comm, *owners);
    return std::move(*owners);
  }
  log_info(fmt::format(
      "the graph of nodes is more than PT-Scotch numbers in {} bits: it is decomposed along the Hilbert curve",
      ptscotch_bits()));
  return partition_along_curve(comm, rows);
}

std::vector<Rank> decompose_blocks(const Comm& comm, NodeBlock block)
{
  const TetsAround around(block.tets, block.first, block.weights.size());
  NodeRows rows;
  rows.first = block.first, rows.weights = std::move(block.weights);
  rows.corners = [&around](std::size_t row, std::vector<GlobalIndex>& out) { around.corners(row, out); };
  if (comm.max(static_cast<std::int64_t>(block.positions.size())) > 0)
    rows.position = [&block](std::size_t row) { return block.positions[row]; };
  return decompose_rows(comm, rows);
}

std::vector<Rank> decompose_in_parallel(const Comm& comm, const mesh::MeshData& mesh, std::span<const Rank> blocks,
                                        std::span<const std::uint8_t> levels)
{
  NodeBlock mine = comm.rank() == 0 ? deal(comm, mesh, blocks, levels) : receive_block(comm);
  std::vector<Rank> owners = decompose_blocks(comm, std::move(mine));
  if (comm.rank() != 0) {
    send(comm, owners, 0);
    return {};
  }
  for (Rank r = 1; r < comm.size(); ++r) {
    const auto theirs = receive<Rank>(comm, r);
    owners.insert(owners.end(), theirs.begin(), theirs.end());
  }
  return owners;
}

}  // namespace sunder::partition
