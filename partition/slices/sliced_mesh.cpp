#include "partition/slices/sliced_mesh.hpp"

#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"
#include "partition/decompose/hilbert.hpp"

#include <algorithm>

namespace sunder::partition {
namespace {

struct NewNumber {
  GlobalIndex old_number = 0, new_number = 0;
};

/// Collective. New numbers of this rank's block of the old ones; -1 where there is none.
std::vector<GlobalIndex> new_numbers(const Comm& comm, const BlockDistribution& old_blocks,
                                     std::span<const NewNumber> known)
{
  const GlobalIndex first = old_blocks.begin(comm.rank());
  std::vector<GlobalIndex> numbers(static_cast<std::size_t>(old_blocks.begin(comm.rank() + 1) - first), -1);
  tell_rows(
      comm, old_blocks, known, [](const NewNumber& n) { return n.old_number; },
      [&](const NewNumber& n) { numbers[static_cast<std::size_t>(n.old_number - first)] = n.new_number; });
  return numbers;
}

/// Collective. Gives all things' nodes their new numbers, so many things at a time.
template <class Thing>
void renumber(const Comm& comm, const BlockDistribution& old_blocks, const std::vector<GlobalIndex>& numbers,
              std::vector<Thing>& things)
{
  const std::size_t batches = batches_of(comm, things.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t first = std::min(batch * rows_at_once, things.size());
    const auto some = std::span(things).subspan(first, std::min(rows_at_once, things.size() - first));
    std::vector<GlobalIndex> wanted;
    for (const Thing& thing : some) wanted.insert(wanted.end(), thing.nodes.begin(), thing.nodes.end());
    sort_unique(wanted);
    const auto found = fetch<GlobalIndex>(comm, old_blocks, numbers, wanted);
    for (Thing& thing : some)
      for (GlobalIndex& n : thing.nodes) n = found[place_of(wanted, n)];
  }
}

void drop_unnumbered(std::vector<MarkedFace<GlobalIndex>>& faces)
{
  std::erase_if(faces, [](const auto& face) { return std::count(face.nodes.begin(), face.nodes.end(), -1) > 0; });
}

struct Extent {
  Vec3 lowest, highest;
};

Extent extent_of(const Comm& comm, const std::vector<BodySlice>& bodies)
{
  Vec3 lowest = Vec3::Constant(1e300), highest = Vec3::Constant(-1e300);
  for (const BodySlice& body : bodies)
    for (const SlicedNode& node : body.nodes) {
      const Vec3 x(node.X.data());
      lowest = lowest.cwiseMin(x), highest = highest.cwiseMax(x);
    }
  for (int i = 0; i < 3; ++i) lowest[i] = comm.min(lowest[i]), highest[i] = comm.max(highest[i]);
  return {lowest, highest};
}

/// Collective. Sorts the nodes of all bodies. Their numbers remain those from before.
void sort_nodes(const Comm& comm, std::vector<BodySlice>& bodies, const Extent& extent, SlicedMesh& mesh)
{
  for (BodySlice& body : bodies) {
    for (SlicedNode& node : body.nodes) node.key = hilbert_key(Vec3(node.X.data()), extent.lowest, extent.highest);
    mesh.nodes.insert(mesh.nodes.end(), body.nodes.begin(), body.nodes.end());
    body.nodes = {};
  }
  mesh.nodes = sort_evenly(comm, std::move(mesh.nodes));
  mesh.node_blocks = {comm.sum(static_cast<std::int64_t>(mesh.nodes.size())), comm.size()};
}

std::vector<NewNumber> numbers_of_body(const Comm& comm, const SlicedMesh& mesh, std::size_t body)
{
  const GlobalIndex first = mesh.node_blocks.begin(comm.rank());
  std::vector<NewNumber> numbers;
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k)
    if (body_of(mesh.nodes[k].position) == body)
      numbers.push_back({mesh.nodes[k].number, first + static_cast<GlobalIndex>(k)});
  return numbers;
}

}  // namespace

SlicedMesh order_along_hilbert(const Comm& comm, std::vector<BodySlice> bodies,
                               std::vector<std::vector<Vec3>> centroids)
{
  SlicedMesh mesh;
  const Extent extent = extent_of(comm, bodies);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (std::size_t e = 0; e < bodies[b].elements.size(); ++e)
      bodies[b].elements[e].key = hilbert_key(centroids[b][e], extent.lowest, extent.highest);
    centroids[b] = {};
  }
  sort_nodes(comm, bodies, extent, mesh);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto numbers = new_numbers(comm, bodies[b].rows, numbers_of_body(comm, mesh, b));
    renumber(comm, bodies[b].rows, numbers, bodies[b].elements);
    renumber(comm, bodies[b].rows, numbers, bodies[b].faces);
    drop_unnumbered(bodies[b].faces);
    if (b == 0) {
      mesh.elements = std::move(bodies[b].elements), mesh.faces = std::move(bodies[b].faces);
    } else {
      mesh.elements.insert(mesh.elements.end(), bodies[b].elements.begin(), bodies[b].elements.end());
      mesh.faces.insert(mesh.faces.end(), bodies[b].faces.begin(), bodies[b].faces.end());
    }
    bodies[b] = {};
  }
  mesh.elements = sort_evenly(comm, std::move(mesh.elements));
  mesh.element_blocks = {comm.sum(static_cast<std::int64_t>(mesh.elements.size())), comm.size()};
  return mesh;
}

void add_nodes(const Comm& comm, SlicedMesh& mesh, std::span<const SlicedNode> more, GlobalIndex added)
{
  const BlockDistribution old_blocks{mesh.node_blocks.rows + added, comm.size()};
  const GlobalIndex first_old = mesh.node_blocks.begin(comm.rank());
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k) mesh.nodes[k].number = first_old + static_cast<GlobalIndex>(k);
  mesh.nodes.insert(mesh.nodes.end(), more.begin(), more.end());
  mesh.nodes = sort_evenly(comm, std::move(mesh.nodes));
  mesh.node_blocks = old_blocks;
  const GlobalIndex first = mesh.node_blocks.begin(comm.rank());
  std::vector<NewNumber> known;
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k)
    known.push_back({mesh.nodes[k].number, first + static_cast<GlobalIndex>(k)});
  const auto numbers = new_numbers(comm, old_blocks, known);
  renumber(comm, old_blocks, numbers, mesh.elements);
  renumber(comm, old_blocks, numbers, mesh.faces);
}

}  // namespace sunder::partition
