#pragma once
/// Of the pairs listed, those that may touch soon. Local.

#include "contact/nearby.hpp"

namespace sunder::contact {

/// The others are kept apart by a face's plane, whatever happens: each node stays within a slack of where its velocity
/// takes it, which is looked at each time. A node that strays gets more slack, so that one that trembles does not cost
/// all others' pairs.
class ActivePairs {
public:
  /// From the list near.pairs, whose elements' nodes are at p with velocities v; interval: time to the next call [s].
  /// Pairs found apart lose what was forgiven of their overlap.
  void select(Near& near, std::span<const Row4> p, std::span<const Row4> v, double interval);

  /// select() again, unless the selection made before still holds; since: time from the last call of either [s].
  void update(Near& near, std::span<const Row4> p, std::span<const Row4> v, double since, double interval);

  std::span<const int> pairs() const noexcept { return active_; }  ///< Positions in near.pairs, ascending.
  std::size_t size() const noexcept { return active_.size(); }

private:
  bool find_strays(const Near& near, std::span<const Row4> p);
  bool stay_apart(const Near& near, NearPair& pair) const;
  void set_courses(const Near& near, std::span<const Row4> p, std::span<const Row4> v, double interval);

  std::vector<int> active_;
  std::vector<Row4> start_, course_, end_;  // of near.nodes: positions (w: slack), velocities, positions in the end
  std::vector<double> slack_;               // by this rank's index, kept from list to list [m]; 0: not yet known
  double time_ = 0;                         // that courses last [s]
  double elapsed_ = 0;
};

}  // namespace sunder::contact
