#include "config/differences.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>

namespace sunder::config {
namespace {

std::set<std::string> keys(const YAML::Node& scene)
{
  std::set<std::string> all;
  for (const auto& entry : scene) all.insert(entry.first.as<std::string>());
  return all;
}

std::string text(const YAML::Node& scene, const std::string& key)
{
  const YAML::Node value = scene[key];
  return value ? YAML::Dump(value) : "nothing";
}

}  // namespace

std::optional<std::string> first_difference(const std::string& before, const std::string& now,
                                            const std::vector<std::string>& aside)
{
  const YAML::Node a = YAML::Load(before), b = YAML::Load(now);
  auto all = keys(a);
  all.merge(keys(b));
  for (const std::string& key : all) {
    if (std::find(aside.begin(), aside.end(), key) != aside.end()) continue;
    const std::string was = text(a, key), is = text(b, key);
    if (was == is) continue;
    if (was.size() + is.size() > 200) return "'" + key + "' is not what it was";
    return "'" + key + "' was " + was + " and is " + is;
  }
  return {};
}

}  // namespace sunder::config
