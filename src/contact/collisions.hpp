#pragma once
/// Elements against elements, of different bodies and of one: T ch. 5, on any number of ranks. docs/contact.md.

#include "contact/broad_phase/active_pairs.hpp"
#include "contact/broad_phase/pair_list.hpp"
#include "contact/broad_phase/swept_surface.hpp"
#include "contact/law/pair_force.hpp"
#include "partition/migration/migration_records.hpp"

namespace sunder::contact {

/// All collisions of a rank's elements, in three stages: find_pairs() lists the pairs that may touch, all ranks
/// together; ActivePairs selects of these the pairs that may touch soon, each rank for itself; find_overlaps() finds
/// the active pairs that overlap, and only these exert forces. Each rank has all pairs of the elements it holds, in
/// ascending order of ids, and adds the forces on its nodes itself. Pairs that do not overlap add nothing, so it
/// changes no bit which of them a list holds.
///
/// find_overlaps() is an *overlap update*. The caller chooses the moments of updates, the same on every rank. Between
/// updates an overlap changes by how far its two centres have moved (pair_force()). Updates may be rarer than steps:
/// cutting shortens steps, but not the time in which two bodies approach each other.
///
/// The overlap of a pair at the first update that finds one, after none, is its initial overlap. It exerts no force;
/// only overlap beyond it does. It shrinks with the overlap and never grows. So contact gives back no more energy than
/// it took. This matters where overlap comes without approach. Elements that share a node are no pair; when a crack
/// separates them, its faces coincide or have been squeezed through each other. An inverted element may recover amid
/// others. The criterion by nodes has no initial overlap: a node that slides from one element into the next is deep at
/// once.
class Collisions {
public:
  /// Local. moduli: lambda + 2 mu of each material [Pa], for the stiffness if response.stiffness is 0.
  Collisions(const Comm& comm, const Response& response, std::vector<double> moduli,
             ContactCriterion criterion = ContactCriterion::overlap);

  /// Collective on neighbours. To be called when the mesh has changed and the halo has been rebuilt; refresh() must
  /// follow. changed: as of ContactSurface::update(). origins: of elements made since the last refresh().
  void update_surface(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed,
                      Origins origins = {});

  /// Collective. Makes the pair list anew. If the mesh has changed and the list still holds for the unchanged elements,
  /// only pairs with a changed element are looked for. Two to four reductions and four sparse
  /// exchanges.
  /// @param p, v      (nodes) ghosts included [m], [m/s]
  /// @param size      a typical edge, the same on every rank [m]
  /// @param interval  time between overlap updates, the same on every rank [s]
  void refresh(const mesh::TetMesh& mesh, partition::Halo& halo, std::span<const Row4> p, std::span<const Row4> v,
               double size, double interval);

  /// Local. Has the list expired: is its window over, or has an owned node left its skin? p: positions after a step of
  /// dt [s] that finish_exchange() has not been called for yet. If the list has expired on any rank, all ranks must
  /// call refresh() before the next overlap update.
  bool stale(std::span<const Row4> p, double dt) const;

  /// Collective on neighbours, after each step of dt [s]. Sends and receives the motion of listed nodes of other ranks.
  void start_exchange(std::span<const Row4> p, std::span<const Row4> v);
  void finish_exchange(double dt);

  /// Local. An overlap update: computes how the active pairs overlap at p. interval: time to the next update [s].
  void find_overlaps(std::span<const Row4> p, std::span<const Row4> v, double interval);

  /// Local. Adds to f (nodes) [N] the forces of all pairs that overlapped at the last update. Returns their power, of
  /// the pairs that this rank counts: those whose first element has it as primary rank [W].
  double add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f);

  /// Local. Power [W] that the forces of the last add_forces() have with velocities v, of the pairs this rank counts.
  double power(std::span<const Row4> v);

