#pragma once
/// What parting sets free. docs/fracture.md.

#include "element/model.hpp"

namespace sunder::fracture {

/// Local. An estimate of the elastic energy that becomes motion because a node was split in two [J].
///
/// Before, the two sides pulled at each other through the node with the force c = f_b - m_b (f_a + f_b) / (m_a + m_b):
/// f are the internal forces of the elements of either side, m their lumped masses. Each side now relaxes by it. If the
/// nodes around stay where they are, that releases 1/2 c . (K_a^-1 + K_b^-1) c, with K the stiffness of the side's
/// elements at the node. The nodes around do give way later, so it is a lower estimate.
/// @param a, b  the node and its copy; this rank owns them, and their masses are up to date
double released_energy(const element::Model& model, LocalIndex a, LocalIndex b);

}  // namespace sunder::fracture
