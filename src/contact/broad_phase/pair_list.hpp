#pragma once
/// The list of pairs of elements that may touch (a Verlet list with linear motion). docs/contact.md.

#include "contact/broad_phase/contact_surface.hpp"
#include "geometry/separating_axis.hpp"
#include "partition/halo/halo.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder::contact {

/// How long a pair list holds: for `time` after it was made, as long as each node of the surface keeps to its linear
/// motion.
struct ListWindow {
  double time = 0;        ///< [s]
  double least_skin = 0;  ///< Of all nodes [m].
};

struct ListedElement {
  ElementId id = 0;
  std::array<int, 4> nodes{};  ///< In PairList::nodes.
  LocalIndex slot = -1;        ///< Slot of this rank's mesh; below 0: another rank's, PairSearch::other().
  bool primary = false;        ///< Is this rank its primary rank?
  FreeFaces free = 0;
  double compliance = 0;  ///< Mesh size before fracture over lambda + 2 mu [m/Pa].
};

/// There are many, so they are small: what only those that overlap have is in TouchingPair.
struct ListedPair {
  int a = -1, b = -1;                ///< In PairList::elements; id of a < id of b.
  geometry::SeparatingPlane plane;   ///< Across which the two last had a gap, or may have one.
  std::uint8_t search_plane_in = 0;  ///< Updates until a plane is looked for again, where there was none: halves of a
                                     ///< node that are still in one place have neither overlap nor gap.
  std::uint16_t common_corners = 0;  ///< Bit 4 i + j: corners i of a and j of b are one point of the material. Set by
                                     ///< Collisions where there are links.

  /// Looks for a plane between the two, with these corners [m], unless there was none some updates ago.
  void search_plane(const Mat34& corners_of_a, const Mat34& corners_of_b, double least_gap)
  {
    constexpr std::uint8_t updates_without_search = 16;  // a search costs more than an overlap
    if (search_plane_in > 0) return static_cast<void>(--search_plane_in);
    plane = geometry::separating_plane(corners_of_a, corners_of_b, least_gap);
    if (plane.none()) search_plane_in = updates_without_search;
  }
};

static_assert(sizeof(ListedPair) == 12);

using PairIds = std::pair<ElementId, ElementId>;  ///< Ascending.

/// A pair that overlapped at the last overlap update.
struct TouchingPair {
  PairIds ids;
  ListedPair pair;
  int found = -1;              ///< Position of its overlap among those that the last update has found.
  double overlap = 0;          ///< At the last update [m^3].
  double initial_overlap = 0;  ///< The least overlap since the pair began to overlap [m^3].
};

/// A pair that touched and is not in the list any more, since one of its elements has changed or the list was made
/// anew.
struct LostPair {
  PairIds ids;
  double overlap = 0, initial_overlap = 0;  ///< [m^3]
  std::array<NodeId, 8> corners;            ///< Of the first element, then of the second.
};

/// Linear motion of a node. Times count from the beginning of the window.
struct NodeMotion {
  Row4 start{};  ///< At time 0, or where it would have come from [m]. start.w: skin, how far the node may be off [m].
  Row4 v{};      ///< [m/s]. v.w: the time up to which the motion holds [s].
  Vec3 at(double time) const { return start.xyz() + time * v.xyz(); }
};

struct WatchedNode {
  LocalIndex node = 0;
  NodeMotion motion;
};

/// Verlet list: the pairs that may touch, with their elements, of this rank and of other ranks. Elements and nodes keep
/// their positions until the window ends; what is removed leaves a gap that later ones fill.
struct PairList {
  ListWindow window;
  std::vector<LocalIndex> nodes;  ///< Local index; -1: not held here, another rank sends it each step.
  std::vector<NodeId> node_ids;   ///< (nodes)
  std::vector<Vec3> X;            ///< (nodes) where they are in the material [m]
  std::vector<ListedElement> elements;
  std::vector<ListedPair> pairs;                 ///< That do not touch, in any order.
  std::vector<TouchingPair> touching;            ///< Ascending by ids.
  std::vector<partition::Neighbour> neighbours;  ///< mirrors: local indices; ghosts: positions in nodes.
  std::vector<WatchedNode> watched;              ///< Owned nodes of the surface's elements, and some that were.

  // What the last change has brought and taken.
  std::vector<int> new_nodes;
  std::size_t first_new_pair = 0;  ///< In pairs, with all that follow. Until the next overlap update.
  std::vector<LostPair> lost;      ///< Ascending by ids.
  bool neighbours_changed = false;

  /// A gap so wide [m] is no round-off: two elements with it between them do not overlap.
  double least_gap() const { return 1e-6 * window.least_skin; }
  /// Of a pair of the list.
  PairIds ids(const ListedPair& pair) const
  {
    return {elements[static_cast<std::size_t>(pair.a)].id, elements[static_cast<std::size_t>(pair.b)].id};
  }
  std::array<NodeId, 8> corners(const ListedPair& pair) const;
  /// For more pairs. They are most of what contact keeps, so they do not grow by doubling.
  void make_room(std::size_t more);
  /// Moves those of the pairs from this position on for which touches(pair, touching) holds to those that touch.
  /// @param touches  bool(ListedPair&, TouchingPair&): sets the overlaps of the second
  template <class Touches>
  void move_to_touching(std::size_t begin, Touches&& touches);
  /// Frees what the last change has brought and taken: where the list was made anew, that is all of it.
  void forget_change();
};

template <class Touches>
void PairList::move_to_touching(std::size_t begin, Touches&& touches)
{
  const std::ptrdiff_t before = std::ssize(touching);
  TouchingPair now;
  std::size_t left = begin;
  for (std::size_t k = begin; k < pairs.size(); ++k) {
    ListedPair pair = pairs[k];
    if (touches(pair, now)) {
      now.ids = ids(pair), now.pair = pair;
      touching.push_back(now);
    } else {
      pairs[left++] = pair;
    }
  }
  pairs.resize(left);
  const auto by_ids = [](const TouchingPair& x, const TouchingPair& y) { return x.ids < y.ids; };
  std::sort(touching.begin() + before, touching.end(), by_ids);
  std::inplace_merge(touching.begin(), touching.begin() + before, touching.end(), by_ids);
}

}  // namespace sunder::contact
