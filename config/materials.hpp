#pragma once
/// The library of materials, config/materials.yaml.

#include "material/material.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// In the order of the file.
const std::vector<material::Material>& material_library();

/// The text the library was read from; empty if nothing has asked for it yet.
const std::string& material_library_text();
/// Takes this for the text of the library, and reads no file.
void set_material_library(std::string text);

/// Names of the library's materials.
std::vector<std::string> library_names();

/// Throws Error with the names there are, and the nearest, if there is none of that name.
material::Material library_material(const std::string& name);

/// What `sunder materials` prints: a table with the source of each row.
std::string materials_text();

}  // namespace sunder::config
