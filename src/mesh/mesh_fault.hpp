#pragma once
/// Faults of a mesh and their texts, the same whether one rank checks the mesh or all ranks do.

#include <cstdint>
#include <span>
#include <string>

namespace sunder::mesh {

/// In the order in which messages list them.
enum class Fault : std::int32_t {
  not_finite,
  unused,    ///< Repaired, as are `mid_node` and `split`.
  mid_node,  ///< Unused as the elements were read by their corners.
  overflowing,
  flat,
  inverted,
  crack,  ///< No fault: coincident nodes of one connected mesh.
  coincident,
  repeated,
  crowded,
  hinged,
  split,
};

inline constexpr std::size_t named_at_most = 5;

/// Local. A text such as "elements without volume: 3 7 12 9 4 and 4 more". labels: numbers in the file of the first
/// `count` faulty nodes or elements, named_at_most of them or more, or all.
std::string text_of(Fault fault, std::span<const std::uint64_t> labels, std::uint64_t count);

/// Local. Was it repaired or understood, so that it is a note and no error?
bool is_mended(Fault fault);

}  // namespace sunder::mesh
