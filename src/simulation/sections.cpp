#include "simulation/sections.hpp"

#include "core/error.hpp"

#include <cstdint>

namespace sunder::simulation {

SectionCut section_cut(const config::Section& section, const std::array<Vec3, 4>& corners)
{
  SectionCut cut;
  for (std::size_t a = 0; a < 4; ++a) {
    cut.distance[a] = section.normal.dot(corners[a] - section.point);
    cut.below += cut.distance[a] < 0;
  }
  if (cut.below == 0 || cut.below == 4) return cut;
  Vec3 r = -section.point;
  for (const Vec3& x : corners) r += x / 4;
  cut.cuts = (r - section.normal * section.normal.dot(r)).norm() <= section.radius;
  return cut;
}

void check_sections(const std::vector<config::Section>& sections, const element::Model& model, const Comm& comm)
{
  if (sections.empty()) return;
  std::vector<std::int64_t> cut(sections.size(), 0);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.primary(e))
      for (std::size_t k = 0; k < cut.size(); ++k) cut[k] += section_cut(sections[k], model.mesh.corners(e)).cuts;
  comm.sum_in_place(cut);
  for (std::size_t k = 0; k < cut.size(); ++k)
    if (cut[k] == 0) throw AgreedError(cuts_no_element(sections[k].key));
}

std::string cuts_no_element(const std::string& key)
{
  return key + ": expected a plane that cuts elements, got one that cuts none";
}

}  // namespace sunder::simulation
