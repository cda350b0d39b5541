#pragma once
/// Where rigid bodies touch each other and obstacles: found by the broad and narrow phase of the finite elements.

#include "config/scene.hpp"
#include "contact/collisions.hpp"
#include "contact/obstacle_contact.hpp"
#include "simulation/state.hpp"

#include <array>
#include <cstdint>
#include <optional>
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

class BodyContacts {
public:
  BodyContacts(const config::Scene& scene, State& state);  ///< Local. Both must outlive it. rebuild() must follow.

  /// Collective. The mesh is another one.
  void rebuild();
  void release() { collisions_.reset(); }  ///< Local. Drops the lists.

  /// Collective. All contacts in the present state, the same on every rank, ascending by fragments, then by elements.
  /// @param elapsed   since the last call [s]; below 0 if bodies have been moved back
  /// @param speed     not less than that of any node held; times the interval of the last call it is not less than how
  /// far
  ///                  any has gone since [m/s]
  /// @param interval  until the next call, about [s]
  std::vector<BodyContact> find(double elapsed, double speed, double interval);

private:
  void refresh(double interval);
  std::vector<BodyContact> found_here(double speed, double interval);

  const config::Scene& scene_;
  State& state_;
  contact::ObstacleContact obstacles_;
  std::optional<contact::Collisions> collisions_;
  std::vector<std::uint8_t> primary_;  // (slots)
};

}  // namespace sunder::simulation
