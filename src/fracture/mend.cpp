#include "fracture/mend.hpp"

#include "mesh/star_components.hpp"

#include <algorithm>
#include <set>

namespace sunder::fracture {
namespace {

std::vector<Copying> copies_needed(const mesh::TetMesh& mesh, std::vector<LocalIndex> nodes)
{
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<Copying> copies;
  for (const LocalIndex n : nodes) {
    if (!mesh.owned(n)) continue;
    const auto components = mesh::star_components(mesh, n);
    for (std::size_t k = 1; k < components.size(); ++k) {  // the first keeps the node
      Copying copying{mesh.node(n).id, 0, {}};
      for (const LocalIndex e : components[k]) copying.elements.push_back(mesh.element_id(e));
      std::sort(copying.elements.begin(), copying.elements.end());
      copying.copy = mesh::copy_node_id(copying.node, copying.elements.front());
      copies.push_back(std::move(copying));
    }
  }
  return copies;
}

/// Nodes joined to any of the copies that one side of an event has become.
std::set<NodeId> joined_to(const mesh::TetMesh& mesh, NodeId side, const std::vector<Copying>& mended)
{
  std::vector<NodeId> copies{side};
  for (const Copying& c : mended)
    if (c.node == side) copies.push_back(c.copy);
  std::set<NodeId> joined;
  for (const NodeId id : copies)
    for (const LocalIndex e : mesh.star(*mesh.find(id)))
      for (const LocalIndex q : mesh.tet(e)) joined.insert(mesh.node(q).id);
  return joined;
}

}  // namespace

std::vector<Copying> mend(element::Model& model, const partition::Halo& halo, Changes& changes)
{
  std::vector<Copying> copies = tell(model.mesh, halo, copies_needed(model.mesh, changes.nodes));
  for (const Copying& copying : copies) apply_copying(model, copying, changes);
  return copies;
}

Surroundings surroundings(const mesh::TetMesh& mesh, const Plan& plan, const std::vector<Copying>& mended)
{
  const auto positive = joined_to(mesh, plan.node, mended), negative = joined_to(mesh, plan.copy, mended);
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
