#include "config/schema_material_list.hpp"

#include "config/schema_material.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::config {
namespace {

void read_named_materials(const Value& value, const std::string& path, Context& c,
                          const std::function<void(material::Material)>& keep)
{
  if (!value.is_mapping()) refuse(value, path, "a mapping of names to materials");
  for (const Value& item : value.items) {
    if (!is_name(item.key)) {
      Value key = make_scalar(item.key);
      key.place = item.key_place;
      read_name(key, path);
    }
    keep(read_material(item.key, item, key_path(path, item.key), c));
  }
}

MaterialIndex index_of(const Value& place, const std::string& path, material::Material m, Context& c)
{
  const auto same = [&m](const auto& other) { return other.name == m.name; };
  const auto found = std::find_if(c.materials.begin(), c.materials.end(), same);
  const auto index = static_cast<std::size_t>(found - c.materials.begin());
  if (index > std::numeric_limits<MaterialIndex>::max())
    refuse(place, path, fmt::format("at most {} materials", std::numeric_limits<MaterialIndex>::max() + 1));
  if (found == c.materials.end()) c.materials.push_back(std::move(m));
  return static_cast<MaterialIndex>(index);
}

/// A name for a material that has none, after where it stands: bodies.wall.material is "wall".
std::string fresh_name(const std::string& path, const Context& c)
{
  std::string stem = path.substr(path.find('.') + 1);
  stem.resize(stem.rfind('.'));
  std::replace(stem.begin(), stem.end(), '.', '_');
  const auto taken = [&c](const std::string& name) {
    const auto named = known_materials(c);
    return std::find(named.begin(), named.end(), name) != named.end() ||
           std::any_of(c.materials.begin(), c.materials.end(), [&name](const auto& m) { return m.name == name; });
  };
  stem.resize(std::min<std::size_t>(stem.size(), 40));
  std::string name = stem;
  for (int k = 2; taken(name); ++k) name = fmt::format("{}_{}", stem, k);
  return name;
}

}  // namespace

Field<Scene> materials_field()
{
  return {{.key = "materials",
           .type = "mapping of names",
           .fallback = "{}",
           .text = "The scene's own materials, beside and before those of the library.",
           .keys = material_keys(),
           .is_named = true},
          [](Scene&, const Value& v, const std::string& path, Context& c) {
            read_named_materials(v, path, c, [&c](const auto& m) { c.own_materials[m.name] = m; });
          },
          [](const Scene& scene, const Context& c) {
            Value all = make_mapping();
            for (const auto& m : scene.materials) all.add(m.name, write_material(m, c));
            return all;
          }};
}

MaterialIndex read_material_of(const Value& value, const std::string& path, Context& c)
{
  auto m = value.is_mapping() ? read_material(fresh_name(path, c), value, path, c) : named_material(value, path, c);
  return index_of(value, path, std::move(m), c);
}

KeyDoc material_doc()
{
  return {.key = "material",
          .type = "name or mapping",
          .fallback = "required",
          .text = "A material of the scene or the library, or the keys of one.",
          .keys = material_keys(),
          .elsewhere = "materials.NAME",
          .shorthand = "base"};
}

ToughnessPlace toughness_place(const Value& root, const std::string& material)
{
  const auto within = [](const Value& described, const std::string& path) -> ToughnessPlace {
    const Value* const toughness = described.find("toughness");
    return {toughness ? toughness->place : described.place, key_path(path, "toughness")};
  };
  if (const Value* const own = root.find("materials"))
    if (const Value* const described = own->find(material)) return within(*described, key_path("materials", material));
  const Value& bodies = *root.find("bodies");
  for (std::size_t b = 0; b < bodies.items.size(); ++b) {
    const Value* const of_body = bodies.items[b].find("material");
    if (!of_body) continue;
    const std::string name = item_path("bodies", bodies, b), path = key_path(name, "material");
    if (of_body->is_mapping() && name == key_path("bodies", material)) return within(*of_body, path);
    if (of_body->text == material) return {of_body->place, path};
  }
  return {root.place, key_path(key_path("materials", material), "toughness")};  // of a region
}

std::vector<material::Material> read_materials(const Value& root)
{
  Context context;
  std::vector<material::Material> all;
  read_named_materials(root, "", context, [&](auto m) {
    context.own_materials.emplace(m.name, m);
    all.push_back(std::move(m));
  });
  return all;
}

}  // namespace sunder::config
