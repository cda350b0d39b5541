#pragma once
/// Elements against elements, of different bodies and of one: T ch. 5, on any number of ranks. docs/contact.md.

#include "contact/active_pairs.hpp"
#include "contact/bounding_tree.hpp"
#include "contact/nearby.hpp"
#include "contact/pair_contact.hpp"

namespace sunder::contact {

/// All collisions of a rank's elements. Pairs that may touch soon are listed for all ranks together (find_near()),
/// those of them that may touch in the next steps by each rank for itself (ActivePairs), and forces come from the
/// latter alone. Each rank has all pairs of the elements it holds, in ascending order of ids, and adds the forces on
/// its nodes itself: what the lists hold beyond the pairs that overlap, and who holds them, never changes a bit.
///
/// Elements that share a node are no pair. When fracture parts them, the overlap they then have is forgiven: it presses
/// only where it grows again, having shrunk as far as it did. So a young crack, whose faces coincide or have been
/// squeezed through each other, does not fly apart, and no energy comes from nowhere.
class Collisions {
public:
  /// moduli: lambda + 2 mu of each material [Pa], for the stiffness where response leaves it open.
  Collisions(const Comm& comm, const Response& response, std::vector<double> moduli);

  /// Collective. The mesh has changed (see Surface::update; the halo is up to date); refresh() must follow.
  /// origins: elements made from others since the last refresh().
  void mesh_changed(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed,
                    Origins origins = {});

  /// Collective. Lists the pairs that may touch until stale() says otherwise. p, v: whole, ghosts included.
  /// size: a typical edge [m], dt: the step [s]; the same on every rank.
  void refresh(const mesh::TetMesh& mesh, std::span<const Row4> p, std::span<const Row4> v, double size, double dt);

  /// Local. May something leave what the list allows for in a step of dt from here? If so on any rank, refresh() on all
  /// after the step.
  bool stale(std::span<const Row4> p, std::span<const Row4> v, double dt) const;

  /// Collective on neighbours. Brings the nodes of other ranks' elements up to date, after each step.
  void start_exchange(std::span<const Row4> p, std::span<const Row4> v);
  void finish_exchange(double dt);

  /// Local. Adds the forces of all pairs to f; dt: the step to be taken [s]. Returns their power on the pairs this rank
  /// counts [W].
  double add_forces(std::span<const Row4> p, std::span<const Row4> v, double dt, std::span<Row4> f);

  /// Local. Power [W] of the last add_forces() on the pairs this rank counts, with velocities v.
  double power(std::span<const Row4> v);

  const Surface& surface() const noexcept { return surface_; }
  std::size_t num_listed() const noexcept { return near_.pairs.size(); }
  std::size_t num_active() const noexcept { return active_.size(); }
  std::int64_t refreshes() const noexcept { return refreshes_; }

private:
  void gather(std::span<const Row4> p, std::span<const Row4> v);
  Window next_window(const mesh::TetMesh& mesh, std::span<const Row4> v, double size, double dt);
  void forgive(const Near& before);
  void set_sides();
  double stiffness(const NearElement& a, const NearElement& b) const;
  double applied_power() const;

  struct Applied {
    int a, b;  // elements of near_
    Mat34 on_a, on_b;
  };

  Comm comm_;
  Response response_;
  std::vector<double> moduli_;
  Surface surface_;
  BoundingTree tree_;
  bool mesh_changed_ = true;
  Origins origins_;
  Near near_;
  ActivePairs active_;
  partition::MotionExchange exchange_;
  std::vector<Row4> p_, v_;  // of near_.nodes
  std::vector<Side> sides_;  // of near_.elements, where sides_set_: those in active pairs
  std::vector<std::uint8_t> sides_set_;
  std::vector<Applied> applied_;
  double elapsed_ = 0, since_update_ = 0;  // since refresh(), and since active_ was brought up to date [s]
  double slack_share_ = 0.03;              // Window::slack over an edge
  std::int64_t refreshes_ = 0;
};

}  // namespace sunder::contact
