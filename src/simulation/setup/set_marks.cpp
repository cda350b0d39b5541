#include "simulation/setup/set_marks.hpp"

#include "config/suggest.hpp"
#include "core/error.hpp"
#include "mesh/tet_mesh.hpp"
#include "simulation/setup/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::simulation {
namespace {

std::string sets(const std::vector<std::string>& names)
{
  return names.empty() ? "which has none" : config::listed(names);
}

}  // namespace

std::uint64_t BodyMarks::of(const std::string& set) const
{
  const auto it = of_set.find(set);
  return it == of_set.end() ? 0 : it->second;
}

std::vector<BodyMarks> marks_of_sets(const config::Scene& scene, const std::vector<std::vector<std::string>>& node_sets)
{
  const std::vector<Selecting> selecting = selections(scene);
  if (selecting.size() > 64)
    throw Error(fmt::format("{}: expected at most 64 conditions and loads together, got {} and {}",
                            config::message_key(scene, scene.loads.size() > 64 ? "loads" : "boundary"),
                            scene.boundary.size(), scene.loads.size()));
  std::vector<BodyMarks> marks(scene.bodies.size());
  for (std::size_t k = 0; k < selecting.size(); ++k) {
    const config::Selection& where = *selecting[k].where;
    const std::uint64_t bit = std::uint64_t{1} << k;
    std::vector<std::string> known;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      if (!where.body.empty() && where.body != scene.bodies[b].name) continue;
      if (where.set.empty())
        marks[b].everywhere |= bit;
      else
        marks[b].of_set[where.set] |= bit;
      for (const std::string& set : node_sets[b])
        if (std::find(known.begin(), known.end(), set) == known.end()) known.push_back(set);
    }
    if (!where.set.empty() && std::find(known.begin(), known.end(), where.set) == known.end())
      throw Error(fmt::format("{}.set: expected a node or face set of the mesh ({}), got '{}'", where.key, sets(known),
                              where.set));
  }
  return marks;
}

std::vector<std::pair<std::size_t, MaterialIndex>> materials_of_sets(const config::Body& body,
                                                                     const std::vector<std::string>& element_sets)
{
  std::vector<std::pair<std::size_t, MaterialIndex>> materials;
  for (const config::Region& region : body.regions) {
    const auto set = std::find(element_sets.begin(), element_sets.end(), region.set);
    if (set == element_sets.end())
      throw Error(fmt::format("{}.set: expected an element set of the mesh ({}), got '{}'", region.key,
                              sets(element_sets), region.set));
    materials.emplace_back(static_cast<std::size_t>(set - element_sets.begin()), region.material);
  }
  return materials;
}

}  // namespace sunder::simulation
