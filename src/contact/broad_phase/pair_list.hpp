#pragma once
/// The list of pairs of elements that may touch (a Verlet list with linear motion). docs/contact.md.

#include "contact/broad_phase/contact_surface.hpp"
#include "partition/halo/halo.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sunder::contact {

/// How long a pair list holds: for `time` after it was made, as long as each node of the surface stays within `skin` of
/// its linear motion, the place where its velocity of that moment takes it.
struct ListWindow {
  double time = 0;  ///< [s]
  double skin = 0;  ///< [m]
};

/// Key: an element that fracture has made since the last list. Value: its ancestor in that list.
using Origins = std::unordered_map<ElementId, ElementId>;

struct ListedElement {
  ElementId id = 0;
  ElementId origin = 0;        ///< Its ancestor in the last list; its own id if it is not new.
  std::array<int, 4> nodes{};  ///< In PairList::nodes.
  std::array<NodeId, 4> corners{};
  LocalIndex slot = -1;   ///< Slot of this rank's mesh; -1: another rank's.
  bool primary = false;   ///< Is this rank its primary rank?
  double compliance = 0;  ///< Mesh size before fracture over lambda + 2 mu [m/Pa].
  FreeFaces free = 0;
};

struct ListedPair {
  int a = 0, b = 0;            ///< In PairList::elements; id of a < id of b.
  double overlap = 0;          ///< At the last overlap update; 0 before the first [m^3].
  double initial_overlap = 0;  ///< The least overlap since the pair began to overlap [m^3].
  bool active = false;         ///< May the two touch soon? Set by ActivePairs.
  bool coincident = false;     ///< Neither overlap nor gap was found: as between copies of a node with given motion.
  std::uint16_t times_overlapping = 0;             ///< Number of updates with overlap, since Collisions::reset_costs().
  Eigen::Vector3f axis = Eigen::Vector3f::Zero();  ///< From a to b, along their last gap; zero: none known.
};

struct WatchedNode {
  LocalIndex node = 0;
  Vec3 p, v;  ///< At the window's begin [m], [m/s].
};

/// Verlet list: the pairs that may touch, ascending by ids, with their elements, of this rank and of other ranks.
struct PairList {
  ListWindow window;
  std::vector<LocalIndex> nodes;  ///< Local index; -1: not held here, another rank sends it each step.
  std::vector<ListedElement> elements;
  std::vector<ListedPair> pairs;
  std::vector<int> new_pairs;                    ///< Positions of pairs not taken over from an earlier list, ascending.
  std::vector<ElementId> others;                 ///< Elements that other ranks sent to the search, ascending.
  std::vector<partition::Neighbour> neighbours;  ///< mirrors: local indices; ghosts: positions in nodes.
  std::vector<WatchedNode> watched;              ///< Owned nodes of the surface's elements.
};

}  // namespace sunder::contact
