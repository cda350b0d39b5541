#pragma once
/// What may be wrong with a mesh, in words: the same whether one rank looks at it or all.

#include <cstdint>
#include <span>
#include <string>

namespace sunder::mesh {

/// In the order in which they are told.
enum class Fault : std::int32_t {
  not_finite,
  unused,  ///< Mended, as `split` is.
  overflowing,
  flat,
  inverted,
  coincident,
  repeated,
  crowded,
  hinged,
  split,
};

inline constexpr std::size_t named_at_most = 5;

/// Local. "elements without volume: 3 7 12 9 4 and 4 more". labels: the first few of the file's numbers, at least
/// named_at_most of them where there are so many.
std::string text_of(Fault fault, std::span<const std::uint64_t> labels, std::uint64_t count);

/// Local. Is it a note of what was mended?
bool is_mended(Fault fault);

}  // namespace sunder::mesh
