#pragma once
/// Which nodes and faces of a refined mesh are on one side of a plane, by the centroids of the elements around them,
/// without making these elements. Local, pure.
///
/// Refinement makes of an element the part in it of one regular lattice (H. Freudenthal 1942; J. Bey 1995): with
/// e1 = x1 - x0, e2 = x2 - x1 and e3 = x3 - x2, steps of e1 / n, e2 / n and e3 / n in any order from one of its points
/// to the opposite one are the corners of an element. So points in one edge, face or element are alike: the same
/// elements are around each of them, and it is on the side if it is above a plane, the one of the side moved by as
/// much as the lowest of the centroids is below the point.

#include "config/scene.hpp"
#include "core/types.hpp"

#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sunder::simulation {

/// Heights above the plane of the four corners of an element: normal . (x - point).
using CornerHeights = std::array<double, 4>;

CornerHeights heights_of(const config::Selection::Side& side, const std::array<Vec3, 4>& corners);

/// How high a node in the element must be for all its elements in there to be on the side. n: edges along one of the
/// element's; in_corner: the node is inside what corners with these bits span (15: inside the element, 1: corner 0).
double height_of_nodes(const CornerHeights& heights, GlobalIndex n, unsigned in_corners);

/// The same for the triangles of a face of the element, each with its one element there. corners: of the face.
/// Upright ones are those with an edge from their first corner towards each of the others; the height is that of the
/// first corner. Inverted ones have their corners at u, w and u + w from where an upright one has 0, u and w; the
/// height is that of the latter's first corner.
struct TriangleHeights {
  double upright = -std::numeric_limits<double>::infinity(), inverted = -std::numeric_limits<double>::infinity();
};
TriangleHeights height_of_triangles(const CornerHeights& heights, GlobalIndex n,
                                    const std::array<std::size_t, 3>& corners);

/// How high the nodes in each node, edge and face of a coarse mesh must be: the greatest of what the elements around it
/// ask for.
class NodeHeights {
public:
  /// nodes: one to three, in any order.
  void add(std::span<const GlobalIndex> nodes, double height) { all_.emplace_back(key_of(nodes), height); }
  void sort();
  /// After sort(). Minus infinity if nothing was added for these nodes.
  double of(std::span<const GlobalIndex> nodes) const;

private:
  using Key = std::array<GlobalIndex, 3>;
  static Key key_of(std::span<const GlobalIndex> nodes);

  std::vector<std::pair<Key, double>> all_;
};

}  // namespace sunder::simulation
