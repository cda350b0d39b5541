#pragma once
/// What acts on the bodies from outside: the impulses of boundary conditions, loads and obstacles.

#include "core/reduction.hpp"
#include "core/types.hpp"

#include <cstddef>
#include <vector>

namespace sunder::simulation {

/// Of forces on the bodies over some time. Local, all of it.
struct Impulse {
  Vec3 linear = Vec3::Zero();   ///< [N s]
  Vec3 angular = Vec3::Zero();  ///< About the origin of the world [N m s].

  void add(const Vec3& impulse, const Vec3& at) { linear += impulse, angular += at.cross(impulse); }
};

/// This rank's contributions since `since`. An impulse over the time it took is a mean force: it misses nothing between
/// two rows of output.
struct Reactions {
  std::vector<Impulse> boundary, loads, obstacles;  ///< In the order of the scene.
  double since = 0;                                 ///< [s]

  /// Local.
  Reactions() = default;
  Reactions(std::size_t num_boundary, std::size_t num_loads, std::size_t num_obstacles)
    : boundary(num_boundary), loads(num_loads), obstacles(num_obstacles)
  {
  }

  /// Local. Calls visit(impulse) for each, in one order.
  template <class Visit>
  void each(Visit&& visit)
  {
    for (auto* of_one_kind : {&boundary, &loads, &obstacles})
      for (Impulse& impulse : *of_one_kind) visit(impulse);
  }
  /// Local. A rank's contribution becomes the sum over ranks, with the others of the reduction.
  void join(Reduction& all)
  {
    each([&all](Impulse& impulse) { all.sum(impulse.linear, impulse.angular); });
  }
  /// Local. Begins anew at `time` [s].
  void begin(double time)
  {
    each([](Impulse& impulse) { impulse = {}; });
    since = time;
  }
};

}  // namespace sunder::simulation
