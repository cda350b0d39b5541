#pragma once
/// Rows of an element's corners.

#include "core/types.hpp"

#include <span>

namespace sunder::geometry {

/// Local. Columns are the corners' rows.
inline Mat34 corners_of(const Tet& tet, std::span<const Row4> rows)
{
  Mat34 m;
  for (std::size_t a = 0; a < 4; ++a) m.col(static_cast<int>(a)) = rows[static_cast<std::size_t>(tet[a])].xyz();
  return m;
}

}  // namespace sunder::geometry
