#include "partition/decompose/curve_partition.hpp"

#include "core/blocking.hpp"
#include "core/bytes.hpp"
#include "partition/across_ranks/block_distribution.hpp"
#include "partition/decompose/hilbert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace sunder::partition {
namespace {

/// Collective. Lowest and highest corner of the box around all rows' nodes.
std::array<Vec3, 2> bounding_box(const Comm& comm, const NodeRows& rows)
{
  std::array<double, 6> most;
  most.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t n = 0; n < rows.weights.size(); ++n) {
    const Vec3 x = rows.position(n);
    for (std::size_t k = 0; k < 3; ++k) {
      const double a = x[static_cast<Eigen::Index>(k)];
      most[k] = std::max(most[k], a), most[3 + k] = std::max(most[3 + k], -a);
    }
  }
  blocking::all_reduce(most.data(), 6, MPI_DOUBLE, MPI_MAX, comm.mpi());
  return {Vec3(-most[3], -most[4], -most[5]), Vec3(most[0], most[1], most[2])};
}

/// Collective. The rows as nodes to sort, an even slice on each rank.
std::vector<CurveNode> even_shares(const Comm& comm, const NodeRows& rows, const BlockDistribution& distribution)
{
  const auto box = rows.position ? bounding_box(comm, rows) : std::array<Vec3, 2>();
  double weight = 0;
  for (const double w : rows.weights) weight += w;
  const double unit = std::max(comm.sum(weight), 1e-300) / std::exp2(60);
  std::map<Rank, Bytes> to;
  for (std::size_t n = 0; n < rows.weights.size(); ++n) {
    const GlobalIndex row = rows.first + static_cast<GlobalIndex>(n);
    CurveNode node{static_cast<std::uint64_t>(row), std::llround(rows.weights[n] / unit), comm.rank(),
                   static_cast<LocalIndex>(n)};
    if (rows.position) node.key = hilbert_key(rows.position(n), box[0], box[1]);
    put(to[distribution.rank_of(row)], node);
  }
  std::vector<CurveNode> nodes;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) nodes.push_back(in.get<CurveNode>());
  return nodes;
}

/// Collective. The part of each node, from its place among all nodes and the weight before it. A node heavier than a
/// part could leave a part empty. To prevent that, the k-th of N nodes is put into one of the first k parts, and from
/// the end likewise.
std::vector<Rank> parts_of(const Comm& comm, std::span<const CurveNode> nodes, GlobalIndex first, GlobalIndex all)
{
  std::int64_t mine = 0;
  for (const CurveNode& node : nodes) mine += node.weight;
  std::int64_t before = comm.sum_before(mine);
  const double share = static_cast<double>(comm.sum(mine)) / comm.size();
  std::vector<GlobalIndex> part;
  part.reserve(nodes.size());
  GlobalIndex least = 0;  // of part - place, so far
  for (const CurveNode& node : nodes) {
    const double middle = static_cast<double>(before) + 0.5 * static_cast<double>(node.weight);
    const auto place = first + static_cast<GlobalIndex>(part.size());
    part.push_back(share > 0 ? static_cast<GlobalIndex>(middle / share) : 0);
    least = std::min(least, part.back() - place);
    before += node.weight;
  }
  GlobalIndex lower = 0;  // of the ranks before this one
  blocking::exclusive_scan(&least, &lower, MPI_INT64_T, MPI_MIN, comm.mpi());
  if (comm.rank() == 0) lower = 0;
  std::vector<Rank> owner;
  owner.reserve(nodes.size());
  for (std::size_t k = 0; k < part.size(); ++k) {
    const GlobalIndex place = first + static_cast<GlobalIndex>(k), last = comm.size() - 1;
    lower = std::min(lower, part[k] - place);
    owner.push_back(
        static_cast<Rank>(std::clamp(place + lower, std::max<GlobalIndex>(0, last + 1 - all + place), last)));
  }
  return owner;
}

}  // namespace

std::vector<Rank> partition_along_curve(const Comm& comm, const NodeRows& rows)
{
  if (comm.size() == 1) return std::vector<Rank>(rows.weights.size(), 0);
  const BlockDistribution distribution{comm.sum(static_cast<GlobalIndex>(rows.weights.size())), comm.size()};
  const GlobalIndex block = (distribution.rows + comm.size() - 1) / comm.size();
  const std::vector<CurveNode> sorted =
      sorted_over_ranks(comm, even_shares(comm, rows, distribution), static_cast<std::size_t>(block));
  const std::vector<Rank> parts = parts_of(comm, sorted, block * comm.rank(), distribution.rows);
  std::map<Rank, Bytes> home;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    put(home[sorted[k].home], sorted[k].row);
    put(home[sorted[k].home], parts[k]);
  }
  std::vector<Rank> owners(rows.weights.size(), -1);
  for (const Message& message : sparse_exchange(comm, std::move(home)))
    for (ByteReader in(message.bytes); !in.done();) {
      const auto row = in.get<LocalIndex>();
      owners[static_cast<std::size_t>(row)] = in.get<Rank>();
    }
  return owners;
}

}  // namespace sunder::partition
