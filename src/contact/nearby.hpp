#pragma once
/// Which elements may touch which in the next while, across ranks.

#include "contact/bounding_tree.hpp"
#include "contact/surface.hpp"
#include "partition/motion_exchange.hpp"

#include <unordered_map>

namespace sunder::contact {

/// For how long, and how far from where its velocity takes it, a node may be for a list of pairs to hold.
struct Window {
  double time = 0;   ///< [s]
  double slack = 0;  ///< [m]
};

/// Elements made from others since the last list, with the element of that list they are part of.
using Origins = std::unordered_map<ElementId, ElementId>;

struct NearElement {
  ElementId id = 0;
  ElementId origin = 0;        ///< Of the last list; id if it is not new.
  std::array<int, 4> nodes{};  ///< In Near::nodes.
  std::array<NodeId, 4> corners{};
  LocalIndex held = -1;  ///< Slot of this rank's mesh; -1: another rank's.
  bool counted = false;  ///< By this rank.
  double softness = 0;   ///< Mesh size before fracture over lambda + 2 mu [m/Pa].
  FaceSet free = 0;
};

struct NearPair {
  int a = 0, b = 0;         ///< In Near::elements; id of a < id of b.
  double overlap = 0;       ///< When last looked at; 0 if never [m^3].
  double forgiven = 0;      ///< Of it: what it was when first seen, less what it has shrunk since [m^3].
  bool active = false;      ///< It may touch soon: kept by ActivePairs.
  bool coincident = false;  ///< Seen with neither overlap nor gap, as copies of nodes that are held leave them.
  std::uint16_t times_touching = 0;                ///< Of the looks since Collisions::forget_work().
  Eigen::Vector3f axis = Eigen::Vector3f::Zero();  ///< Along which they last had a gap, towards b; zero: none known.
};

struct WatchedNode {
  LocalIndex node = 0;
  Vec3 p, v;  ///< When the list was made.
};

/// Elements of this rank and of others near them, with the pairs that may touch, ascending by ids.
struct Near {
  Window window;
  std::vector<LocalIndex> nodes;  ///< This rank's index, or -1: the node is another's, and exchanged.
  std::vector<NearElement> elements;
  std::vector<NearPair> pairs;
  std::vector<int> new_pairs;                    ///< Of pairs, those not taken over from a list made before; ascending.
  std::vector<ElementId> others;                 ///< Elements of other ranks that were asked about, ascending.
  std::vector<partition::Neighbour> neighbours;  ///< mirrors: this rank's index; ghosts: position in nodes.
  std::vector<WatchedNode> watched;              ///< Owned nodes of the surface's elements.
};

/// A list that still holds but for elements that have changed since.
struct Earlier {
  const Near& list;
  std::span<const std::uint8_t> unchanged;  ///< (slots) 1: part of the skin then, and as it was.
};

/// Collective. tree: over the swept boxes of surface.elements(), in their order. moduli: lambda + 2 mu of each
/// material. Pairs are of elements of the skin: whoever enters a body meets them first. Left out are those that share a
/// node (a star never overlaps itself while it is sound) and those a face keeps apart throughout the window. p, v:
/// where and how fast nodes were when the window began. earlier, if there is one, on all ranks: of the same window; its
/// pairs of unchanged elements are taken over, and only others looked for.
Near find_near(const Comm& comm, const mesh::TetMesh& mesh, const Surface& surface, const BoundingTree& tree,
               std::span<const Row4> p, std::span<const Row4> v, const Window& window, std::span<const double> moduli,
               const Origins& origins, const Earlier* earlier = nullptr);

/// Local. Swept boxes of surface.elements().
std::vector<Box> swept_boxes(const mesh::TetMesh& mesh, const Surface& surface, std::span<const Row4> p,
                             std::span<const Row4> v, const Window& window);

}  // namespace sunder::contact
