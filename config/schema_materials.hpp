#pragma once
/// The keys of a material, and how a scene names the materials of its parts.

#include "config/field.hpp"

#include <string>

namespace sunder::config {

/// `materials` of a scene: the scene's own, by name.
Field<Scene> materials_field();

/// The material a value names or describes, as its position among those in use (Context::materials).
MaterialIndex read_material_of(const Value& value, const std::string& path, Context& c);
KeyDoc material_doc();

/// `material` of whatever is made of one.
template <class T>
Field<T> material_field(MaterialIndex T::*member)
{
  return {material_doc(),
          [=](T& t, const Value& v, const std::string& path, Context& c) { t.*member = read_material_of(v, path, c); },
          [=](const T& t, const Context& c) { return make_scalar(c.materials.at(t.*member).name, true); }};
}

}  // namespace sunder::config
