#pragma once
/// Elements against elements, of different bodies and of one: T ch. 5, on any number of ranks. docs/contact.md.

#include "contact/broad_phase/active_pairs.hpp"
#include "contact/broad_phase/pair_list.hpp"
#include "contact/law/pair_force.hpp"
#include "geometry/box_tree.hpp"
#include "partition/migration.hpp"

namespace sunder::contact {

/// All collisions of a rank's elements. Pairs that may touch soon are listed for all ranks together (find_pairs()),
/// those of them that may touch in the next steps by each rank for itself (ActivePairs), and forces come from the
/// latter alone. Each rank has all pairs of the elements it holds, in ascending order of ids, and adds the forces on
/// its nodes itself: what the lists hold beyond the pairs that overlap, and who holds them, never changes a bit.
///
/// How elements overlap is worked out at moments the caller chooses, the same on every rank; between them overlaps
/// change by how their centres move (pair_force()), as steps shrink with the elements that cutting makes, and what
/// there is to see of two bodies does not.
///
/// The overlap that a pair has when it is first seen is its initial overlap: it does not press, only what exceeds it
/// does, and it shrinks with the overlap. So contact gives back no more energy than it took. It matters where overlap
/// comes without approach: the faces of a young crack, which coincide or were squeezed through each other while they
/// shared nodes (elements that share one are no pair), and an inverted element that recovers amid others. The criterion
/// by nodes has no initial overlap: a node that slides from one element into the next is deep at once.
class Collisions {
public:
  /// moduli: lambda + 2 mu of each material [Pa], for the stiffness where response leaves it open.
  Collisions(const Comm& comm, const Response& response, std::vector<double> moduli,
             Criterion criterion = Criterion::overlap);

  /// Collective. The mesh has changed (see Surface::update; the halo is up to date); refresh() must follow.
  /// origins: elements made from others since the last refresh().
  void mesh_changed(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed,
                    Origins origins = {});

  /// Collective. Lists the pairs that may touch until stale() says otherwise. p, v: whole, ghosts included.
  /// size: a typical edge [m]; interval: time between calls of find_overlaps() [s]; the same on every rank. If the mesh
  /// has changed and the list still holds for what has not, only pairs of what has are looked for.
  void refresh(const mesh::TetMesh& mesh, partition::Halo& halo, std::span<const Row4> p, std::span<const Row4> v,
               double size, double interval);

  /// Local. Nodes have moved to p for dt [s], which finish_exchange() has not been told yet. Has one of this rank's
  /// left what the list allows for? If so on any rank, refresh() on all before overlaps are worked out.
  bool stale(std::span<const Row4> p, double dt) const;

  /// Collective on neighbours. Brings the nodes of other ranks' elements up to date, after each step.
  void start_exchange(std::span<const Row4> p, std::span<const Row4> v);
  void finish_exchange(double dt);

  /// Local. Works out how pairs overlap at p. interval: time to the next call [s].
  void find_overlaps(std::span<const Row4> p, std::span<const Row4> v, double interval);

  /// Local. Adds the forces of all pairs that overlapped at the last find_overlaps() to f. Returns their power on the
  /// pairs this rank counts [W].
  double add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f);

  /// Local. Power [W] of the last add_forces() on the pairs this rank counts, with velocities v.
  double power(std::span<const Row4> v);

  /// Local. What pairs remember of their overlap, for each of the two elements that this rank counts. Meaningful where
  /// find_overlaps() is what comes next.
  std::vector<partition::PairRecord> memory() const;
  /// Local. After the first refresh(): what pairs of elements held here remembered.
  void restore(std::span<const partition::PairRecord> memory);

  /// What this rank spent [s of its processor].
  struct ProcessorTime {
    double listed = 0;    ///< On finding those that may touch soon: on each pair listed about the same.
    double touching = 0;  ///< On overlaps and forces: on each pair that overlaps about the same each time.
  };
  const ProcessorTime& spent() const noexcept { return spent_; }  ///< Local. Since the start or reset_costs().
  void reset_costs();                                             ///< Local.
  /// Collective. Adds to costs (slots of the mesh) what went into the pairs of each element held, half a pair to each
  /// of its two [s]. A pair listed, or that overlaps, counts the same on every rank.
  void add_costs(std::span<double> costs) const;

  const Surface& surface() const noexcept { return surface_; }
  std::size_t num_listed() const noexcept { return list_.pairs.size(); }
  std::size_t num_active() const noexcept { return active_.size(); }
  std::size_t num_overlapping() const noexcept { return overlapping_.size(); }
  std::int64_t refreshes() const noexcept { return refreshes_; }
  std::int64_t continuations() const noexcept { return continuations_; }  ///< Of these, with pairs taken over.

private:
  void gather(std::span<const Row4> p, std::span<const Row4> v);
  Window next_window(const mesh::TetMesh& mesh, std::span<const Row4> v, double size, double interval);
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
  Criterion criterion_;
  std::vector<double> moduli_;
  Surface surface_;
  geometry::BoxTree tree_;
  bool mesh_changed_ = true;
  Origins origins_;
  PairList list_;
  std::vector<Row4> start_p_, start_v_;  // (nodes) where, how fast when the window began, or as if they had been then
  std::vector<std::uint8_t> unchanged_;  // (slots) part of the skin at the last refresh(), and as it was
  ActivePairs active_;
  partition::MotionExchange exchange_;
  std::vector<Row4> p_, v_;  // of list_.nodes
  std::vector<Side> sides_;  // of list_.elements, where sides_set_: those asked for since nodes moved
  std::vector<std::uint8_t> sides_set_;
  std::vector<OverlappingPair> overlapping_;
  double elapsed_ = 0, since_update_ = 0;  // since refresh(), and since active_ was brought up to date [s]
  double skin_share_ = 0.01;               // Window::skin over an edge
  std::int64_t refreshes_ = 0, continuations_ = 0;
  ProcessorTime spent_;
  int looks_ = 0;  // since reset_costs()
};

}  // namespace sunder::contact
