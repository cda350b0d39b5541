#pragma once
/// Static scenes in which nothing acts.

#include "config/scene.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// Local. A warning if nothing in a static scene pushes, pulls or moves its bodies: all of its answer is zero.
std::vector<std::string> notes_on_unloaded_scene(const config::Scene& scene);

}  // namespace sunder::simulation
