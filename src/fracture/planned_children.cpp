#include "fracture/planned_children.hpp"

#include "mesh/lineage.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace sunder::fracture {

ElementCorners corners_of(const mesh::TetMesh& mesh, LocalIndex e)
{
  ElementCorners corners{mesh.element_id(e), {}};
  for (std::size_t a = 0; a < 4; ++a) corners.nodes[a] = mesh.node(mesh.tet(e)[a]).id;
  return corners;
}

std::vector<ElementCorners> children_after(const ElementCorners& element, std::span<const Bisection> cuts)
{
  std::vector<ElementCorners> children{element};
  for (const Bisection& c : cuts)
    for (std::size_t k = 0, count = children.size(); k < count; ++k) {
      const NodeId m = mesh::edge_node_id(c.a, c.b);
      const auto two = mesh::children_of(children[k].nodes, c.a, c.b, m);
      if (!two) continue;
      children[k].nodes = two->first;
      children.push_back({mesh::second_child_id(children[k].id, m), two->second});
    }
  return children;
}

void add_made_nodes(std::span<const Bisection> cuts, Positions& X)
{
  for (const Bisection& c : cuts) {
    const Vec3 &a = X.at(c.a), &b = X.at(c.b);
    X.emplace(mesh::edge_node_id(c.a, c.b), a + c.t * (b - a));
  }
}

double height(const ElementCorners& element, const Positions& X)
{
  const Vec3 &a = X.at(element.nodes[0]), &b = X.at(element.nodes[1]), &c = X.at(element.nodes[2]),
             &d = X.at(element.nodes[3]);
  const double largest = std::max({(b - a).cross(c - a).norm(), (b - a).cross(d - a).norm(),
                                   (c - a).cross(d - a).norm(), (c - b).cross(d - b).norm()});
  return std::abs((b - a).cross(c - a).dot(d - a)) / largest;
}

}  // namespace sunder::fracture
