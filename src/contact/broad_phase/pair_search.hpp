#pragma once
/// The search for pairs of elements that may touch during a window of time, across ranks.

#include "contact/broad_phase/pair_list_builder.hpp"
#include "contact/broad_phase/rank_rendezvous.hpp"
#include "geometry/box_forest.hpp"

#include <array>
#include <memory>

namespace sunder::contact {

/// Finds all pairs of elements of the surface that may touch during the window, of which this rank holds one. Only
/// elements of the surface are paired: what enters a body meets them first. Two elements are no pair if they share a
/// node, or if the plane of a face separates them as long as the motions of both hold.
///
/// When the mesh is cut in the window, the list is mended: what changed goes, with its pairs, and what came is searched
/// for. That costs what changed, and a message to each rank that is near.
///
/// Near are all ranks whose boxes meet this rank's. Boxes cover all that a rank holds, inside bodies too, throughout
/// the window, so that what cracks bring to the surface is within them. Each rank tells the near ones its primary
/// elements of the surface that meet their boxes, and later what has changed of these.
class PairSearch {
public:
  explicit PairSearch(const Comm& comm) : comm_(comm) {}

  /// Collective: one reduction, two sparse exchanges, two exchanges with near ranks. A window begins.
  void begin(const SweptBodies& bodies, const ListWindow& window);

  /// Local. Are these elements within the boxes that near ranks know of?
  bool covers(const SweptBodies& bodies, std::span<const LocalIndex> slots) const;

  /// Collective: two exchanges with near ranks. The mesh has been cut, or nodes have new motions. On no rank is there
  /// an element that covers() denies. Returns the processor time of the search [s].
  /// @param slots  of the elements made, cut, emptied, come to the surface or gone from it, and of all around nodes
  ///               that were split; ascending
  /// @param nodes  those that are, or were, their corners
  double update(const SweptBodies& bodies, std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes);

  const PairList& list() const noexcept { return builder_.list(); }
  PairList& list() noexcept { return builder_.list(); }
  bool watched(LocalIndex n) const { return builder_.watched(n); }
  /// Local. Another rank's element. Where it was new at the last change, is.origin is its ancestor before.
  const SurfaceElement& other(const ListedElement& e) const { return others_[static_cast<std::size_t>(~e.slot)]; }

private:
  /// One of the two elements of a pair that is considered.
  struct Candidate {
    LocalIndex slot = -1;  // of this rank's mesh, or ~(position in others_)
    ElementId id;
    SweptElement swept;           // times count from now
    geometry::FacePlanes planes;  // now
  };

  /// The last candidates, at their slots modulo its size. Trees give pairs that are near each other one after the
  /// other, so few candidates are computed more than twice. Those of a whole surface would take more memory than the
  /// bodies.
  using CandidateCache = std::array<Candidate, 1024>;

  Candidate make_candidate(LocalIndex slot, const ElementId& id, SweptElement swept) const;
  Candidate held_candidate(const SweptBodies& bodies, LocalIndex slot) const;
  Candidate candidate_of_other(int k) const;
  const Candidate& cached(CandidateCache& cache, const SweptBodies& bodies, LocalIndex slot) const;
  void clear_caches();
  std::vector<Candidate> candidates_that_came() const;
  static geometry::BoxTree tree_over(std::span<const Candidate> candidates);
  void find_pairs_of(const SweptBodies& bodies, std::span<const LocalIndex> fresh);
  void consider(const Candidate& x, const Candidate& y);
  void consider_other(const SweptBodies& bodies, const Candidate& x, const Candidate& y);
  static bool share_node(const Tet& a, const Tet& b);
  bool share_node(const mesh::TetMesh& mesh, LocalIndex slot, const SurfaceElementFacts& other) const;

  void find_near_ranks(const SweptBodies& bodies);
  std::vector<Bytes> messages() const;
  void send(const SweptBodies& bodies, LocalIndex slot, std::size_t to, std::vector<Bytes>& out) const;
  void send_all(const SweptBodies& bodies, std::vector<Bytes>& out) const;
  void receive(const std::vector<Bytes>& out);
  void remove_other(std::uint64_t key);
  void watch_nodes(const SweptBodies& bodies, std::span<const LocalIndex> slots);
  void add_found(const SweptBodies& bodies);

  Comm comm_;
  double elapsed_ = 0;                               // of the window, at the last change
  geometry::BoxForest held_;                         // elements of the surface, by slot
  geometry::BoxForest others_boxes_;                 // of others_
  std::vector<SurfaceElement> others_;               // elements of near ranks, with gaps
  std::vector<int> gaps_;                            // in others_
  std::vector<int> came_;                            // in others_, with the last change
  std::unordered_map<std::uint64_t, int> other_of_;  // key: rank and slot there; value: in others_
  std::vector<geometry::Box> boxes_;                 // cover what this rank holds
  std::vector<RankBoxes> near_;
  std::vector<Rank> near_ranks_;
  std::unique_ptr<CandidateCache> cache_of_first_ = std::make_unique<CandidateCache>();   // of the pairs considered
  std::unique_ptr<CandidateCache> cache_of_second_ = std::make_unique<CandidateCache>();  // in this search
  std::vector<Found> found_;
  PairListBuilder builder_;
};

}  // namespace sunder::contact
