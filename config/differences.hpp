#pragma once
/// What tells two scenes apart.

#include <optional>
#include <string>
#include <vector>

namespace sunder::config {

/// Local. Both texts as to_yaml() writes them. The first section in which they differ, those named aside, as a clause
/// for a message; nothing if there is none.
std::optional<std::string> first_difference(const std::string& before, const std::string& now,
                                            const std::vector<std::string>& aside);

}  // namespace sunder::config
