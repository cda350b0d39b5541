#pragma once
/// --set key.path=value. Local.

#include "config/field.hpp"
#include "config/value.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// Puts the value of "key.path=value" into the tree. Missing mappings on the path are made. A bare value on the path
/// becomes the mapping it is short for: `material: adobe` becomes {base: adobe}. docs: the keys, with their shorthands.
/// It does not check that keys exist; the reader does. The value's place, for messages, is this --set.
void apply_override(Value& root, const std::string& text, const std::vector<KeyDoc>& docs);

}  // namespace sunder::config
