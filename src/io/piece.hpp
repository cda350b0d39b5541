#pragma once
/// A piece of a frame: what one file of it holds, column by column, in the types of the file.

#include "core/comm.hpp"
#include "io/frame.hpp"

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace sunder::io {

struct Piece {
  std::vector<NodeId> node_id;
  std::vector<Vec3> position;                ///< (nodes) where a point is drawn, in the world or at rest [m]
  std::vector<Vec3> displacement, velocity;  ///< (nodes) [m], [m/s]
  std::vector<Vec3> material_position;       ///< (nodes) [m]
  std::vector<std::uint8_t> repeated;        ///< (nodes) 1: another piece has the unmarked copy
  std::vector<ElementId> element_id;
  std::vector<std::array<std::int64_t, 4>> corners;  ///< (elements) positions among the nodes of this piece
  std::vector<std::array<double, 6>> stress;         ///< (elements) Cauchy, XX YY ZZ XY YZ XZ [Pa]
  std::vector<double> max_principal_stress;          ///< (elements) [Pa]
  std::vector<double> plastic_strain;                ///< (elements) Frobenius norm [-]
  std::vector<std::int64_t> fragment;                ///< (elements)
  std::vector<std::int32_t> material;                ///< (elements)
  std::vector<Rank> rank;                            ///< (elements) who computes it

  GlobalIndex num_nodes() const noexcept { return static_cast<GlobalIndex>(node_id.size()); }        ///< Local.
  GlobalIndex num_elements() const noexcept { return static_cast<GlobalIndex>(element_id.size()); }  ///< Local.
};

// Every column, for what treats them alike.
inline constexpr std::tuple node_columns(&Piece::node_id, &Piece::position, &Piece::displacement, &Piece::velocity,
                                         &Piece::material_position, &Piece::repeated);
inline constexpr std::tuple element_columns(&Piece::element_id, &Piece::corners, &Piece::stress,
                                            &Piece::max_principal_stress, &Piece::plastic_strain, &Piece::fragment,
                                            &Piece::material, &Piece::rank);

/// Of an id a file has the low word.
template <class T>
inline constexpr std::size_t bytes_in_file = std::is_same_v<T, GlobalId> ? sizeof(std::uint64_t) : sizeof(T);

template <class... T>
constexpr std::int64_t bytes_a_row(const std::tuple<std::vector<T> Piece::*...>&)
{
  return static_cast<std::int64_t>((bytes_in_file<T> + ...));
}

/// Local. Of a file with so many nodes and elements, before compression; its header not counted.
constexpr std::int64_t file_bytes(GlobalIndex nodes, GlobalIndex elements)
{
  constexpr std::int64_t offset_and_type = 9;  // where an element's corners end, and that it is a tetrahedron
  return nodes * bytes_a_row(node_columns) + elements * (bytes_a_row(element_columns) + offset_and_type);
}

/// Collective on the ranks that share elements. What this rank computes: the elements it writes and their nodes, each
/// node of the mesh unmarked in exactly one rank's piece (io/repeated_points.hpp).
Piece make_piece(const Comm& comm, const Frame& frame);

}  // namespace sunder::io
