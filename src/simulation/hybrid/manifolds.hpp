#pragma once
/// Contacts of two bodies that face one way, and the few of them that stand for all.

#include "simulation/hybrid/body_contacts.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Where two bodies touch with about one normal. Two flat faces overlap in as many places as they have elements; four
/// places as far apart as possible bear the same forces and torques.
struct Manifold {
  std::vector<std::size_t> contacts;  ///< All of it.
  std::vector<std::size_t> chosen;    ///< At most four of these.
};

/// Local, pure. Positions in the list are those of `contacts`, which ascend by bodies. The deepest contact comes first,
/// then the farthest from it, then those farthest from both on either side.
std::vector<Manifold> manifolds(std::span<const BodyContact> contacts);

}  // namespace sunder::simulation
