#include "partition/decompose/ptscotch.hpp"

#include "partition/decompose/nodal_graph.hpp"
#include "partition/decompose/weights.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <limits>

// It names FILE and MPI_Comm, and includes neither's header.
#include <mpi.h>
#include <ptscotch.h>

namespace sunder::partition {
namespace {

/// Collective. For a failed call; PT-Scotch has written the reason to stderr.
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

/// A context with one thread. With more, several threads would call MPI at once; MPI was not initialised for that, and
/// hangs.
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

/// Collective.
std::vector<Rank> partition(const Comm& comm, NodalGraph<SCOTCH_Num>& graph, std::vector<SCOTCH_Num> weights)
{
  const auto rows = static_cast<SCOTCH_Num>(weights.size()), arcs = static_cast<SCOTCH_Num>(graph.neighbour.size());
  Context context;
  DistributedGraph whole(comm), bound(comm);
  check(comm,
        SCOTCH_dgraphBuild(&whole.graph, 0, rows, rows, graph.begin.data(), graph.begin.data() + 1, weights.data(),
                           nullptr, arcs, arcs, graph.neighbour.data(), nullptr, nullptr),
        "SCOTCH_dgraphBuild");
  check(comm, SCOTCH_contextBindDgraph(&context.context, &whole.graph, &bound.graph), "SCOTCH_contextBindDgraph");
  Strategy mapping;
  constexpr double imbalance = 0.03;
  check(comm, SCOTCH_stratDgraphMapBuild(&mapping.strategy, SCOTCH_STRATDEFAULT, comm.size(), comm.size(), imbalance),
        "SCOTCH_stratDgraphMapBuild");
  std::vector<SCOTCH_Num> owners(weights.size());
  check(comm, SCOTCH_dgraphPart(&bound.graph, comm.size(), &mapping.strategy, owners.data()), "SCOTCH_dgraphPart");
  return {owners.begin(), owners.end()};
}

}  // namespace

bool ptscotch_numbers(GlobalIndex nodes, GlobalIndex arcs, int bits)
{
  if (bits >= 64) return true;
  constexpr GlobalIndex most = std::numeric_limits<std::int32_t>::max();
  return nodes <= most / 2 && arcs <= most;  // nodes: their weights add up to 2^30 and at most one more a node
}

int ptscotch_bits() noexcept
{
  return 8 * sizeof(SCOTCH_Num);
}

std::optional<std::vector<Rank>> partition_with_ptscotch(const Comm& comm, const NodeRows& rows)
{
  const std::size_t count = rows.weights.size();
  const auto nodes = comm.sum(static_cast<GlobalIndex>(count));
  if (!ptscotch_numbers(nodes, 0, ptscotch_bits())) return std::nullopt;
  auto graph = graph_of_rows<SCOTCH_Num>(rows.first, count, rows.corners);
  const auto arcs = comm.sum(static_cast<GlobalIndex>(graph.neighbour.size()));
  if (!ptscotch_numbers(nodes, arcs, ptscotch_bits())) return std::nullopt;
  double weight = 0;
  for (const double w : rows.weights) weight += w;
  return partition(comm, graph, whole_weights<SCOTCH_Num>(rows.weights, weight_unit(comm.sum(weight), nodes)));
}

}  // namespace sunder::partition
