#pragma once
/// Index types by meaning, and the small vectors and matrices every room shares. SI units throughout.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cstdint>

namespace sunder {

using LocalIndex = std::int32_t;      ///< Position in an array of this rank.
using GlobalIndex = std::int64_t;     ///< Position in, or count over, the whole mesh of all ranks.
using Rank = std::int32_t;            ///< Rank in the communicator of the run.
using NodeId = std::uint64_t;         ///< Global id of a node: the same on every rank and any number of ranks.
using ElementId = std::uint64_t;      ///< Global id of an element.
using MaterialIndex = std::uint16_t;  ///< Position in the scene's table of materials.

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Mat34 = Eigen::Matrix<double, 3, 4>;  ///< One column a corner of a tetrahedron.

/// The four corners of a tetrahedron; positive volume: (b-a) x (c-a) . (d-a) > 0.
using Tet = std::array<LocalIndex, 4>;

/// A nodal vector padded to one 32-byte load, so that gathers and scatters are single moves.
/// w is free for a nodal scalar that is summed along with the vector.
struct alignas(32) Row4 {
  double x = 0, y = 0, z = 0, w = 0;
  Vec3 xyz() const { return {x, y, z}; }
  void set_xyz(const Vec3& a) { x = a.x(), y = a.y(), z = a.z(); }
};

}  // namespace sunder
