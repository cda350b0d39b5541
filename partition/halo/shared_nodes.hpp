#pragma once
/// Which nodes ranks share, as lists that both ends derive alike. docs/ownership.md.

#include "mesh/tet_mesh.hpp"
#include "partition/halo/kinematics_exchange.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Local. The other ranks that own a node of an element around n, ascending: where n is owned, those that have a ghost
/// of it.
std::vector<Rank> ranks_with_ghost(const mesh::TetMesh& mesh, LocalIndex n);

/// Lists of all shared nodes, or of some that both ends agree on. They are a pure function of the held elements, the
/// owners of their nodes, and which nodes are wanted.
class SharedNodes {
public:
  std::span<const Neighbour> neighbours() const noexcept { return neighbours_; }  ///< Ascending by rank.
  std::span<const Rank> peers() const noexcept { return peers_; }                 ///< Their ranks.
  std::size_t position_of(Rank peer) const;  ///< Among peers(), of which it is one.
  bool has(LocalIndex n) const { return listed_[static_cast<std::size_t>(n)] != 0; }  ///< Does some list have n?

  /// Local. Costs what it is given, and where a list changes its length. Returns whether lists may have changed.
  /// @param changed  nodes that were or are corners of changed elements, or are no longer or newly wanted, each once
  /// @param wanted   those of them that are to be listed where they are shared
  bool update(const mesh::TetMesh& mesh, std::span<const LocalIndex> changed, std::span<const LocalIndex> wanted);

private:
  Neighbour& with(Rank peer);
  bool drop(const mesh::TetMesh& mesh, LocalIndex n);
  bool list(const mesh::TetMesh& mesh, LocalIndex n);

  std::vector<std::uint8_t> listed_;  // (nodes) whether some list has it
  std::vector<Neighbour> neighbours_;
  std::vector<Rank> peers_;
};

}  // namespace sunder::partition
