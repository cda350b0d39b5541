#pragma once
/// The keys of a scene file. schema.cpp and schema_*.cpp have one table for each mapping; all functions here follow
/// from these tables. Local.

#include "config/field.hpp"
#include "config/scene.hpp"

#include <string>
#include <vector>

namespace sunder::config {

/// The scene that a YAML tree describes, checked and completed. path: of the scene file, for the scene's name.
Scene read_scene(const Value& root, const std::string& path, SceneFiles& files);

/// YAML of a completed scene, with every default. parse_scene() of it gives the same scene, bit for bit.
std::string to_yaml(const Scene& scene);

/// Documentation of all keys of a scene.
const std::vector<KeyDoc>& scene_docs();

/// The output of `sunder schema`: one line for each key.
std::string schema_text();
/// The same as a page of Markdown.
std::string schema_markdown();

}  // namespace sunder::config
