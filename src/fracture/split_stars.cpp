#include "fracture/split_stars.hpp"

#include "core/sort_unique.hpp"
#include "fracture/crack_faces.hpp"
#include "mesh/lineage.hpp"
#include "mesh/star_components.hpp"

#include <algorithm>
#include <set>

namespace sunder::fracture {
namespace {

bool always(LocalIndex, LocalIndex)
{
  return true;
}

std::vector<NodeSplit> copies_needed(const mesh::TetMesh& mesh, std::vector<LocalIndex> nodes, const Joined& joined)
{
  sort_unique(nodes);
  std::vector<NodeSplit> copies;
  for (const LocalIndex n : nodes) {
    if (!mesh.owned(n)) continue;
    const auto components = mesh::star_components(mesh, n, joined);
    for (std::size_t k = 1; k < components.size(); ++k) {  // the first keeps the node
      NodeSplit split{mesh.node(n).id, 0, {}};
      for (const LocalIndex e : components[k]) split.elements.push_back(mesh.element_id(e));
      std::sort(split.elements.begin(), split.elements.end());
      split.copy = mesh::copy_node_id(split.node, split.elements.front());
      copies.push_back(std::move(split));
    }
  }
  return copies;
}

/// Nodes joined to any of the copies that one side of a split has become.
std::set<NodeId> joined_to(const mesh::TetMesh& mesh, NodeId side, const std::vector<NodeSplit>& star_splits)
{
  std::vector<NodeId> copies{side};
  for (const NodeSplit& c : star_splits)
    if (c.node == side) copies.push_back(c.copy);
  std::set<NodeId> joined;
  for (const NodeId id : copies)
    for (const LocalIndex e : mesh.star(*mesh.find(id)))
      for (const LocalIndex q : mesh.tet(e)) joined.insert(mesh.node(q).id);
  return joined;
}

}  // namespace

std::vector<NodeSplit> split_stars(element::Model& model, const partition::Halo& halo, MeshDelta& delta)
{
  std::vector<NodeSplit> copies = notify_of_splits(model.mesh, halo, copies_needed(model.mesh, delta.loosened, always));
  for (const NodeSplit& split : copies) apply_split(model, split, delta);
  return copies;
}

PartResult part_faces(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> nodes,
                      const Joined& joined, double time)
{
  PartResult result;
  MeshDelta delta;
  delta.time = time;
  const auto mine = copies_needed(model.mesh, {nodes.begin(), nodes.end()}, joined);
  result.copies = std::ssize(mine);
  for (const NodeSplit& split : notify_of_splits(model.mesh, halo, mine)) apply_split(model, split, delta);
  refresh(model, delta);
  update_halo(model, halo, delta);
  share_crack_faces(model.mesh, halo, delta.elements);
  result.splits = std::move(delta.splits);
  return result;
}

Surroundings surroundings(const mesh::TetMesh& mesh, const Plan& plan, const std::vector<NodeSplit>& star_splits)
{
  const auto positive = joined_to(mesh, plan.node, star_splits), negative = joined_to(mesh, plan.copy, star_splits);
  std::set<NodeId> either = positive;
  either.insert(negative.begin(), negative.end());
  Surroundings found;
  for (const NodeId id : either) {
    const bool both = positive.contains(id) && negative.contains(id);
    (both ? found.tip : found.beside).push_back(*mesh.find(id));
  }
  return found;
}

}  // namespace sunder::fracture
