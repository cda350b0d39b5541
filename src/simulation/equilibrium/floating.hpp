#pragma once
/// Fragments that nothing holds: by which rigid motions they could go, and what holds them instead.

#include "solvers/block_matrix.hpp"

#include <Eigen/Core>

#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

using RigidMotion = Eigen::Matrix<double, 6, 1>;  ///< Translation, and rotation about the fragment's middle.

/// A fragment with rigid motions that move no fixed unknown.
struct FloatingFragment {
  std::int64_t fragment = 0;
  Vec3 middle = Vec3::Zero();  ///< Mean of its nodes' positions [m].
  double radius = 0;           ///< Root of the mean squared distance from it [m]; rotations are in units of 1 / radius.
  std::vector<RigidMotion> motions;  ///< Orthonormal.

  std::string text() const;  ///< Local. such as "fragment 3 around (0, 1, 2) m may move along x, turn about z"
};

/// Collective. In the order of their numbers; the same bits on any number of ranks.
/// @param x      (3 num_owned) positions
/// @param fixed  (3 nodes) not 0: nothing moves this unknown
std::vector<FloatingFragment> find_floating(const solvers::NodeLayout& layout, std::span<const double> x,
                                            std::span<const std::uint8_t> fixed);

/// Collective. Unknowns of owned nodes (3 i + axis) that hold these fragments, and no more than hold them: where loads
/// balance, holding them takes no force. The same nodes on any number of ranks.
std::vector<std::size_t> statically_determinate_supports(const solvers::NodeLayout& layout,
                                                         const std::vector<FloatingFragment>& floating,
                                                         std::span<const double> x);

/// Inertia relief: each floating fragment is accelerated as a rigid body, and the inertia of that is taken off the
/// forces, which then balance as far as its free motions go.
class InertiaRelief {
public:
  /// Collective. From the present positions.
  /// @param mass  (num_owned) [kg]
  InertiaRelief(const solvers::NodeLayout& layout, const std::vector<FloatingFragment>& floating,
                std::span<const double> x, std::span<const double> mass);

  /// Collective. Takes it off the forces.  @param forces  (3 num_owned) [N]
  void apply(std::span<double> forces) const;

private:
  struct Motion {
    std::vector<LocalIndex> nodes;   // owned, of the fragment
    std::vector<double> u, inertia;  // (3 nodes) the motion, and mass times it; u . inertia = 1
  };
  Comm comm_;
  std::vector<Motion> motions_;
};

}  // namespace sunder::simulation
