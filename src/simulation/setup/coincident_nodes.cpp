#include "simulation/setup/coincident_nodes.hpp"

#include "core/hash.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/connected_components.hpp"
#include "partition/across_ranks/fetch.hpp"

#include <algorithm>
#include <tuple>

namespace sunder::simulation {
namespace {

using mesh::Fault;

struct NodePlace {
  Vec3 x;
  std::uint64_t position = 0, label = 0;
};

/// A node at the place of an earlier one of the file.
struct Coincidence {
  NodePlace node;
  std::uint64_t first = 0;  // row of the earlier one
};

/// Collective. Nodes at the place of another, all but the first in the file.
std::vector<Coincidence> coincidences(const Comm& comm, const mesh::MeshSlice& slice,
                                      std::span<const std::uint8_t> used)
{
  std::vector<NodePlace> here;
  const std::size_t batches = partition::batches_of(comm, slice.nodes.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    std::map<Rank, Bytes> to;
    const std::size_t end = std::min((batch + 1) * partition::rows_at_once, slice.nodes.size());
    for (std::size_t n = batch * partition::rows_at_once; n < end; ++n) {
      if (!used[n]) continue;
      const Vec3 x = slice.nodes[n] + Vec3::Zero();  // -0 is 0
      const std::uint64_t hash = combine(combine(combine(0, x.x()), x.y()), x.z());
      Bytes& message = to[static_cast<Rank>(hash % static_cast<std::uint64_t>(comm.size()))];
      const NodePlace place{x, static_cast<std::uint64_t>(slice.first_node) + n, slice.node_labels[n]};
      const auto bytes = partition::bytes_of(std::span(&place, 1));
      message.insert(message.end(), bytes.begin(), bytes.end());
    }
    for (const Message& message : sparse_exchange(comm, std::move(to))) {
      const auto places = partition::values_of<NodePlace>(message.bytes);
      here.insert(here.end(), places.begin(), places.end());
    }
  }
  const auto key = [](const NodePlace& p) { return std::tuple(p.x.x(), p.x.y(), p.x.z(), p.position); };
  std::sort(here.begin(), here.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<Coincidence> found;
  for (std::size_t k = 1, first = 0; k < here.size(); ++k)
    if (here[k].x == here[first].x)
      found.push_back({here[k], here[first].position});
    else
      first = k;
  return found;
}

}  // namespace

void find_coincident_nodes(const Comm& comm, std::size_t body, const mesh::MeshSlice& slice,
                           std::span<const std::uint8_t> used, std::span<const partition::SlicedElement> elements,
                           std::vector<partition::Finding>& findings)
{
  if (slice.nodes_have_ids) return;
  const std::vector<Coincidence> found = coincidences(comm, slice, used);
  if (comm.max(static_cast<std::int64_t>(found.size())) == 0) return;
  const auto name = [](auto row) { return NodeId{static_cast<std::uint64_t>(row)}; };
  std::vector<NodeId> vertices;
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (const Coincidence& c : found) vertices.push_back(name(c.node.position)), vertices.push_back(name(c.first));
  sort_unique(vertices);
  for (const partition::SlicedElement& e : elements)
    for (std::size_t a = 1; a < 4; ++a) edges.emplace_back(name(e.nodes[0]), name(e.nodes[a]));
  const std::vector<NodeId> component = partition::connected_components(comm, vertices, edges).least;
  const auto component_of = [&](std::uint64_t row) {
    return component[static_cast<std::size_t>(std::lower_bound(vertices.begin(), vertices.end(), name(row)) -
                                              vertices.begin())];
  };
  for (const Coincidence& c : found) {
    const bool joined = component_of(c.node.position) == component_of(c.first);
    findings.push_back(
        {joined ? Fault::crack : Fault::coincident, static_cast<std::int32_t>(body), c.node.position, c.node.label});
  }
}

}  // namespace sunder::simulation
