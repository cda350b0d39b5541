#pragma once
/// Where the probes of a scene are in the bodies: each is followed in the element it is in. docs/output.md.

#include "config/scene.hpp"
#include "core/reduction.hpp"
#include "simulation/state.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder::simulation {

/// The element of a followed point, as a checkpoint keeps it.
struct StoredPoint {
  Vec3 X = Vec3::Zero();
  ElementId element;
};

/// Collective. Finds the element of each probe, or its node. A place on the border of elements is in the one with the
/// smallest id. What is stored of points at the same place holds, so that a run goes on with the element it had.
/// Throws Error (bad_input) on every rank if a place is in no body, or a node is in no mesh.
void place_probes(const config::Scene& scene, State& state, const std::vector<StoredPoint>& stored = {});

/// Local. Is a place in an element with these corners, or within round-off of it?
bool contains(const std::array<Vec3, 4>& corners, const Vec3& X);

/// Local. What is said of a place in no body; key: of the scene, with file and line.
std::string outside_all_bodies(const std::string& key, const Vec3& X);

/// The elements of points, as sums over ranks: the rank that counts an element names it. They are to stay at their
/// address until the reduction is over.
class PointSums {
public:
  explicit PointSums(const element::Model& model);  ///< Local. This rank's.

  void join(Reduction& all);                                           ///< Local.
  std::vector<StoredPoint> points(const element::Model& model) const;  ///< Local, after the reduction.

private:
  std::vector<std::uint64_t> low_, high_;
};

/// Collective if there are points, one reduction. Every rank knows the element of each, before elements move.
void agree_on_points(State& state);

}  // namespace sunder::simulation
