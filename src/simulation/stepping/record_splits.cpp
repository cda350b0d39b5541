#include "simulation/stepping/record_splits.hpp"

#include "core/reduction.hpp"
#include "simulation/fragments/fragment_history.hpp"

#include <cmath>

namespace sunder::simulation {

bool record_splits(State& state, std::span<const fracture::NodeCopy> splits, std::int64_t elements_more,
                   CrackAgreement& agreement)
{
  element::Model& model = state.model;
  for (const fracture::NodeCopy& split : splits)
    for (const LocalIndex n : {split.node, split.copy})
      if (double& first = model.history[static_cast<std::size_t>(n)].failure_time; std::isnan(first))
        first = state.time;
  std::int64_t apart = may_have_come_apart(model, splits), lacks_mass = agreement.lacks_mass,
               list_expired = agreement.list_expired;
  double least = -agreement.least_step;
  Reduction all;
  all.sum(elements_more), all.max(apart, lacks_mass, list_expired), all.max(least);
  all.over(state.comm);
  agreement = {lacks_mass != 0, list_expired != 0, -least};
  state.num_elements += elements_more;
  return apart != 0 && follow_fragments(state);  // others may look in vain
}

contact::Origins origins_of(const std::vector<fracture::Lineage>& lineage)
{
  contact::Origins origins;
  for (const auto& [made, parent] : lineage) {
    const auto older = origins.find(parent);
    origins.try_emplace(made, older == origins.end() ? parent : older->second);
  }
  return origins;
}

}  // namespace sunder::simulation
