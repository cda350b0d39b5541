#include "partition/slices/partition_slices.hpp"

#include "core/blocking.hpp"
#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"
#include "partition/decompose/decompose_parallel.hpp"
#include "partition/halo/holders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sunder::partition {
namespace {

std::vector<double> weights_of(const SlicedStars& stars, const std::vector<std::uint8_t>& levels)
{
  std::vector<double> weights(stars.num_nodes());
  for (std::size_t n = 0; n < weights.size(); ++n)
    weights[n] = std::exp2(3 * levels[n]) * static_cast<double>(stars.around(n).size());
  return weights;
}

double sum_of(const std::vector<double>& values)
{
  double sum = 0;
  for (const double v : values) sum += v;
  return sum;
}

std::vector<Rank> along_hilbert(const Comm& comm, const std::vector<double>& weights)
{
  const double mine = sum_of(weights), all = comm.sum(mine);
  double before = 0;
  blocking::exclusive_scan(&mine, &before, MPI_DOUBLE, MPI_SUM, comm.mpi());
  if (comm.rank() == 0) before = 0;
  std::vector<Rank> owners;
  owners.reserve(weights.size());
  for (const double w : weights) {
    owners.push_back(std::min(comm.size() - 1, static_cast<Rank>((before + 0.5 * w) / all * comm.size())));
    before += w;
  }
  return owners;
}

/// An element in a message.
struct MigratingElement {
  ElementId id = 0;
  std::array<GlobalIndex, 4> nodes{};
  MaterialIndex material = 0;
  std::uint8_t level = 0;
};

/// Collective. Fetches the owners of these nodes (ascending, each once).
std::vector<Rank> owners_of(const Comm& comm, const BlockDistribution& blocks, const std::vector<Rank>& owners,
                            const std::vector<GlobalIndex>& nodes)
{
  return fetch<Rank>(comm, blocks, owners, nodes);
}

/// Collective. Elements of which this rank owns a node, ascending.
std::vector<MigratingElement> migrate_elements(const Comm& comm, SlicedMesh& mesh, const std::vector<Rank>& owners)
{
  std::vector<MigratingElement> held;
  held.reserve(mesh.elements.size() + mesh.elements.size() / 8);
  const GlobalIndex first_id = mesh.element_blocks.begin(comm.rank());
  const std::size_t batches = batches_of(comm, mesh.elements.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t begin = mesh.elements.size() - std::min(rows_at_once, mesh.elements.size());
    std::vector<GlobalIndex> nodes;
    for (std::size_t e = begin; e < mesh.elements.size(); ++e)
      nodes.insert(nodes.end(), mesh.elements[e].nodes.begin(), mesh.elements[e].nodes.end());
    sort_unique(nodes);
    const auto owner = owners_of(comm, mesh.node_blocks, owners, nodes);
    std::map<Rank, std::vector<MigratingElement>> to;
    for (std::size_t e = begin; e < mesh.elements.size(); ++e) {
      const SlicedElement& element = mesh.elements[e];
      std::array<Rank, 4> corner_owners{};
      for (std::size_t a = 0; a < 4; ++a) corner_owners[a] = owner[place_of(nodes, element.nodes[a])];
      for (const Rank r : Holders(corner_owners))
        to[r].push_back({static_cast<std::uint64_t>(first_id) + e, element.nodes, element.material, element.level});
    }
    mesh.elements.resize(begin);
    std::vector<Message> out;
    for (auto& [rank, elements] : to) {
      out.push_back({rank, bytes_of(std::span<const MigratingElement>(elements))});
      elements = {};
    }
    for (const Message& message : sparse_exchange(comm, out)) {
      const auto come = values_of<MigratingElement>(message.bytes);
      held.insert(held.end(), come.begin(), come.end());
    }
  }
  mesh.elements = {};
  std::sort(held.begin(), held.end(), [](const MigratingElement& a, const MigratingElement& b) { return a.id < b.id; });
  return held;
}

/// Collective. Faces of which this rank owns a node.
std::vector<MarkedFace<NodeId>> migrate_faces(const Comm& comm, const SlicedMesh& mesh, const std::vector<Rank>& owners)
{
  std::vector<GlobalIndex> nodes;
  for (const auto& face : mesh.faces) nodes.insert(nodes.end(), face.nodes.begin(), face.nodes.end());
  sort_unique(nodes);
  const auto owner = owners_of(comm, mesh.node_blocks, owners, nodes);
  std::map<Rank, Bytes> to;
  for (const auto& face : mesh.faces) {
    MarkedFace<NodeId> delivered{{}, face.marks};
    std::array<Rank, 3> corner_owners{};
    for (std::size_t a = 0; a < 3; ++a) {
      corner_owners[a] = owner[place_of(nodes, face.nodes[a])];
      delivered.nodes[a] = static_cast<NodeId>(face.nodes[a]);
    }
    for (const Rank r : Holders(corner_owners)) put(to[r], delivered);
  }
  std::vector<MarkedFace<NodeId>> faces;
  for (const Message& message : sparse_exchange(comm, std::move(to))) {
    const auto come = values_of<MarkedFace<NodeId>>(message.bytes);
    faces.insert(faces.end(), come.begin(), come.end());
  }
  std::sort(faces.begin(), faces.end(),
            [](const auto& a, const auto& b) { return std::tie(a.nodes, a.marks) < std::tie(b.nodes, b.marks); });
  return faces;
}

struct MigratingNode {
  std::array<double, 3> X{}, v{};
  double size = 0;
  std::uint64_t marks = 0;
  Rank owner = 0;
};

/// Collective. Fetches the nodes of these elements, rows_at_once at a time.
std::vector<mesh::Node> migrate_nodes(const Comm& comm, SlicedMesh& mesh, const std::vector<double>& sizes,
                                      const std::vector<Rank>& owners, const std::vector<GlobalIndex>& wanted,
                                      std::vector<Vec3>& velocities)
{
  std::vector<MigratingNode> mine;
  mine.reserve(mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    mine.push_back({mesh.nodes[n].X, mesh.nodes[n].v, sizes[n], mesh.nodes[n].marks, owners[n]});
  mesh.nodes = {};
  std::vector<mesh::Node> nodes;
  nodes.reserve(wanted.size()), velocities.reserve(wanted.size());
  const std::size_t batches = batches_of(comm, wanted.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t first = std::min(batch * rows_at_once, wanted.size());
    const auto some = std::span(wanted).subspan(first, std::min(rows_at_once, wanted.size() - first));
    for (const MigratingNode& node : fetch<MigratingNode>(comm, mesh.node_blocks, mine, some)) {
      const auto id = static_cast<NodeId>(wanted[nodes.size()]);
      nodes.push_back({id, node.owner, Vec3(node.X.data()), node.size, node.marks});
      velocities.emplace_back(node.v.data());
    }
  }
  return nodes;
}

std::vector<GlobalIndex> nodes_of(const std::vector<MigratingElement>& elements)
{
  std::vector<GlobalIndex> nodes;
  for (std::size_t first = 0; first < elements.size(); first += rows_at_once) {
    const auto some = std::span(elements).subspan(first, std::min(rows_at_once, elements.size() - first));
    for (const MigratingElement& e : some) nodes.insert(nodes.end(), e.nodes.begin(), e.nodes.end());
    sort_unique(nodes);
  }
  return nodes;
}

}  // namespace

std::vector<Rank> partition_slices(const Comm& comm, const SlicedMesh& mesh, std::unique_ptr<SlicedStars> stars,
                                   const std::vector<std::uint8_t>& levels, ParallelMethod method)
{
  if (comm.size() > mesh.node_blocks.rows)
    throw_on_all(comm, fmt::format("{} ranks for a mesh of {} nodes: expected at most one rank a node", comm.size(),
                                   mesh.node_blocks.rows));
  if (comm.size() == 1) return std::vector<Rank>(mesh.nodes.size(), 0);
  const std::vector<double> weights = weights_of(*stars, levels);
  if (method == ParallelMethod::hilbert) return along_hilbert(comm, weights);
  NodeBlock block{stars->first_node(), weights, {}};
  block.tets.reserve(stars->elements().size());
  for (const StarElement& e : stars->elements()) block.tets.push_back(e.nodes);
  stars.reset();
  return decompose_blocks(comm, std::move(block));
}

Part migrate_slices(const Comm& comm, SlicedMesh mesh, const std::vector<double>& sizes,
                    const std::vector<Rank>& owners, std::uint64_t surface_marks)
{
  Part part;
  part.surface_marks = surface_marks;
  const auto faces = migrate_faces(comm, mesh, owners);
  std::vector<MigratingElement> held = migrate_elements(comm, mesh, owners);
  const std::vector<GlobalIndex> numbers = nodes_of(held);
  std::vector<mesh::Node> nodes = migrate_nodes(comm, mesh, sizes, owners, numbers, part.velocities);
  std::vector<mesh::Element> elements;
  elements.reserve(held.size()), part.levels.reserve(held.size());
  for (const MigratingElement& e : held) {
    mesh::Element element{e.id, {}, e.material};
    for (std::size_t a = 0; a < 4; ++a) element.nodes[a] = static_cast<LocalIndex>(place_of(numbers, e.nodes[a]));
    elements.push_back(element);
    part.levels.push_back(e.level);
  }
  held = {};
  part.mesh = mesh::TetMesh(comm.rank(), std::move(nodes), std::move(elements));
  for (const auto& face : faces)
    if (const auto local = find_face(part.mesh, face.nodes)) part.marked_faces.push_back({*local, face.marks});
  return part;
}

}  // namespace sunder::partition
