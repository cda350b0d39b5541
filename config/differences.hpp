#pragma once
/// The difference between two scenes, for a message.

#include <optional>
#include <string>
#include <vector>

namespace sunder::config {

/// Local. Both texts must be of to_yaml(). Returns a clause that names the first section in which they differ; nothing
/// if they differ in no section but those ignored.
std::optional<std::string> first_difference(const std::string& before, const std::string& now,
                                            const std::vector<std::string>& aside);

}  // namespace sunder::config
