#pragma once
/// Elements against elements, of different bodies and of one: T ch. 5, on any number of ranks. docs/contact.md.

#include "contact/active_pairs.hpp"
#include "contact/bounding_tree.hpp"
#include "contact/nearby.hpp"
#include "contact/pair_contact.hpp"
#include "partition/records.hpp"

namespace sunder::contact {

/// All collisions of a rank's elements. Pairs that may touch soon are listed for all ranks together (find_near()),
/// those of them that may touch in the next steps by each rank for itself (ActivePairs), and forces come from the
/// latter alone. Each rank has all pairs of the elements it holds, in ascending order of ids, and adds the forces on
/// its nodes itself: what the lists hold beyond the pairs that overlap, and who holds them, never changes a bit.
///
/// How elements overlap is worked out at moments the caller chooses, the same on every rank; between them overlaps
/// change by how their centres move (force_of()), as steps shrink with the elements that cutting makes, and what there
/// is to see of two bodies does not.
///
/// The overlap a pair has when it is first seen to overlap is forgiven: it presses only by what comes on top, and by
/// less as the overlap shrinks. So what goes in comes out with no more than it spent. It matters where overlap comes
/// without approach: the faces of a young crack, which coincide or have been squeezed through each other while they
/// shared nodes (elements that do are no pair), and an element that was inside out and recovers amid others. Nodes that
/// penetrate are forgiven nothing: one that slides from an element into the next comes to it deep already.
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
  /// size: a typical edge [m]; interval: time between calls of find_touching() [s]; the same on every rank. If the mesh
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
  void find_touching(std::span<const Row4> p, std::span<const Row4> v, double interval);

  /// Local. Adds the forces of all pairs that overlapped at the last find_touching() to f. Returns their power on the
  /// pairs this rank counts [W].
  double add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f);

  /// Local. Power [W] of the last add_forces() on the pairs this rank counts, with velocities v.
  double power(std::span<const Row4> v);

  /// Local. What pairs remember of their overlap, for each of the two elements that this rank counts. Meaningful where
  /// find_touching() is what comes next.
  std::vector<partition::PairRecord> memory() const;
  /// Local. After the first refresh(): what pairs of elements held here remembered.
  void restore(std::span<const partition::PairRecord> memory);

  /// What this rank spent [s of its processor].
  struct Work {
    double listed = 0;    ///< On finding those that may touch soon: on each pair listed about the same.
    double touching = 0;  ///< On overlaps and forces: on each pair that overlaps about the same each time.
  };
  const Work& work() const noexcept { return work_; }  ///< Local. Since the start or forget_work().
  void forget_work();                                  ///< Local.
  /// Collective. Adds to costs (slots of the mesh) what went into the pairs of each element held, half a pair to each
  /// of its two [s]. A pair listed, or that overlaps, counts the same on every rank.
  void add_costs(std::span<double> costs) const;

  const Surface& surface() const noexcept { return surface_; }
  std::size_t num_listed() const noexcept { return near_.pairs.size(); }
  std::size_t num_active() const noexcept { return active_.size(); }
  std::size_t num_touching() const noexcept { return touching_.size(); }
  std::int64_t refreshes() const noexcept { return refreshes_; }
  std::int64_t continuations() const noexcept { return continuations_; }  ///< Of these, with pairs taken over.

private:
  void gather(std::span<const Row4> p, std::span<const Row4> v);
  Window next_window(const mesh::TetMesh& mesh, std::span<const Row4> v, double size, double interval);
  void begin_courses(std::span<const Row4> p, std::span<const Row4> v);
  void extend_courses(partition::Halo& halo, std::span<const Row4> p, std::span<const Row4> v);
  void inherit(const Near& before);
  void forget_sides();
  const Side& side(int element);
  Touch touch_of(const NearPair& pair);
  Touch look_at(NearPair& pair);
  const NearElement& first(const NearPair& pair) const { return near_.elements[static_cast<std::size_t>(pair.a)]; }
  const NearElement& second(const NearPair& pair) const { return near_.elements[static_cast<std::size_t>(pair.b)]; }
  double stiffness(const NearElement& a, const NearElement& b) const;

  struct Touching {
    int pair;  // of near_
    Touch touch;
    Vec3 force = Vec3::Zero();  // on a, of the last add_forces()
  };

  Comm comm_;
  Response response_;
  Criterion criterion_;
  std::vector<double> moduli_;
  Surface surface_;
  BoundingTree tree_;
  bool mesh_changed_ = true;
  Origins origins_;
  Near near_;
  std::vector<Row4> course_p_, course_v_;  // (nodes) where, how fast when the window began, or as if they had been then
  std::vector<std::uint8_t> unchanged_;    // (slots) part of the skin at the last refresh(), and as it was
  ActivePairs active_;
  partition::MotionExchange exchange_;
  std::vector<Row4> p_, v_;  // of near_.nodes
  std::vector<Side> sides_;  // of near_.elements, where sides_set_: those asked for since nodes moved
  std::vector<std::uint8_t> sides_set_;
  std::vector<Touching> touching_;
  double elapsed_ = 0, since_update_ = 0;  // since refresh(), and since active_ was brought up to date [s]
  double slack_share_ = 0.01;              // Window::slack over an edge
  std::int64_t refreshes_ = 0, continuations_ = 0;
  Work work_;
  int looks_ = 0;  // since forget_work()
};

}  // namespace sunder::contact
