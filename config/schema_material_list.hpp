#pragma once
/// The materials of a scene and of a library, and the key of whatever has one. Local.

#include "config/field.hpp"

#include <string>

namespace sunder::config {

/// `materials` of a scene: the scene's own, by name.
Field<Scene> materials_field();

/// The material that a value names or describes, as a position in Context::materials. It is added there if it is new.
MaterialIndex read_material_of(const Value& value, const std::string& path, Context& c);
KeyDoc material_doc();

/// The key `material` of any T with a material.
template <class T>
Field<T> material_field(MaterialIndex T::*member)
{
  return {material_doc(),
          [=](T& t, const Value& v, const std::string& path, Context& c) { t.*member = read_material_of(v, path, c); },
          [=](const T& t, const Context& c) { return make_scalar(c.materials.at(t.*member).name, true); }};
}

/// Where a scene gives the toughness of a material, or names the material: for messages.
struct ToughnessPlace {
  Place place;
  std::string path;
};
ToughnessPlace toughness_place(const Value& root, const std::string& material);

/// The materials of a library: a mapping of names to mappings with the keys of `materials.NAME`. `base` names an
/// earlier one of them.
std::vector<material::Material> read_materials(const Value& root);

}  // namespace sunder::config
