#pragma once
/// The step that the stiffness of contact allows an element. docs/deformation.md, docs/contact.md. Local, pure.

#include "config/scene.hpp"
#include "contact/law/obstacle.hpp"

#include <span>

namespace sunder::simulation {

/// The stable step of two springs that act together, each with its own stable step [s]: 1/dt^2 = 1/step^2 + 1/other^2.
double step_together(double step, double other);

/// What all elements have in common.
struct ContactStiffness {
  /// least_compliance: of any element, mesh size over lambda + 2 mu [m/Pa]; asked for only with collisions.
  ContactStiffness(const config::CollisionOptions& collisions, std::span<const contact::Obstacle> obstacles,
                   double least_compliance);

  /// Infinite without contact [s]. compliance: of the element [m/Pa]; mass [kg].
  double step(double compliance, double mass, const std::array<Vec3, 4>& corners) const;

private:
  double of_obstacles_ = 0;      ///< The greatest [N/m^3].
  double obstacle_step_ = 0;     ///< The least of free obstacles [s].
  bool pairs_ = false;           ///< Do elements touch elements?
  double of_pairs_ = 0;          ///< 0: of both sides' compliance [N/m^3].
  double least_compliance_ = 0;  ///< [m/Pa]
};

}  // namespace sunder::simulation
