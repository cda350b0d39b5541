#pragma once
/// The fragments of a state as rigid bodies. docs/hybrid.md.

#include "rigid/impulses.hpp"
#include "rigid/motion.hpp"
#include "simulation/hybrid/stored_bodies.hpp"
#include "simulation/state.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// A fragment that moves as a rigid body. Its own axes are those of the material.
struct RigidBody {
  std::int64_t fragment = 0;
  rigid::Inertia inertia;
  Vec3 material_center = Vec3::Zero();  ///< Centre of mass in the material [m].
  rigid::Motion motion;        ///< Of the centre of mass; its orientation takes the material's axes to the world's.
  double wave_speed = 0;       ///< Least of longitudinal waves in its materials [m/s].
  double strength = 0;         ///< Least stress at which one of them breaks or yields [Pa]; infinite: none does.
  double whole_until = 0;      ///< It has just got another shape: until then it is not analysed again [s].
  double slow_for = 0;         ///< How long it has been slow [s].
  std::uint64_t touching = 0;  ///< Fingerprint of what it touched when it came to rest.
  bool asleep = false;

  /// Local. Radius of a solid ball of the same mass and sum of moments [m].
  double radius() const;
  Vec3 position(const Vec3& X) const { return motion.position + motion.orientation * (X - material_center); }
  rigid::Movable movable() const;  ///< Local.
};

/// All rigid bodies, by fragment: the same on every rank. Nodes go where their body takes them, ghosts too, so no rank
/// tells another where its nodes are.
class RigidBodies {
public:
  explicit RigidBodies(State& state) : state_(state) {}  ///< Local. state must outlive it.

  /// Collective. From the state's fragments: mass and centre from the material, motion from `stored`, or if that is
  /// empty from the nodes' velocities.
  void make(std::span<const StoredBody> stored);
  /// Collective. The mesh has changed. Fragments that are new get the motion of their parent fragment (H 22). changed:
  /// fragments whose shape is another one, ascending; the new ones and their parents need not be among them.
  /// @param pause  for so long what has another shape is not analysed again [s]
  void follow(std::span<const std::int64_t> changed, double pause);

  std::vector<RigidBody>& all() noexcept { return bodies_; }
  const std::vector<RigidBody>& all() const noexcept { return bodies_; }
  std::size_t find(std::int64_t fragment) const;  ///< Local. Its position in all(), where it must be.
  /// Local. Elements of body k that this rank counts, ascending.
  std::span<const LocalIndex> elements(std::size_t k) const { return elements_[k]; }

  /// Local. Puts nodes of bodies that are not asleep where their bodies are. Returns how far the farthest went [m].
  double move_nodes();

  void stop(std::size_t k);  ///< Local. The nodes of body k have no velocity.

  std::vector<StoredBody> stored() const;  ///< Local.

private:
  struct Shape;
  std::vector<Shape> shapes() const;
  void index();

  State& state_;
  std::vector<RigidBody> bodies_;                  // ascending by fragment
  std::vector<std::vector<LocalIndex>> nodes_;     // (bodies) held
  std::vector<std::vector<LocalIndex>> elements_;  // (bodies) primary
};

}  // namespace sunder::simulation
