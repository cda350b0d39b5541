#pragma once
/// The encoding of scenes. Local, pure.

#include <string_view>

namespace sunder::config {

/// Is it UTF-8, without overlong forms and surrogates? The XML and JSON of a run name what the scene names.
bool is_utf8(std::string_view text);

}  // namespace sunder::config
