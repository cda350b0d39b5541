#pragma once
/// Keys of the toughness of materials and of their interfaces. Local.

#include "config/field.hpp"

namespace sunder::config {

/// `toughness` of a material. If it gives no `orientation`, the material's is used.
Field<material::Material> toughness_field();

/// `interfaces` of a scene. To be read after the bodies, because it names materials in use.
Field<Scene> interfaces_field();

}  // namespace sunder::config
