#pragma once
/// What of the schema is about output: frames, tables, probes, sections and crack fronts.

#include "config/field.hpp"

namespace sunder::config {

Field<Scene> output_field();

}  // namespace sunder::config
