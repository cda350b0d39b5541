#pragma once
/// The mesh from which refinement begins. Plain data.

#include "partition/distribute/distribute.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// The bodies as they are before any is refined, distributed to ranks. docs/meshes.md.
struct CoarseMesh {
  partition::Part part;
  double size = 0;           ///< Mean edge length once it is refined [m].
  GlobalIndex elements = 0;  ///< Likewise, over all ranks.
  std::vector<std::string> warnings;
};

}  // namespace sunder::simulation
