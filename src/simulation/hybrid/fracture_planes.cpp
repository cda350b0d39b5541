#include "simulation/hybrid/fracture_planes.hpp"

namespace sunder::simulation {

bool PartedPairs::contains(ElementId a, ElementId b) const
{
  const auto found = others_.find(a);
  return found != others_.end() && std::find(found->second.begin(), found->second.end(), b) != found->second.end();
}

bool PartedPairs::add(ElementId a, ElementId b)
{
  if (contains(a, b)) return false;
  others_[a].push_back(b), others_[b].push_back(a);
  return true;
}

void PartedPairs::follow(std::span<const fracture::Lineage> lineage)
{
  for (const auto& [made, parent] : lineage) {
    const auto found = others_.find(parent);
    if (found == others_.end()) continue;
    const std::vector<ElementId> others = found->second;
    for (const ElementId other : others) add(made, other);
  }
}

}  // namespace sunder::simulation
