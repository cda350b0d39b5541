#pragma once
/// Elements against elements, of different bodies and of one: T ch. 5, on any number of ranks. docs/contact.md.

#include "contact/bounding_tree.hpp"
#include "contact/nearby.hpp"
#include "contact/response.hpp"
#include "contact/surface.hpp"

namespace sunder::contact {

/// All collisions of a rank's elements. Pairs of elements that may touch are listed for a window of time; forces come
/// from the pairs alone. Each rank has all pairs of the elements it holds, in ascending order of ids, and adds the
/// forces on its nodes itself: what the list holds beyond those that overlap, and who holds it, never changes a bit.
class Collisions {
public:
  /// moduli: lambda + 2 mu of each material [Pa], for the stiffness where response leaves it open.
  Collisions(const Comm& comm, const Response& response, std::vector<double> moduli);

  /// Collective. The mesh has changed (see Surface::update; the halo is up to date); refresh() must follow.
  void mesh_changed(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);

  /// Collective. Lists the pairs that may touch until stale() says otherwise. p, v: whole, ghosts included.
  /// size: a typical edge [m], dt: the step [s]; the same on every rank.
  void refresh(const mesh::TetMesh& mesh, std::span<const Row4> p, std::span<const Row4> v, double size, double dt);

  /// Local. May something leave what the list allows for in a step of dt from here? If so on any rank, refresh() on all
  /// after the step.
  bool stale(std::span<const Row4> p, std::span<const Row4> v, double dt) const;

  /// Collective on neighbours. Brings the nodes of other ranks' elements up to date, after each step.
  void start_exchange(std::span<const Row4> p, std::span<const Row4> v);
  void finish_exchange(double dt);

  /// Local. Adds the forces of all pairs to f. Returns their power on the pairs this rank counts [W].
  double add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f);

  /// Local. Power [W] of the last add_forces() on the pairs this rank counts, with velocities v.
  double power(std::span<const Row4> v);

  const Surface& surface() const noexcept { return surface_; }
  std::size_t num_pairs() const noexcept { return near_.pairs.size(); }  ///< Listed.
  std::int64_t refreshes() const noexcept { return refreshes_; }

private:
  void gather(std::span<const Row4> p, std::span<const Row4> v);
  double applied_power() const;
  double stiffness(const NearElement& a, const NearElement& b) const;

  struct Applied {
    int a, b;  // elements of near_
    Mat34 on_a, on_b;
  };

  Comm comm_;
  Response response_;
  std::vector<double> moduli_;
  Surface surface_;
  BoundingTree tree_;
  bool rebuild_tree_ = true;
  Near near_;
  partition::MotionExchange exchange_;
  std::vector<Row4> p_, v_;  // of near_.nodes
  std::vector<Applied> applied_;
  double elapsed_ = 0;  // since the last refresh [s]
  std::int64_t refreshes_ = 0;
};

}  // namespace sunder::contact
