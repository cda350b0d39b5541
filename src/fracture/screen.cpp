#include "fracture/screen.hpp"

#include <algorithm>

namespace sunder::fracture {
namespace {

bool directional_toughness(const element::Model& model)
{
  return std::any_of(model.materials.begin(), model.materials.end(),
                     [](const material::Material& m) { return m.directional_toughness(); });
}

/// May an interface fail by what shears along it, which no bound of tension sees?
bool slide(const element::Model& model)
{
  return std::any_of(model.interfaces.begin(), model.interfaces.end(),
                     [](const material::Interface& between) { return between.cohesion.energy > 0; });
}

}  // namespace

void screen(const element::Model& model, element::SeparationCriterion criterion, std::vector<LocalIndex>& nodes)
{
  const double fraction = directional_toughness(model) ? 1 : 0.5;
  const auto may_fail = [criterion, fraction](const Row4& f, double toughness) {
    if (criterion == element::SeparationCriterion::tensile) return fraction * f.w > toughness;
    const double margin = toughness - f.w;  // fails only if |f|/2 exceeds what tension leaves
    return margin < 0 || f.x * f.x + f.y * f.y + f.z * f.z > 4 * margin * margin;
  };
  const bool some_slide = slide(model);
  nodes.clear();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    const bool may = may_fail(model.f[i], model.toughness[i]) || (some_slide && model.strength[i].sliding > 0);
    if (may && model.mesh.owned(n)) nodes.push_back(n);
  }
}

}  // namespace sunder::fracture
