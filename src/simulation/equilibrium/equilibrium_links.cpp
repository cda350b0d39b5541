/// What Equilibrium does with links between the sides of young cracks. docs/cohesion.md.

#include "core/reduction.hpp"
#include "element/cohesion.hpp"
#include "simulation/equilibrium/equilibrium.hpp"
#include "simulation/fragments/fragment_history.hpp"

namespace sunder::simulation {

/// They begin with what held their nodes together, so that what balanced still does.
void Equilibrium::begin_new_links()
{
  element::Model& model = state_.model;
  if (!element::cohesive(model)) return;
  t_end_ = state_.load_time(), dt_ = 0;
  compute_forces();
  for (LocalIndex i = 0; i < layout().num_owned; ++i) {
    const std::size_t k = 3 * static_cast<std::size_t>(i);
    model.f[static_cast<std::size_t>(numbering_->node(i))].set_xyz(Vec3::Map(&internal_[k]) + Vec3::Map(&external_[k]));
  }
  element::begin_new_links(model);
  state_.halo->owners_to_ghosts(std::span<Row4>(model.p));  // with the marks of links
}

/// What a restart would make is made anew: the pattern of the matrix has no trace of links that are gone.
bool Equilibrium::settle_links()
{
  if (!element::cohesive(state_.model)) return false;
  const element::SpentLinks spent = element::settle_links(state_.model);
  EnergyLedger& ledger = state_.ledger;
  ledger.work.surface += spent.absorbed, ledger.work.contact += spent.pressed;
  ledger.broken_links += spent.count, ledger.broken_surface += spent.surface_energy;
  std::vector<fracture::NodeCopy> pairs;
  for (const auto& [plus, minus] : spent.loosened) pairs.push_back({plus, minus});
  // On some numbers of ranks a way around is found that others do not see: that may not decide what is made anew.
  std::int64_t apart = may_have_come_apart(state_.model, pairs), changed = spent.count > 0 || !pairs.empty();
  Reduction all;
  all.max(apart, changed);
  all.over(state_.comm);
  const bool came_off = apart != 0 && follow_fragments(state_);
  if (changed != 0) rebuild(pair_memory());
  state_.halo->owners_to_ghosts(std::span<Row4>(state_.model.p));
  return came_off;
}

std::vector<NodePair> Equilibrium::linked_nodes() const
{
  std::vector<NodePair> pairs;
  for (const element::ModelLink& link : state_.model.links) pairs.push_back({link.plus, link.minus});
  return pairs;
}

}  // namespace sunder::simulation
