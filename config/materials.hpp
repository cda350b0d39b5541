#pragma once
/// The library of materials, config/materials.yaml.

#include "material/material.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// In the order of the file.
const std::vector<material::Material>& material_library();

/// Names of the library's materials.
std::vector<std::string> library_names();

/// Throws Error, with all names and the nearest one, if there is no material of that name.
material::Material library_material(const std::string& name);

/// The output of `sunder materials`: a table with the source of each row.
std::string materials_text();

}  // namespace sunder::config
