#pragma once
/// Which selections of the scene name which sets of the bodies' meshes.

#include "config/scene.hpp"

#include <map>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Bit k: selection k of the scene (simulation/setup/selection.hpp).
struct BodyMarks {
  std::uint64_t everywhere = 0;                 ///< Of all its nodes.
  std::map<std::string, std::uint64_t> of_set;  ///< Of the nodes and faces of sets that some selection names.

  std::uint64_t of(const std::string& set) const;
};

/// Local. For each body of the scene, by the names of its node sets. Selections by place are applied later, once
/// the mesh is as fine as it will be. Throws Error for a set that no body has, and for too many selections.
std::vector<BodyMarks> marks_of_sets(const config::Scene& scene,
                                     const std::vector<std::vector<std::string>>& node_sets);

/// Local. The materials that regions of a body give to element sets, in their order: later ones win. Sets by position
/// in `element_sets`. Throws Error for a set the body does not have.
std::vector<std::pair<std::size_t, MaterialIndex>> materials_of_sets(const config::Body& body,
                                                                     const std::vector<std::string>& element_sets);

}  // namespace sunder::simulation
