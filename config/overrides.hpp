#pragma once
/// --set key.path=value.

#include "config/field.hpp"
#include "config/value.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// Puts the value of "key.path=value" into the tree, making mappings on the way where there are none. A bare value on
/// the way becomes the mapping it is short for (`material: adobe` is {base: adobe}), as docs say. Whether the keys
/// exist is for the reader to check; what is put in says that it comes from this --set.
void apply_override(Value& root, const std::string& text, const std::vector<KeyDoc>& docs);

}  // namespace sunder::config
