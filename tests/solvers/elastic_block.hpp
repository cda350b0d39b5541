#pragma once
/// Blocks of tetrahedra in linear elasticity, cut among ranks by any rule: systems to test and to measure solvers with.

#include "solvers/block_matrix.hpp"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace sunder::test {

/// A box of cubes, each of six tetrahedra around its diagonal (Kuhn), with nodes moved a little by a hash of their id.
struct ElasticBlock {
  std::array<std::int64_t, 3> cubes{1, 1, 1};
  Vec3 corner = Vec3::Zero(), size = Vec3::Ones();  ///< [m]
  double young = 1e9, poisson = 0.3;                ///< [Pa], [-]
  bool clamped = true;                              ///< All nodes at x = corner.x are fixed.
};

using OwnerRule = std::function<Rank(std::int64_t id)>;

/// A x = b: each block's stiffness, its own component; a load a node along -z and a little along y.
struct ElasticSystem {
  std::shared_ptr<solvers::NodeLayout> layout;
  solvers::BlockMatrix A;
  std::vector<double> b;  ///< (3 num_owned)
};

std::int64_t num_nodes(std::span<const ElasticBlock> blocks);

/// Collective. owner must give the same on all ranks.
ElasticSystem assemble(const Comm& comm, std::span<const ElasticBlock> blocks, const OwnerRule& owner);

/// Slabs of ids of nearly the same length.
OwnerRule slabs(const Comm& comm, std::int64_t num_nodes);

/// Any node anywhere, by a hash.
OwnerRule scattered(const Comm& comm, std::uint64_t seed);

/// One body, longer than it is thick.
inline const std::vector<ElasticBlock> beam{{.cubes = {12, 4, 3}, .size = {6, 2, 1.5}}};

/// Collective on the system's communicator. The bits of all unknowns, by 3 id + axis.
std::map<std::uint64_t, std::uint64_t> bits_of_all(const ElasticSystem& system, std::span<const double> x);

}  // namespace sunder::test
