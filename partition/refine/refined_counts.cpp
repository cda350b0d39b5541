#include "partition/refine/refined_counts.hpp"

#include "core/sort_unique.hpp"

#include <algorithm>

namespace sunder::partition {

MeshEntities entities_of(std::span<const std::array<GlobalIndex, 4>> elements)
{
  MeshEntities found;
  found.edges.reserve(6 * elements.size()), found.faces.reserve(4 * elements.size());
  for (auto corners : elements) {
    std::sort(corners.begin(), corners.end());
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = a + 1; b < 4; ++b) found.edges.push_back({corners[a], corners[b]});
      auto face = corners;
      std::rotate(face.begin() + static_cast<std::ptrdiff_t>(a), face.begin() + static_cast<std::ptrdiff_t>(a) + 1,
                  face.end());
      found.faces.push_back({face[0], face[1], face[2]});
    }
  }
  sort_unique(found.edges), sort_unique(found.faces);
  return found;
}

MeshCounts refined(MeshCounts coarse, int levels)
{
  for (int level = 0; level < levels; ++level)
    coarse = {coarse.nodes + coarse.edges, 2 * coarse.edges + 3 * coarse.faces + coarse.elements,
              4 * coarse.faces + 8 * coarse.elements, 8 * coarse.elements};
  return coarse;
}

}  // namespace sunder::partition
