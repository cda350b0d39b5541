#pragma once
/// What a state keeps of cracks that have just been made.

#include "contact/broad_phase/surface_element.hpp"
#include "fracture/crack.hpp"
#include "simulation/state.hpp"

#include <limits>
#include <span>
#include <vector>

namespace sunder::simulation {

/// What else ranks agree on in the reduction of record_splits(): true where it is on any rank, the least of all.
struct CrackAgreement {
  bool lacks_mass = false;                                      ///< Does dust that a cut made lack mass?
  bool list_expired = false;                                    ///< Can contact's pair list not be mended?
  double least_step = std::numeric_limits<double>::infinity();  ///< That changed elements allow [s].
};

/// Collective: one reduction, and what following fragments takes. After a crack: notes when nodes were first parted,
/// counts elements, and follows what came off. Returns whether something came off.
/// @param elements_more  than before, of those that this rank counts
bool record_splits(State& state, std::span<const fracture::NodeCopy> splits, std::int64_t elements_more,
                   CrackAgreement& agreement);
inline bool record_splits(State& state, std::span<const fracture::NodeCopy> splits, std::int64_t elements_more)
{
  CrackAgreement none;
  return record_splits(state, splits, elements_more, none);
}

/// Local. Each element made in a step with its ancestor from before the step.
contact::Origins origins_of(const std::vector<fracture::Lineage>& lineage);

}  // namespace sunder::simulation
