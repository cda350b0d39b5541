#pragma once
/// Scenes as people name them on the command line.

#include "config/scene.hpp"
#include "core/comm.hpp"

#include <span>
#include <string>

namespace sunder::commands {

/// Collective. A path, or the name of a shipped scene. Rank 0 finds, reads and parses it; the others parse the same
/// bytes with what rank 0 found of the files it names, and ask the file system nothing. Throws Error on every rank.
config::Scene read_scene(const Comm& comm, const std::string& argument, std::span<const std::string> overrides);

/// Collective. The path as rank 0 understands it.
std::string absolute(const Comm& comm, const std::string& path);

}  // namespace sunder::commands
