#include "simulation/diagnostics/crack_of_node.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"
#include "mesh/union_find.hpp"
#include "partition/across_ranks/connected_components.hpp"
#include "simulation/diagnostics/visit_crack_faces.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sunder::simulation {
namespace {

/// A node by its material point, which both sides of a crack have in common.
NodeId point_of(const mesh::TetMesh& mesh, LocalIndex n)
{
  const Vec3& X = mesh.node(n).X;
  const auto hash = [&X](std::uint64_t seed) { return combine(combine(combine(seed, X.x()), X.y()), X.z()); };
  return {hash(1), hash(2)};
}

/// Points ascending, each once; sets the places of their nodes.
std::vector<NodeId> find_points(const mesh::TetMesh& mesh, std::vector<LocalIndex>& place)
{
  std::vector<std::pair<NodeId, LocalIndex>> corners;
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    for (const LocalIndex n : face.nodes)
      if (std::exchange(place[at(n)], 0) < 0) corners.emplace_back(point_of(mesh, n), n);
  });
  std::sort(corners.begin(), corners.end());
  std::vector<NodeId> points;
  for (const auto& [point, n] : corners) {
    if (points.empty() || points.back() != point) points.push_back(point);
    place[at(n)] = static_cast<LocalIndex>(points.size()) - 1;
  }
  return points;
}

/// Is the point one of several ranks'? Trivially copyable.
struct SharedPoint {
  NodeId key;
  char shared = 0;
  void combine(const SharedPoint&) { shared = 1; }
};

/// Collective. (points) Has another rank the point too? The other rank may have it as another node, that of the crack's
/// other side, and share no element with this one.
std::vector<char> find_shared(const Comm& comm, const std::vector<NodeId>& points)
{
  if (comm.size() == 1) return std::vector<char>(points.size(), 0);
  std::vector<SharedPoint> mine;
  mine.reserve(points.size());
  for (const NodeId& point : points) mine.push_back({point});
  const CombiningExchange<SharedPoint, char> exchange(
      comm, std::move(mine), [&comm](const NodeId& point) { return home_rank(point.low, comm.size()); });
  std::vector<char> answers;
  for (const SharedPoint& point : exchange.at_home()) answers.push_back(point.shared);
  const auto known = exchange.answer(answers);
  std::vector<char> shared;
  shared.reserve(points.size());
  for (const NodeId& point : points) shared.push_back(known.at(point));
  return shared;
}

}  // namespace

CrackOfNode::CrackOfNode(const Comm& comm, const mesh::TetMesh& mesh) : place_(at(mesh.num_nodes()), -1)
{
  const std::vector<NodeId> points = find_points(mesh, place_);
  mesh::UnionFind joined_here(points.size());
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    for (const LocalIndex n : face.nodes) joined_here.unite(place_[at(face.nodes[0])], place_[at(n)]);
  });
  const std::vector<char> shared = find_shared(comm, points);
  std::vector<NodeId> vertices;
  std::vector<std::pair<NodeId, NodeId>> joined;
  std::vector<std::size_t> vertex_of_part;
  part_.resize(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto least = at(joined_here.find(static_cast<LocalIndex>(k)));
    if (least == k)
      part_[k] = static_cast<LocalIndex>(vertex_of_part.size()), vertex_of_part.push_back(vertices.size());
    part_[k] = part_[least];  // the least comes first
    if (least == k || shared[k] != 0) vertices.push_back(points[k]);
    if (least != k && shared[k] != 0) joined.emplace_back(points[least], points[k]);
  }
  const auto cracks = partition::connected_components(comm, vertices, joined).least;
  for (const std::size_t v : vertex_of_part) cracks_.push_back(cracks[v]);
}

}  // namespace sunder::simulation
