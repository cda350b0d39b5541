#pragma once
/// Scenes as people name them on the command line.

#include "config/scene.hpp"
#include "core/comm.hpp"

#include <span>
#include <string>

namespace sunder::commands {

/// Collective. Rank 0 finds and reads the file and all ranks parse the same bytes. A path, or the name of a shipped
/// scene.
config::Scene read_scene(const Comm& comm, const std::string& argument, std::span<const std::string> overrides);

}  // namespace sunder::commands
