#pragma once
/// Selects from the pair list the pairs that may touch soon. Local.

#include "contact/broad_phase/pair_list.hpp"
#include "geometry/separating_axis.hpp"

#include <array>

namespace sunder::contact {

/// Each node has a linear motion and a skin of its own, the distance it may be off that motion. The motions last for 64
/// calls of update(). A pair is inactive while its elements cannot touch as long as no node leaves its skin. update()
/// checks every node. A node that has left its skin gets a new motion and a wider skin, and only the inactive pairs of
/// elements around it are tested again. docs/contact.md has the picture.
class ActivePairs {
public:
  /// Gives all nodes new motions and tests all pairs. A pair that is found apart forgets its overlap, and so its
  /// initial overlap.
  /// @param p, v      of list.nodes [m], [m/s]
  /// @param interval  time to the next call of update() [s]
  void select(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double interval);

  /// Tests only the inactive pairs of elements with a node that has left its skin, and those that came with mend(); the
  /// others stay as they are: testing an active pair costs more than keeping it. Once the motions have ended it does
  /// what select() does.
  /// @param since  time since the last call of select(), update() or mend() [s]
  void update(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double since, double interval);

  /// The list has been mended: new nodes get motions, new pairs are active until they are tested. Costs the active
  /// pairs and what is new.
  void mend(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double since);

  /// Positions in list.pairs: sorted(), then others(), in any order.
  std::span<const int> pairs() const noexcept { return active_; }
  /// Ascending by ids. Those that overlapped when they were selected.
  std::span<const int> sorted() const noexcept { return pairs().first(sorted_); }
  std::span<const int> others() const noexcept { return pairs().subspan(sorted_); }
  std::size_t size() const noexcept { return active_.size(); }

private:
  /// Of one of list.nodes, until the motions end.
  struct LinearMotion {
    Row4 start, v, end;  // start.w: skin [m]
  };
  double kept_skin(const PairList& list, std::size_t node);
  LinearMotion motion(const PairList& list, std::size_t node, const Row4& p, const Row4& v);
  void renew_strays(const PairList& list, std::span<const Row4> p, std::span<const Row4> v);
  enum class Planes { remembered, all };
  void test(PairList& list, std::span<const int> pairs, Planes planes);
  template <class Gone>
  void remove(const Gone& gone);
  std::vector<int> inactive_pairs_of_renewed(const PairList& list);
  /// One of the two elements of a pair that is tested.
  struct Moving {
    int element = -1;
    geometry::LinearMotion motion;
    double skin = 0;
  };
  /// The last ones, at their numbers modulo its size: an element's pairs mostly stand together.
  using Cache = std::array<Moving, 64>;
  const Moving& cached(Cache& cache, const PairList& list, int element) const;
  Moving moving(const PairList& list, int element) const;
  static bool stay_apart(ListedPair& pair, const Moving& a, const Moving& b, Planes planes, double least_gap);

  std::vector<int> active_;
  std::size_t sorted_ = 0;
  std::vector<int> untested_;          // came with mend()
  std::vector<LinearMotion> motions_;  // (list.nodes)
  std::vector<std::uint8_t> renewed_;  // (list.nodes) 1: has a new motion since this call
  std::vector<std::uint8_t> to_test_;  // (pairs of the list) 0 between calls
  std::vector<double> skin_;           // by this rank's index, kept from list to list [m]; 0: not yet known
  double time_ = 0;                    // that motions last [s]
  double elapsed_ = 0;
};

}  // namespace sunder::contact
