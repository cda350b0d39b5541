#pragma once
/// The keys of a scene file. schema.cpp (schema_materials.cpp for materials) has one table a mapping; everything here
/// follows from the tables.

#include "config/field.hpp"
#include "config/scene.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// The scene a YAML tree describes, checked and completed. path: of the scene file, for its name.
Scene read_scene(const Value& root, const std::string& path, SceneFiles& files);

/// The materials of a library: a mapping of names to mappings with the keys of `materials.NAME`.
std::vector<material::Material> read_materials(const Value& root);

/// YAML of a completed scene, every default written out. parse_scene() of it gives the same scene, to the bit.
std::string to_yaml(const Scene& scene);

/// Documentation of all keys at the top of a scene, with those below them.
const std::vector<KeyDoc>& scene_docs();

/// What `sunder schema` prints: a line a key.
std::string schema_text();
/// The same as a page of Markdown.
std::string schema_markdown();

}  // namespace sunder::config
