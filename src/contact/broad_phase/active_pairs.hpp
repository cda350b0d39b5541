#pragma once
/// Of the pairs listed, those that may touch soon. Local.

#include "contact/broad_phase/pair_list.hpp"
#include "geometry/separating_axis.hpp"

namespace sunder::contact {

/// The others are kept apart by a face's plane for a while, whatever happens: each node stays within a slack of a
/// straight course, which is looked at each time. A node that strays gets a new course and more slack, and so does not
/// cost pairs of others, nor does a list that is continued after a cut cost pairs it took over.
class ActivePairs {
public:
  /// From the list list.pairs, whose elements' nodes are at p with velocities v; interval: time to the next call [s].
  /// Pairs found apart lose what they had as initial overlap.
  void select(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double interval);

  /// The selection made before, but for pairs of elements whose nodes strayed; select() when its time is over.
  /// since: time from the last call of any of these [s].
  void update(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double since, double interval);

  /// The same for a list of the same window that has taken pairs over from the one before.
  void continue_from(const PairList& before, PairList& list, std::span<const Row4> p, std::span<const Row4> v,
                     double since, double interval);

  std::span<const int> pairs() const noexcept { return active_; }  ///< Positions in list.pairs, ascending.
  std::size_t size() const noexcept { return active_.size(); }

private:
  /// Of list.nodes while the selection lasts.
  struct NodeMotion {
    Row4 start, v, end;  // start.w: slack
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
  std::vector<std::uint8_t> renewed_;  // (list.nodes) their courses began with this call
  std::vector<double> skin_;           // by this rank's index, kept from list to list [m]; 0: not yet known
  double time_ = 0;                    // that courses last [s]
  double elapsed_ = 0;
};

}  // namespace sunder::contact
