#pragma once
/// Elements against elements, of different bodies and of one: T ch. 5, on any number of ranks. docs/contact.md.

#include "contact/broad_phase/linked_pair.hpp"
#include "contact/broad_phase/pair_search.hpp"
#include "contact/listed_levels.hpp"
#include "contact/narrow_phase/side_cache.hpp"
#include "contact/overlapping_pairs.hpp"
#include "partition/migration/migration_records.hpp"

namespace sunder::contact {

/// All collisions of a rank's elements, in two stages: PairSearch lists the pairs that may touch, all ranks together;
/// find_overlaps() finds those that overlap, and only these exert forces. Each rank has all pairs of the elements it
/// holds; it takes those that overlap in ascending order of ids, and adds the forces on its nodes itself. Pairs that do
/// not overlap add nothing, so it changes no bit which of them a list holds.
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
///
/// Elements that share a point of the material are no pair either as long as links hold there: the links bear what
/// presses the two on each other. When these have broken, what the two overlap by then is their initial overlap.
class Collisions {
public:
  using Links = contact::Links;

  /// Local. moduli: lambda + 2 mu of each material [Pa], for the stiffness if response.stiffness is 0. links: in_w if
  /// p.w of each node is how much strength its links have left, 0 without any.
  Collisions(const Comm& comm, const Response& response, std::vector<double> moduli,
             ContactCriterion criterion = ContactCriterion::overlap, Links links = Links::none);

  /// A state: its mesh, and what its nodes have, ghosts included.
  struct Bodies {
    const mesh::TetMesh& mesh;
    const partition::Halo& halo;
    std::span<const Row4> p, v;  ///< (nodes) [m], [m/s]
    double size = 0;             ///< A typical edge, the same on every rank [m].
  };

  /// Collective on neighbours. The bodies are new to this rank, all of them. renew() must follow.
  void reset(const Bodies& bodies);
  /// Collective on neighbours, when the mesh has changed and the halo has been brought up to date. Can this rank mend
  /// the list? If each can, all must call mend(); else all must call renew().
  /// @param slots    as of ContactSurface::update()
  /// @param nodes    that are, or were, corners of these
  /// @param origins  of elements made since the last renew() or mend()
  [[nodiscard]] bool follow_cut(const Bodies& bodies, std::span<const LocalIndex> slots,
                                std::span<const LocalIndex> nodes, Origins origins);
  /// Collective on near ranks: two exchanges. The list goes on to the end of its window; pairs with a changed element
  /// are looked for.
  void mend(const Bodies& bodies);
  /// Collective: two reductions, two sparse exchanges, two with near ranks, one with neighbours. Makes the pair list
  /// anew, for a new window.
  /// @param interval  time between overlap updates, the same on every rank [s]
  void renew(const Bodies& bodies, double interval);

  /// holds: till the next overlap update. strayed: some owned nodes have left their skins. expired: the window is over,
  /// or so many nodes have left their skins that a new list costs less.
  enum class ListState : std::uint8_t { holds, strayed, expired };
  /// Local. p: positions after a step of dt [s] that finish_exchange() has not been called for yet.
  ListState list_state(std::span<const Row4> p, double dt) const;
  /// Collective if worst, the greatest state on any rank, is not `holds`. Nodes that have left their skins get new
  /// linear motions, and the pairs of the elements around them are looked for again; or the list is made anew, as by
  /// renew().
  void keep_up(const Bodies& bodies, ListState worst, double interval);

  /// Collective on neighbours, after each step of dt [s]. Sends and receives the motion of listed nodes of other ranks.
  void start_exchange(std::span<const Row4> p, std::span<const Row4> v);
  void finish_exchange(double dt);

  /// Local. An overlap update: computes how the listed pairs overlap at p.
  void find_overlaps(std::span<const Row4> p, std::span<const Row4> v);

  /// Local. Adds to f (nodes) [N] the forces of all pairs that overlapped at the last update. Returns their power, of
  /// the pairs that this rank counts: those whose first element has it as primary rank [W].
  double add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f);

  /// Local. Has the list changed since take_levels()? The same on every rank.
  bool list_changed() const noexcept { return list_changed_; }
  /// Collective on near ranks. Levels of time steps of the nodes held here; finest: of all ranks. Pairs are in the
  /// order of their levels from now on.
  void take_levels(std::span<const std::uint8_t> of_nodes, int finest);
  /// Local. Forces of the pairs of a level in another state, of which nothing is remembered; but nodes of other ranks
  /// are where the last exchange had them.
  void add_trial_forces(int level, std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f);
  /// Collective on near ranks. Sends and receives another state of the listed nodes of a level or finer, from 1 on.
  void exchange_trial(int level, std::span<const Row4> p, std::span<const Row4> v);
  /// Local. Calls visit(n) with each node held here that some overlapping pair of a level has, once.
  template <class Visit>
  void for_each_overlapping_node(int level, Visit&& visit) const
  {
    overlapping_.for_each_node(level, list().nodes, visit);
  }

  /// Local. Power [W] that the forces of the last add_forces() have with velocities v, of the pairs this rank counts.
  double power(std::span<const Row4> v);

  /// Local. Overlap and initial overlap of pairs, one record for each of the two elements that is held here.
  /// To be called right before an overlap update: what has been extrapolated since the last one is not in it.
  std::vector<partition::PairRecord> memory() const;
  /// Local. After the first renew(): takes records that memory() returned, of pairs of elements held here.
  void restore(std::span<const partition::PairRecord> memory);

