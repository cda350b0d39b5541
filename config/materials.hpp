#pragma once
/// The library of materials, config/materials.yaml. Local: the text is that of config/library_text.hpp.

#include "material/material.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// In the order of the file.
const std::vector<material::Material>& material_library();

/// The output of `sunder materials`: a table with the source of each row.
std::string materials_text();

}  // namespace sunder::config
