#pragma once
/// Planes through the material: which elements a section cuts. docs/output.md.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "element/model.hpp"

#include <array>
#include <string>
#include <vector>

namespace sunder::simulation {

/// How a section cuts an element.
struct SectionCut {
  std::array<double, 4> distance{};  ///< Of the corners from the plane, along its normal [m].
  int below = 0;                     ///< Corners on the side that the normal points away from.
  bool cuts = false;                 ///< With corners on both sides, and its centroid within the radius.
};

/// Local. corners: of the element, in the material [m]
SectionCut section_cut(const config::Section& section, const std::array<Vec3, 4>& corners);

/// Collective. Throws Error (bad_input) on every rank if a section cuts no element.
void check_sections(const std::vector<config::Section>& sections, const element::Model& model, const Comm& comm);

/// Local. What is said of a section that cuts nothing; key: of the scene, with file and line.
std::string cuts_no_element(const std::string& key);

}  // namespace sunder::simulation
