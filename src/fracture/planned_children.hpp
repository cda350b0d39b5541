#pragma once
/// The elements that bisections will make of one, before anything is cut. Local, pure. docs/remeshing.md.

#include "core/types.hpp"
#include "mesh/tet_mesh.hpp"

#include <array>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace sunder::fracture {

struct Bisection {
  NodeId a = 0, b = 0;  ///< a < b
  double t = 0;         ///< The new node is at a + t (b - a), in the world as in the material.
};

struct ElementCorners {
  ElementId id;
  std::array<NodeId, 4> nodes;
};

ElementCorners corners_of(const mesh::TetMesh& mesh, LocalIndex e);

/// The elements that mesh::TetMesh::bisect() will make of one element, by ids alone.
/// @param cuts  in the order in which they will be applied
std::vector<ElementCorners> children_after(const ElementCorners& element, std::span<const Bisection> cuts);

/// Material positions of nodes [m].
using Positions = std::map<NodeId, Vec3>;

/// Adds the nodes that the cuts make. Both ends of each must be there.
void add_made_nodes(std::span<const Bisection> cuts, Positions& X);

/// Smallest height of an element: three times the volume over the largest face [m].
double height(const ElementCorners& element, const Positions& X);

}  // namespace sunder::fracture
