#pragma once
/// Index types by meaning, and the small vectors and matrices every room shares. SI units throughout.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace sunder {

using LocalIndex = std::int32_t;      ///< Position in an array of this rank.
using GlobalIndex = std::int64_t;     ///< Position in, or count over, the whole mesh of all ranks.
using Rank = std::int32_t;            ///< Rank in the communicator of the run.
using MaterialIndex = std::uint16_t;  ///< Position in the scene's table of materials.

/// The subscript of a container, which counts without a sign. Not below 0.
template <std::integral Index>
constexpr std::size_t at(Index i)
{
  return static_cast<std::size_t>(i);
}

/// The id of a node or an element, the same on every rank and any number of ranks. Ids of the input count from 0 in
/// `low`. Ids of what cutting makes are hashes of the parents' ids (core/hash.hpp) and fill both words. The hash has
/// 126 bits: the chance that two of 10^9 ids are equal is 10^-20. Files and messages show `low`.
struct GlobalId {
  std::uint64_t low = 0, high = 0;

  constexpr GlobalId() = default;
  constexpr GlobalId(std::uint64_t number, std::uint64_t more = 0) : low(number), high(more) {}
  constexpr auto operator<=>(const GlobalId&) const = default;  // by low, then high
};

using NodeId = GlobalId;
using ElementId = GlobalId;

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Mat34 = Eigen::Matrix<double, 3, 4>;  ///< One column a corner of a tetrahedron.

// For what is stored and sent as plain numbers.
inline Vec3 vector(const std::array<double, 3>& a)
{
  return {a[0], a[1], a[2]};
}
inline std::array<double, 3> plain(const Vec3& a)
{
  return {a.x(), a.y(), a.z()};
}

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

template <>
struct std::hash<sunder::GlobalId> {
  std::size_t operator()(const sunder::GlobalId& id) const noexcept { return id.low ^ id.high; }
};
