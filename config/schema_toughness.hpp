#pragma once
/// When materials break, and how well they are joined.

#include "config/field.hpp"

namespace sunder::config {

/// `toughness` of a material; its `orientation` is left to the material's where it is not given.
Field<material::Material> toughness_field();

/// `interfaces` of a scene, after its bodies: it names materials in use.
Field<Scene> interfaces_field();

}  // namespace sunder::config
