#pragma once
/// What of the schema is about output: frames, tables, probes and sections.

#include "config/field.hpp"

namespace sunder::config {

Field<Scene> output_field();

}  // namespace sunder::config
