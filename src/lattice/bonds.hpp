#pragma once
/// The dual of a distributed mesh: each element a point mass at its centroid, each shared face a bond between two of
/// them. docs/lattice.md.

#include "lattice/bond_halo.hpp"
#include "mesh/lattice_memory.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/halo/halo.hpp"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace sunder::lattice {

inline constexpr LocalIndex no_bond = -1;

/// A bond belongs to the lowest owner of a node of its face, which holds both elements. Known to a rank are the bonds
/// of faces of which it owns a node, and those whose face shares an edge with that of a bond it owns.
///
///   local index   [0, num_owned)        [num_owned, keys.size())
///   meaning       ours, by key          copies, by (owner, key)
struct Bonds {
  explicit Bonds(BondHalo exchange) : halo(std::move(exchange)) {}  ///< Local. No bonds yet.

  LocalIndex num_owned = 0;
  GlobalIndex count = 0;                            ///< Over all ranks.
  std::vector<BondKey> keys;                        ///< (local)
  std::vector<Vec3> directions;                     ///< (local) unit, from the centroid of b to that of a
  std::vector<std::array<LocalIndex, 2>> elements;  ///< (owned) slots of a and b
  std::vector<std::uint8_t> opposite;               ///< (owned) corner of a that is opposite the face
  std::vector<double> areas;                        ///< (owned) of the face [m^2]
  std::vector<Vec3> places;                         ///< (owned) centroid of the face, in the material [m]
  std::vector<std::size_t> first_adjacent;          ///< (owned + 1) into adjacent
  std::vector<LocalIndex> adjacent;                 ///< Bonds whose faces share an edge with this one's, by key.
  std::vector<std::array<LocalIndex, 4>> of_faces;  ///< (slots) bond of the face opposite each corner, or no_bond:
                                                    ///< a free face, or one of which this rank owns no node
  BondHalo halo;

  std::size_t num_local() const noexcept { return keys.size(); }
  std::span<const LocalIndex> adjacent_to(LocalIndex b) const
  {
    const std::size_t* first = &first_adjacent[static_cast<std::size_t>(b)];
    return {adjacent.data() + first[0], first[1] - first[0]};
  }
};

/// Local. The centroid of an element at rest: where its mass is.
Vec3 centroid(const mesh::TetMesh& mesh, LocalIndex e);

/// Collective. O(elements held): one exchange with neighbours, one sparse exchange, and one of directions. The same
/// bonds in the same order of keys on any number of ranks.
/// @param memory  (slots) a bond is left out if its element with the smaller id remembers that it has broken; empty:
///                none has
Bonds make_bonds(const mesh::TetMesh& mesh, const partition::Halo& halo,
                 std::span<const mesh::LatticeMemory> memory = {});

}  // namespace sunder::lattice
