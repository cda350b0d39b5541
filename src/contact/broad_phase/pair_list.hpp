#pragma once
/// The list of pairs of elements that may touch (a Verlet list with linear motion). docs/contact.md.

#include "contact/broad_phase/surface.hpp"
#include "partition/halo.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sunder::contact {

/// What a list of pairs allows for: it holds for so long, while each node of the surface stays within the skin of where
/// its velocity takes it.
struct Window {
  double time = 0;  ///< [s]
  double skin = 0;  ///< [m]
};

/// Elements made from others since the last list, with the element of that list they are part of.
using Origins = std::unordered_map<ElementId, ElementId>;

struct ListedElement {
  ElementId id = 0;
  ElementId origin = 0;        ///< Of the last list; id if it is not new.
  std::array<int, 4> nodes{};  ///< In PairList::nodes.
  std::array<NodeId, 4> corners{};
  LocalIndex slot = -1;   ///< Of this rank's mesh; -1: another rank's.
  bool primary = false;   ///< By this rank.
  double compliance = 0;  ///< Mesh size before fracture over lambda + 2 mu [m/Pa].
  FaceSet free = 0;
};

struct ListedPair {
  int a = 0, b = 0;            ///< In PairList::elements; id of a < id of b.
  double overlap = 0;          ///< When last looked at; 0 if never [m^3].
  double initial_overlap = 0;  ///< Of it: when first seen, less what it has shrunk since [m^3].
  bool active = false;         ///< It may touch soon: kept by ActivePairs.
  bool coincident = false;     ///< Seen with neither overlap nor gap, as copies of nodes that are held leave them.
  std::uint16_t times_overlapping = 0;             ///< Of the looks since Collisions::reset_costs().
  Eigen::Vector3f axis = Eigen::Vector3f::Zero();  ///< Along which they last had a gap, towards b; zero: none known.
};

struct WatchedNode {
  LocalIndex node = 0;
  Vec3 p, v;  ///< When the list was made.
};

/// Verlet list: elements of this rank and of others near them, with the pairs that may touch, ascending by ids.
struct PairList {
  Window window;
  std::vector<LocalIndex> nodes;  ///< This rank's index, or -1: the node is another's, and exchanged.
  std::vector<ListedElement> elements;
  std::vector<ListedPair> pairs;
  std::vector<int> new_pairs;                    ///< Of pairs, those not taken over from a list made before; ascending.
  std::vector<ElementId> others;                 ///< Elements of other ranks that were asked about, ascending.
  std::vector<partition::Neighbour> neighbours;  ///< mirrors: this rank's index; ghosts: position in nodes.
  std::vector<WatchedNode> watched;              ///< Owned nodes of the surface's elements.
};

}  // namespace sunder::contact
