#pragma once
/// Elements against elements in positions that are tried, for solvers that search for the end of a step. On any number
/// of ranks. docs/equilibrium.md.

#include "contact/broad_phase/linked_pair.hpp"
#include "contact/broad_phase/pair_search.hpp"
#include "contact/law/pair_tangent.hpp"
#include "contact/narrow_phase/side_cache.hpp"
#include "partition/migration/migration_records.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sunder::contact {

/// The forces of Collisions (T ch. 5) with every overlap worked out at the positions given, in any order of positions.
/// What pairs remember is of the last accepted state, which remember() makes the present one. A pair that did not
/// overlap there has no initial overlap, however deep it is when tried. As in explicit steps the overlap that is found
/// where elements have just been made, or the run has just begun, is an initial one.
///
/// A list holds all pairs of elements that are near. It is made anew when a node has moved further than its skin since.
/// Pairs that do not overlap add nothing, so it changes no bit which of them a list holds.
///
/// As in Collisions, elements that share a point of the material are no pair as long as links hold there. reset() has
/// to follow once these have broken: it takes what the two overlap by then as their initial overlap.
class TrialCollisions {
public:
  /// Local. moduli: lambda + 2 mu of each material [Pa], for the stiffness if response.stiffness is 0. reset() must
  /// follow.
  TrialCollisions(const Comm& comm, const Response& response, std::vector<double> moduli, ContactCriterion criterion,
                  Links links = Links::none);

  /// A state: its mesh, and what its nodes have, ghosts included.
  struct Bodies {
    const mesh::TetMesh& mesh;
    std::span<const Row4> p, v;  ///< (nodes) [m], [m/s]
    double size = 0;             ///< A typical edge, the same on every rank [m].
  };

  /// Collective. The bodies are new to this rank, in an accepted state, with what pairs of elements held here remember.
  void reset(const Bodies& bodies, const partition::Halo& halo, std::span<const partition::PairRecord> memory);
  /// Collective. They were cut in an accepted state. Pairs of new elements inherit from the pair of those that they
  /// were cut from.
  void cut(const Bodies& bodies, const partition::Halo& halo, Origins origins);

  /// Collective. Where elements overlap now.
  void find_overlaps(const Bodies& bodies);
  /// Local. Adds to f (nodes) [N] the forces of the pairs that overlap.
  void add_forces(std::span<Row4> f) const;
  /// Local. The state of the last find_overlaps() has been accepted.
  void remember();
  /// Local. Overlap and initial overlap of the pairs that overlapped in the last accepted state: one record for each of
  /// the two elements that is held here.
  const std::vector<partition::PairRecord>& memory() const noexcept { return memory_; }

  /// A corner of an element that may be another rank's.
  struct Corner {
    NodeId id = 0;
    LocalIndex node = -1;  ///< Of this rank's mesh; -1: not held here.
    Rank owner = -1;       ///< If it is not held.
  };
  using Corners = std::array<Corner, 8>;  ///< Of the first element, then of the second.
  using Ids = std::pair<ElementId, ElementId>;

  /// Local. How many pairs overlap, and of each: its ids (pairs ascend by them), corners, minus the derivative of its
  /// forces.
  std::size_t num_overlapping() const noexcept { return overlapping_.size(); }
  Ids ids(std::size_t k) const { return ids(pair(overlapping_[k])); }
  Corners corners(std::size_t k) const;
  PairMatrix tangent(std::size_t k, const TangentOptions& options) const;

  /// Collective. Nodes move straight by `moves` from p: the greatest share of this that lets no element through
  /// another. Two elements approach by no more than they are apart, or by a quarter of the size where that is more.
  /// More than 1, or infinite, if all of it does.
  /// @param moves  (nodes) [m]
  double safe_share(const Bodies& bodies, std::span<const Row4> moves) const;

private:
  struct Overlapping {
    int pair;  // of the list
    ElementOverlap overlap;
  };
  struct Overlaps {
    double overlap = 0, initial_overlap = 0;  // [m^3]
  };
  struct Remembered {
    Ids ids;
    Overlaps had;
  };

  void set_surface(const Bodies& bodies, const partition::Halo& halo);
  bool out_of_skin(std::span<const Row4> p) const;
  void make_list(const Bodies& bodies);
  void recall();
  void settle(bool was_cut);
  void gather(const Bodies& bodies);
  ElementOverlap measure(ListedPair& pair);
  const ListedPair& pair(const Overlapping& o) const { return list().pairs[static_cast<std::size_t>(o.pair)]; }
  const Overlaps& had(const Overlapping& o) const { return had_[static_cast<std::size_t>(o.pair)]; }
  const ListedElement& element(int k) const { return list().elements[static_cast<std::size_t>(k)]; }
  Ids ids(const ListedPair& pair) const { return list().ids(pair); }
  const PairList& list() const noexcept { return search_.list(); }
  PairList& list() noexcept { return search_.list(); }
  ElementId origin(const ListedElement& e) const;
  double stiffness(const ListedPair& pair) const;

  Comm comm_;
  Response response_;
  std::vector<double> moduli_;
  ContactCriterion criterion_;
  bool links_;
  ContactSurface surface_;
  PairSearch search_;
  bool listed_ = false;
  Origins origins_;
  std::vector<Rank> owners_;  // (nodes of the list) of those not held
  partition::KinematicsExchange exchange_;
  std::vector<Row4> p_, v_;  // (nodes of the list)
  SideCache first_sides_, second_sides_;
  std::vector<Overlapping> overlapping_;
  std::vector<Overlaps> had_;           // (pairs of the list) in the last accepted state
  std::vector<Remembered> remembered_;  // of the last accepted state, ascending by ids
  std::vector<partition::PairRecord> memory_;
};

}  // namespace sunder::contact