  /// Local. Overlap and initial overlap of pairs, one record for each of the two elements whose primary rank this is.
  /// To be called right before an overlap update: what has been extrapolated since the last one is not in it.
  std::vector<partition::PairRecord> memory() const;
  /// Local. After the first refresh(): takes records that memory() returned, of pairs of elements held here.
  void restore(std::span<const partition::PairRecord> memory);

  /// Processor time that this rank spent on pairs [s].
  struct PairTime {
    double listed = 0;    ///< On selecting active pairs: about the same for each listed pair.
    double touching = 0;  ///< On overlaps and forces: about the same for each overlapping pair and update.
  };
  const PairTime& spent() const noexcept { return spent_; }  ///< Local. Since the start or reset_costs().
  void reset_costs();                                        ///< Local.
  /// Processor time [s], and what it was spent on: listed pairs, and updates of overlapping ones.
  struct PairWork {
    double listed_seconds = 0, listed = 0, touching_seconds = 0, touching = 0;
  };
  PairWork work() const;  ///< Local. Of this rank, since the start or reset_costs().
  /// Local. Adds to costs (slots) [s] the processor time spent on the pairs of each held element, half of a pair's time
  /// to each of its two elements. all: work() summed over ranks. A listed pair costs the same on every rank, and so
  /// does an update of an overlapping one.
  void add_costs(const PairWork& all, std::span<double> costs) const;

  const ContactSurface& surface() const noexcept { return surface_; }
  std::size_t num_listed() const noexcept { return list_.pairs.size(); }
  std::size_t num_active() const noexcept { return active_.size(); }
  std::size_t num_overlapping() const noexcept { return overlapping_.size(); }
  std::int64_t refreshes() const noexcept { return refreshes_; }
  std::int64_t continuations() const noexcept { return continuations_; }  ///< Refreshes that took pairs over.

private:
  std::vector<double> overlap_updates() const;
  void gather(std::span<const Row4> p, std::span<const Row4> v);
  ListWindow next_window(const mesh::TetMesh& mesh, std::span<const Row4> v, double size, double interval);
  void begin_motions(std::span<const Row4> p, std::span<const Row4> v);
  void extend_motions(partition::Halo& halo, std::span<const Row4> p, std::span<const Row4> v);
  void inherit(const PairList& before);
  void forget_sides();
  const Side& side(int element);
  ElementOverlap overlap_of(const ListedPair& pair);
  ElementOverlap measure_overlap(ListedPair& pair);
  const ListedElement& first(const ListedPair& pair) const { return list_.elements[static_cast<std::size_t>(pair.a)]; }
  const ListedElement& second(const ListedPair& pair) const { return list_.elements[static_cast<std::size_t>(pair.b)]; }
  double stiffness(const ListedElement& a, const ListedElement& b) const;

  struct OverlappingPair {
    int pair;  // of list_
    ElementOverlap overlap;
    Vec3 force = Vec3::Zero();  // on a, of the last add_forces()
  };

  Comm comm_;
  Response response_;
  ContactCriterion criterion_;
  std::vector<double> moduli_;
  ContactSurface surface_;
  SweptSurface swept_;
  bool surface_changed_ = true;
  Origins origins_;
  PairList list_;
  std::vector<Row4> start_p_, start_v_;  // (nodes) linear motion: place at the window's begin, velocity
  std::vector<std::uint8_t> unchanged_;  // (slots) 1: of the surface at the last refresh(), not changed since
  ActivePairs active_;
  partition::KinematicsExchange exchange_;
  std::vector<Row4> p_, v_;  // of list_.nodes
  std::vector<Side> sides_;  // of list_.elements, where sides_set_: those asked for since nodes moved
  std::vector<std::uint8_t> sides_set_;
  std::vector<OverlappingPair> overlapping_;
  double elapsed_ = 0, since_update_ = 0;  // since refresh(), and since active_ was brought up to date [s]
  double skin_share_ = 0.01;               // ListWindow::skin over an edge
  std::int64_t refreshes_ = 0, continuations_ = 0;
  PairTime spent_;
  int updates_ = 0;  // since reset_costs()
};

}  // namespace sunder::contact