  /// Processor time that this rank spent on pairs [s].
  struct PairTime {
    double listed = 0;     ///< On listed pairs that do not overlap: about the same for each, in each update.
    double touching = 0;   ///< On overlaps and forces: about the same for each overlapping pair and update.
    double searching = 0;  ///< In mend(): about the same for each element whose pairs are looked for.
    double sum() const noexcept { return listed + touching + searching; }
  };
  const PairTime& spent() const noexcept { return spent_; }  ///< Local. Since the start or reset_costs().
  void reset_costs();                                        ///< Local.
  /// Processor time, and what it was spent on: listed pairs, updates of overlapping ones, elements in mend().
  struct PairWork {
    PairTime seconds;
    double listed = 0, touching = 0, searched = 0;
  };
  PairWork work() const;  ///< Local. Of this rank, since the start or reset_costs().
  /// What a listed pair costs, an update of an overlapping one, and a search for an element's pairs: the same on every
  /// rank [s].
  struct PairCosts {
    double listed = 0, touching = 0, searched = 0;
  };
  /// Local. Adds to costs (slots) [s] what the pairs of each held element cost, half of a pair's to each of its two
  /// elements.
  void add_costs(const PairCosts& each, std::span<double> costs) const;

  const ContactSurface& surface() const noexcept { return surface_; }
  std::size_t num_listed() const noexcept { return list().pairs.size() + list().touching.size(); }
  std::size_t num_overlapping() const noexcept { return overlapping_.size(); }
  std::int64_t renewals() const noexcept { return renewals_; }
  std::int64_t mendings() const noexcept { return mendings_; }

private:
  /// Since reset_costs().
  struct Counts {
    std::vector<std::uint32_t> of_slots;
    double all = 0;
    void add(LocalIndex slot)
    {
      const auto at = static_cast<std::size_t>(slot);
      if (at >= of_slots.size()) of_slots.resize(at + 1, 0);
      ++of_slots[at];
    }
    void clear() { of_slots.clear(), all = 0; }
  };

  SweptBodies swept(const Bodies& bodies) const;
  ListWindow next_window(const Bodies& bodies, double interval);
  void begin_motions(const Bodies& bodies, const ListWindow& window, double interval);
  NodeMotion motion(const Bodies& bodies, const ListWindow& window, std::size_t n, double skin) const;
  std::vector<LocalIndex> strays(std::span<const Row4> p, double elapsed, double share) const;
  /// A hundredth: each has some ten elements of the surface around it, so about here a new list costs as much.
  bool few(std::size_t strays) const { return strays <= 1 + list().watched.size() / 100; }
  void give_motions(const Bodies& bodies);
  bool mendable(const Bodies& bodies) const;
  void fetch_nodes(const Bodies& bodies);
  void gather(std::span<const Row4> p, std::span<const Row4> v);
  void gather_corners();
  OverlappingPairs::Nodes nodes();
  bool is_heir(int element);
  void inherit(const Bodies& bodies);
  bool inherit(const Bodies& bodies, const ListedPair& pair, TouchingPair& heir);
  ElementId origin(const ListedElement& element) const;
  void forget_sides();
  const Side& first_side(const ListedPair& pair) { return first_sides_.side(list(), pair.a, p_); }
  const Side& second_side(const ListedPair& pair) { return second_sides_.side(list(), pair.b, p_); }
  bool known_apart(const ListedPair& pair) const;
  bool overlaps(TouchingPair& touching);
  void find_overlaps_of_touching();
  void find_overlaps_of_others();
  void count_update(const ListedPair& pair);
  void add_overlapping(const TouchingPair& touching, std::uint8_t level);
  void group_by_level();
  ElementOverlap overlap_of(const ListedPair& pair);
  ElementOverlap measure_overlap(ListedPair& pair);
  PairList& list() noexcept { return search_.list(); }
  const PairList& list() const noexcept { return search_.list(); }
  const ListedElement& first(const ListedPair& pair) const { return list().elements[static_cast<std::size_t>(pair.a)]; }
  const ListedElement& second(const ListedPair& pair) const
  {
    return list().elements[static_cast<std::size_t>(pair.b)];
  }
  double stiffness(const ListedElement& a, const ListedElement& b) const;

  Comm comm_;
  Response response_;
  ContactCriterion criterion_;
  bool links_;
  std::vector<double> moduli_;
  ContactSurface surface_;
  std::vector<LocalIndex> changed_slots_, changed_nodes_;  // since the list was right
  Origins origins_;                                        // since then
  std::vector<NodeMotion> motions_;                        // (nodes)
  std::size_t strays_ = 0;                                 // of this rank, at the last give_motions()
  PairSearch search_;
  partition::KinematicsExchange exchange_;
  std::vector<Row4> p_, v_;                 // (nodes of the list)
  std::vector<geometry::Corners> corners_;  // (elements of the list) at the last overlap update
  SideCache first_sides_, second_sides_;    // of pairs
  std::vector<ElementId> of_lost_;          // the elements of lost pairs, ascending
  std::vector<std::int8_t> is_heir_;        // (elements of the list) -1 between calls of inherit()
  std::vector<int> asked_;                  // elements for which it is not
  std::vector<ElementOverlap> found_;       // at the last update
  std::vector<ListedPair> parted_;          // that touched before it, and do not any more
  Counts updates_;                          // of overlapping pairs; by slots of their elements
  Counts searches_;                         // for an element's pairs
  ListedLevels levels_;
  OverlappingPairs overlapping_;
  bool list_changed_ = true;
  double elapsed_ = 0;   // since renew() [s]
  double interval_ = 0;  // as of the last renew() [s]
  std::int64_t renewals_ = 0, mendings_ = 0;
  PairTime spent_;
};

}  // namespace sunder::contact
