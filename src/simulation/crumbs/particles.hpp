#pragma once
/// Elements that fly as points: under gravity, and touched by obstacles alone. docs/lattice.md.

#include "config/scene.hpp"
#include "rigid/impulses.hpp"
#include "simulation/state.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// A particle is an element whose four nodes move alike: all that is to be known of it is in their positions and
/// velocities. So every rank that holds the element moves it alone, from the same bits to the same bits, and neither a
/// checkpoint nor another rank needs to be told of it. One that rests has no velocity.
class Particles {
public:
  /// Local. Both must outlive it. make() must follow.
  Particles(const config::Scene& scene, State& state) : scene_(scene), state_(state) {}

  /// Local. elements: slots held, ascending; they belong to no body, and the nodes of each move alike.
  void make(std::vector<LocalIndex> elements);

  bool any() const noexcept { return !elements_.empty(); }  ///< Local. On this rank.
  /// Local. (nodes) 1: of a particle; empty if there is none on this rank.
  std::span<const std::uint8_t> of_nodes() const noexcept { return of_nodes_; }

  /// Collective if an obstacle is free. Moves them for dt [s], after obstacles have moved. Where a corner is in an
  /// obstacle, the particle is brought out and gets an impulse, by restitution and friction; a free obstacle gets the
  /// opposite of all together. What contact takes is booked. Returns the speed of the fastest held here [m/s].
  double advance(double dt);

  double kinetic_energy() const;  ///< Local. Of those this rank counts [J].

private:
  struct Hit {
    std::size_t obstacle;
    Vec3 impulse, at;  // on the particle
  };
  struct Touch;

  double fly(LocalIndex e, double dt, std::vector<Hit>& hits);
  Touch deepest(const Mat34& corners) const;
  Vec3 bounce(const Touch& touch, double mass, const Vec3& before, double dt, std::vector<Hit>& hits) const;
  bool stays(const Touch& touch, const Vec3& velocity) const;
  void book(double energy, std::span<const Hit> hits);
  void kick_obstacles(std::span<const Hit> hits);

  const config::Scene& scene_;
  State& state_;
  std::vector<LocalIndex> elements_;
  std::vector<std::uint8_t> of_nodes_;
  std::vector<rigid::Movable> obstacles_;  // as they are at the end of the step
};

}  // namespace sunder::simulation
