#pragma once
/// The text of the material library, which rank 0 reads and sends to the others. Local: the caller sends it.

#include <string>

namespace sunder::config {

/// The text of the library; empty if it has not been needed yet.
const std::string& material_library_text();
/// Uses this as the text of the library, instead of reading the file.
void set_material_library(std::string text);

}  // namespace sunder::config
