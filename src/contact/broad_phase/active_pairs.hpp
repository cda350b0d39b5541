#pragma once
/// Of the pairs listed, those that may touch soon. Local.

#include "contact/broad_phase/pair_list.hpp"
#include "geometry/separating_axis.hpp"

namespace sunder::contact {

/// Each node is given a linear motion and a skin: the distance it may be off that motion. A pair whose elements stay
/// apart for any motion within the skins is not active. update() looks at every node; one that has left its skin gets a
/// new motion and a wider skin, and only the pairs of its elements are tested again.
class ActivePairs {
public:
  /// Selects from list.pairs, whose elements' nodes are at p with velocities v; interval: time to the next call [s].
  /// Pairs found apart lose what they had as initial overlap.
  void select(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double interval);

  /// Keeps the selection, except for pairs of elements with a node that has left its skin. Calls select() when the time
  /// of the motions is over.
  /// since: time from the last call of any of these [s].
  void update(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double since, double interval);

  /// As update(), for a list that has taken over pairs of `before` and has the same window.
  void continue_from(const PairList& before, PairList& list, std::span<const Row4> p, std::span<const Row4> v,
                     double since, double interval);

  std::span<const int> pairs() const noexcept { return active_; }  ///< Positions in list.pairs, ascending.
  std::size_t size() const noexcept { return active_.size(); }

private:
  /// Of list.nodes while the selection lasts.
  struct NodeMotion {
    Row4 start, v, end;  // start.w: skin
  };
  double kept_skin(const PairList& list, std::size_t node);
  NodeMotion motion(const PairList& list, std::size_t node, const Row4& p, const Row4& v);
  void renew_strays(const PairList& list, std::span<const Row4> p, std::span<const Row4> v);
  void look_again(PairList& list, std::span<const int> new_pairs);
  bool stay_apart(const PairList& list, ListedPair& pair) const;
  geometry::LinearMotion motion_of(const ListedElement& e) const;
  double skin_of(const ListedElement& e) const;

  std::vector<int> active_;
  std::vector<NodeMotion> motions_;    // (list.nodes)
  std::vector<std::uint8_t> renewed_;  // (list.nodes) their motions began with this call
  std::vector<double> skin_;           // by this rank's index, kept from list to list [m]; 0: not yet known
  double time_ = 0;                    // that motions last [s]
  double elapsed_ = 0;
};

}  // namespace sunder::contact
