#pragma once
/// The fragments of a state as rigid bodies. docs/hybrid.md.

#include "geometry/box.hpp"
#include "rigid/impulses.hpp"
#include "rigid/motion.hpp"
#include "simulation/hybrid/stored_bodies.hpp"
#include "simulation/state.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Where a body is: it takes points of the material to the world.
struct Placement {
  Mat3 turn = Mat3::Identity();
  Vec3 material_center = Vec3::Zero(), center = Vec3::Zero();  ///< [m]

  Vec3 arm(const Vec3& X) const { return turn * (X - material_center); }
  Vec3 operator()(const Vec3& X) const { return center + arm(X); }
  Mat34 operator()(const Mat34& X) const;  ///< Column by column.
};

/// Local. A box of the world around a box in the material, wider by round-off [m].
geometry::Box turned(const Placement& placement, const geometry::Box& box);

/// A fragment that moves as a rigid body. Its own axes are those of the material.
struct RigidBody {
  std::int64_t fragment = 0;
  rigid::Inertia inertia;
  Vec3 material_center = Vec3::Zero();  ///< Centre of mass in the material [m].
  rigid::Motion motion;        ///< Of the centre of mass; its orientation takes the material's axes to the world's.
  std::int64_t elements = 0;   ///< How many it has.
  double wave_speed = 0;       ///< Least of longitudinal waves in its materials [m/s].
  double strength = 0;         ///< Least stress at which one of them breaks or yields [Pa]; infinite: none does.
  double whole_until = 0;      ///< It has just got another shape: until then it is not analysed again [s].
  double slow_for = 0;         ///< How long it has been slow [s].
  std::uint64_t touching = 0;  ///< Fingerprint of what it touched when it came to rest.
  bool asleep = false;

  /// Local. Radius of a solid ball of the same mass and sum of moments [m].
  double radius() const;
  Placement placement() const { return {motion.orientation.toRotationMatrix(), material_center, motion.position}; }
  rigid::Movable movable() const;  ///< Local.
};

/// All rigid bodies, by fragment: the same on every rank. Nodes go where their body takes them, ghosts too, so no rank
/// tells another where its nodes are.
class RigidBodies {
public:
  explicit RigidBodies(State& state) : state_(state) {}  ///< Local. state must outlive it.

  /// Collective. From the state's fragments: mass and centre from the material, motion from `stored`, or if that is
  /// empty from the nodes' velocities.
  /// @param left_out  (nodes) 1: of no body; empty: all are of one
  void make(std::span<const StoredBody> stored, std::span<const std::uint8_t> left_out = {});
  /// Collective. The mesh has changed, but in no other bodies than `struck`, ascending positions in all(). Fragments
  /// that are new get the motion of their parent fragment (H 22).
  /// @param reshaped  fragments whose shape is another one, ascending; new ones and their parents need not be among
  /// them
  /// @param pause     for so long what has another shape is not analysed again [s]
  /// @return          what the struck bodies are now, ascending fragments
  std::vector<std::int64_t> follow(std::span<const std::size_t> struck, std::span<const std::int64_t> reshaped,
                                   double pause);

  std::vector<RigidBody>& all() noexcept { return bodies_; }
  const std::vector<RigidBody>& all() const noexcept { return bodies_; }
  std::size_t find(std::int64_t fragment) const;  ///< Local. Its position in all(), where it must be.
  /// Local. Elements of body k that this rank counts, ascending.
  std::span<const LocalIndex> elements(std::size_t k) const { return held_[k].elements; }
  std::span<const LocalIndex> nodes(std::size_t k) const { return held_[k].nodes; }  ///< Local. Those held.

  /// Local. Puts nodes of bodies that are not asleep where their bodies are. Returns the speed of the fastest [m/s].
  double move_nodes();

  void stop(std::size_t k);  ///< Local. The nodes of body k have no velocity.

  std::vector<StoredBody> stored() const;  ///< Local.

private:
  struct Shape;
  struct Held {
    std::vector<LocalIndex> nodes, elements;  // held; primary, ascending
  };

  std::vector<Shape> shapes(std::span<const LocalIndex> nodes) const;
  void index(std::span<const LocalIndex> nodes);

  State& state_;
  std::vector<RigidBody> bodies_;  // ascending by fragment
  std::vector<Held> held_;         // (bodies)
  LocalIndex num_nodes_ = 0;       // of the mesh, when bodies were last told of it
};

}  // namespace sunder::simulation
