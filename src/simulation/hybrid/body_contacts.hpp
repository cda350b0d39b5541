#pragma once
/// Where rigid bodies touch each other and obstacles: where elements of their surfaces overlap. docs/hybrid.md.

#include "config/scene.hpp"
#include "simulation/hybrid/body_surfaces.hpp"
#include "simulation/hybrid/rigid_bodies.hpp"
#include "simulation/state.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Two elements of different bodies that overlap, or an element and an obstacle. Trivially copyable, as ranks send it.
struct BodyContact {
  ElementId element_a = 0, element_b = 0;  ///< b: with an obstacle its number in the scene.
  std::int64_t a = 0, b = 0;               ///< Fragments; b: with obstacle k -1 - k.
  std::array<double, 3> at{}, normal{};    ///< Centre of the overlap [m]; unit, out of b.
  std::array<double, 3> face{};            ///< Likewise of the free face that is most nearly across normal; 0: none is.
  double depth = 0;                        ///< [m]
  double area = 0, volume = 0;             ///< Size of ElementOverlap::area; of the overlap [m^2], [m^3].
  std::array<double, 4> weights_a{}, weights_b{};  ///< Of the corners, for a force at that place.

  bool with_obstacle() const noexcept { return b < 0; }
  std::size_t obstacle() const noexcept { return static_cast<std::size_t>(-1 - b); }
};

/// Finds them. What a rank tests, and in which order, changes no bit of what is found.
class BodyContacts {
public:
  /// Local. All must outlive it. rebuild() must follow.
  BodyContacts(const config::Scene& scene, const State& state, const RigidBodies& bodies);

  void rebuild();  ///< Collective. The mesh is another one.
  /// Collective. The bodies `before` have become the bodies `now`, both ascending fragments.
  void update(std::span<const std::int64_t> before, std::span<const std::int64_t> now);

  /// Collective. All contacts in the present state, the same on every rank, ascending by fragments, then by elements.
  /// @param earlier  what was found last: bodies that have slept since touch each other as they did
  std::vector<BodyContact> find(std::span<const BodyContact> earlier);

private:
  std::vector<BodyContact> with_obstacles() const;
  void add_between(const SurfacePiece& a, const SurfacePiece& b, std::vector<BodyContact>& found) const;

  const config::Scene& scene_;
  const State& state_;
  const RigidBodies& bodies_;
  BodySurfaces surfaces_;
  bool new_ = true;  // nothing has been found yet
};

}  // namespace sunder::simulation
