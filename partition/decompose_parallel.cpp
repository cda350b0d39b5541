#include "partition/decompose_parallel.hpp"

#include "core/error.hpp"
#include "partition/distribute.hpp"
#include "partition/nodal_graph.hpp"
#include "partition/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>

// It names FILE and MPI_Comm, and includes neither's header.
#include <mpi.h>
#include <ptscotch.h>

namespace sunder::partition {
namespace {

/// On rank 0: sends every other rank its block, one at a time, and returns its own.
NodeBlock deal(const Comm& comm, const mesh::MeshData& mesh, std::span<const Rank> holders,
               std::span<const std::uint8_t> levels)
{
  const auto held = elements_by_rank(mesh, holders, comm.size());
  const auto weights = node_weights<int>(mesh, levels);
  const auto block_of = [&](Rank r) {
    const auto [from, to] = std::equal_range(holders.begin(), holders.end(), r);
    const auto first = from - holders.begin(), last = to - holders.begin();
    NodeBlock block{first, {weights.begin() + first, weights.begin() + last}, {}};
    for (const GlobalIndex e : held[static_cast<std::size_t>(r)])
      block.tets.push_back(mesh.tets[static_cast<std::size_t>(e)]);
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
  block.weights = receive<int>(comm, 0);
  block.tets = receive<std::array<GlobalIndex, 4>>(comm, 0);
  return block;
}

/// Collective. PT-Scotch has said on stderr what it did not like.
void check(const Comm& comm, int code, const char* call)
{
  throw_on_all(comm, code == 0 ? std::nullopt : std::optional(fmt::format("{} failed (code {})", call, code)));
}

struct DistributedGraph {
  SCOTCH_Dgraph graph;
  explicit DistributedGraph(const Comm& comm)
  {
    check(comm, SCOTCH_dgraphInit(&graph, comm.mpi()), "SCOTCH_dgraphInit");
  }
  ~DistributedGraph() { SCOTCH_dgraphExit(&graph); }
  DistributedGraph(const DistributedGraph&) = delete;
  DistributedGraph& operator=(const DistributedGraph&) = delete;
};

/// Of one thread: more would call MPI at the same time, which this program does not ask it to bear, and hang.
struct Context {
  SCOTCH_Context context;
  Context()
  {
    SCOTCH_contextInit(&context);
    SCOTCH_contextThreadSpawn(&context, 1, nullptr);
  }
  ~Context() { SCOTCH_contextExit(&context); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

struct Strategy {
  SCOTCH_Strat strategy;
  Strategy() { SCOTCH_stratInit(&strategy); }
  ~Strategy() { SCOTCH_stratExit(&strategy); }
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
};

}  // namespace

std::vector<Rank> decompose_blocks(const Comm& comm, NodeBlock block)
{
  const auto rows = static_cast<SCOTCH_Num>(block.weights.size());
  auto graph = nodal_graph<SCOTCH_Num>(block.tets, block.first, block.first + rows);
  block.tets = {};
  std::vector<SCOTCH_Num> weights(block.weights.begin(), block.weights.end());
  const std::int64_t arcs = comm.sum(static_cast<std::int64_t>(graph.neighbour.size()));
  if (arcs > std::numeric_limits<SCOTCH_Num>::max())
    throw AgreedError(fmt::format("a graph of {} arcs is too large for this PT-Scotch ({}-bit indices)", arcs,
                                  8 * sizeof(SCOTCH_Num)));
  Context context;
  DistributedGraph whole(comm), bound(comm);
  const auto held = static_cast<SCOTCH_Num>(graph.neighbour.size());
  check(comm,
        SCOTCH_dgraphBuild(&whole.graph, 0, rows, rows, graph.begin.data(), graph.begin.data() + 1, weights.data(),
                           nullptr, held, held, graph.neighbour.data(), nullptr, nullptr),
        "SCOTCH_dgraphBuild");
  check(comm, SCOTCH_contextBindDgraph(&context.context, &whole.graph, &bound.graph), "SCOTCH_contextBindDgraph");
  Strategy cutting;
  constexpr double imbalance = 0.03;
  check(comm, SCOTCH_stratDgraphMapBuild(&cutting.strategy, SCOTCH_STRATDEFAULT, comm.size(), comm.size(), imbalance),
        "SCOTCH_stratDgraphMapBuild");
  std::vector<SCOTCH_Num> owners(block.weights.size());
  check(comm, SCOTCH_dgraphPart(&bound.graph, comm.size(), &cutting.strategy, owners.data()), "SCOTCH_dgraphPart");
  return {owners.begin(), owners.end()};
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
