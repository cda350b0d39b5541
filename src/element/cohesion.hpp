#pragma once
/// All links of a rank: the forces of what still holds young cracks together. docs/cohesion.md. Local, all of it: a
/// node and its copies have one owner, who has all their links.

#include "core/tangent_options.hpp"
#include "element/model.hpp"

#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sunder::element {

/// Links that have come to nothing.
struct SpentLinks {
  std::vector<std::pair<LocalIndex, LocalIndex>> loosened;  ///< Nodes of links that have broken since the last call.
  std::vector<LocalIndex> nodes;                            ///< Of those dropped.
  std::int64_t count = 0;                                   ///< Of those dropped, and their sums:
  double absorbed = 0;                                      ///< What they had taken from the bodies to open [J].
  double pressed = 0;         ///< What they had stored as their sides pressed on each other [J].
  double surface_energy = 0;  ///< G_c times their area [J].
};

/// Do cracks in any of the materials, or between them, take energy?
inline bool cohesive(const Model& model)
{
  const auto takes_energy = [](const auto& m) { return m.cohesion.energy > 0; };
  return std::any_of(model.materials.begin(), model.materials.end(), takes_energy) ||
         std::any_of(model.interfaces.begin(), model.interfaces.end(), takes_energy);
}

/// Adds the forces of the links to model.f, which has all other forces at p already. New links get their first force:
/// nodes that were one go on as one. Where several new links hold nodes that were one, what each bears is in proportion
/// to its area.
void add_cohesive_forces(Model& model);

/// The parts of add_cohesive_forces() for a solver that tries positions. The forces that links with a first force have
/// at p are added to model.f; what they have been through stays what it is.
void add_trial_forces_of_links(Model& model);
/// Those of link k alone.
void add_trial_force_of_link(Model& model, std::size_t k);
/// The element on the positive side of link k that the axes of its crack turn with.
LocalIndex element_of_axes(const Model& model, const ModelLink& link);
/// New links get their first force. model.f has all forces at p, those of other links too.
void begin_new_links(Model& model);
/// The positions were accepted: what links have been through there cannot be undone.
void open_links(Model& model);
/// Calls add(row, column, block) with minus the derivative of the trial forces, blocks of pairs of nodes [N/m], in the
/// order of the links. That the axes of cracks turn is left out: a part of it as small as the strain.
/// @param softening  (links) not 0: as if it opened farther than ever; may be empty
void add_link_tangents(const Model& model, TangentKind kind, std::span<const std::uint8_t> softening,
                       const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add);

/// What a link takes for good at p, besides what it had taken at the positions that were accepted last.
struct LinkDissipation {
  double energy = 0;          ///< [J]
  Vec3 slope = Vec3::Zero();  ///< How it grows with the place of its positive node; with the other one it falls [N].
};
/// (links) softening: as in add_link_tangents(); those have a slope also where they do not open farther than ever.
std::vector<LinkDissipation> dissipation_of_links(const Model& model, std::span<const std::uint8_t> softening);
/// (links) 1: open so far that it is about to soften, and strong enough to matter. Positions were accepted.
std::vector<std::uint8_t> links_about_to_soften(const Model& model);

/// After the forces, before nodes move: notes which links have broken, drops those that do not press any more either,
/// and marks nodes.
SpentLinks settle_links(Model& model);

/// Marks the nodes of links in p.w, which goes to ghosts with the positions: the greatest share of its strength that a
/// link of the node still has; 0: it has none. The second marks these nodes only, and costs what they have.
void mark_linked_nodes(Model& model);
void mark_linked_nodes(Model& model, std::span<const LocalIndex> nodes);

/// Beside a crack that has not opened yet stress is as high as on it, and in a uniform field as high everywhere. Is
/// node n (owned) next to a node whose link still has half of its strength, or such a node itself? Then a crack that
/// opens there will unload n. Not so where n is next to both sides of a link, so at the front of its crack, and that
/// crack has opened further.
bool beside_young_crack(const Model& model, LocalIndex n);

/// What the links have taken from the bodies since they were born [J].
double energy_of_links(const Model& model);

/// The shortest stable step of links at the nodes given, each together with the elements around the node. Costs what
/// these nodes have.
struct LinkLimit {
  double step = std::numeric_limits<double>::infinity();  ///< [s]
  ElementId element{};                                    ///< The one with the smallest id around that node.
};
LinkLimit limit_of_links(const Model& model, std::span<const LocalIndex> nodes);

}  // namespace sunder::element
