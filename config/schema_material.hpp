#pragma once
/// One material: its keys, and what they have to be together. Local.

#include "config/field.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// Names of the scene's own materials read so far, then of the library's that these do not hide.
std::vector<std::string> known_materials(const Context& c);

/// The material of that name, the scene's own first. Throws Error with place and the nearest name if there is none.
material::Material named_material(const Value& value, const std::string& path, const Context& c);

/// A material from the mapping of its keys. Throws Error with place and key.
material::Material read_material(const std::string& name, const Value& value, const std::string& path, Context& c);

/// The mapping that read_material() reads back to the same bits.
Value write_material(const material::Material& m, const Context& c);

std::vector<KeyDoc> material_keys();  ///< For the manual.

}  // namespace sunder::config
