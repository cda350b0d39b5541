#include "simulation/stepping/dust.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"
#include "core/reduction.hpp"
#include "element/make_model.hpp"
#include "simulation/fragments/find_fragments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace sunder::simulation {
namespace {

/// A fragment of so many units of volume is no dust, and is not measured further.
constexpr std::int64_t large = std::int64_t{1} << 40;

/// What ranks know together of a fragment. Volumes are whole numbers, so that sums are the same in any order.
struct SmallFragment {
  NodeId key;  // its smallest node id
  std::int64_t volume = 0;
  double factor = 1;  // of mass, the greatest that an element has or asks for
  bool held = false;

  void combine(const SmallFragment& other)
  {
    volume = std::min(large, volume + other.volume), factor = std::max(factor, other.factor), held = held || other.held;
  }
};

/// Of the fragments that this rank holds something of. unit: of volume [m^3].
std::map<NodeId, SmallFragment> fragments_held(const State& state, const StepControl& control, const Fragments& found,
                                               double unit)
{
  const element::Model& model = state.model;
  std::map<NodeId, SmallFragment> fragments;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (found.component[at(n)] < 0) continue;
    SmallFragment& fragment = fragments.try_emplace(found.least[at(found.component[at(n)])]).first->second;
    fragment.held = fragment.held || (model.mesh.owned(n) && model.mesh.node(n).marks != 0);
  }
  const auto fragment_of = [&](LocalIndex e) -> SmallFragment& {
    return fragments.at(found.least[at(found.component[at(model.mesh.tet(e)[0])])]);
  };
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const double units = std::min(model.blocks.volume(e) / unit, static_cast<double>(large));
    SmallFragment& fragment = fragment_of(e);
    fragment.volume = std::min(large, fragment.volume + std::int64_t{std::llround(units)});
  }
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    SmallFragment& fragment = fragment_of(e);
    // What is large on one rank is no dust, and need not be asked.
    if (fragment.volume < large)
      fragment.factor = std::max({fragment.factor, model.dust_factor(e), control.mass_factor_for_unbroken_step(e)});
  }
  for (auto& [key, fragment] : fragments) fragment.key = key;
  return fragments;
}

/// Collective. By the smallest node id: what the mass of a fragment held here is multiplied by from now on; 0: it is no
/// dust.
std::map<NodeId, double> factors(State& state, const StepControl& control, const Fragments& found, double size)
{
  const Comm& comm = state.comm;
  const double unit = size * size * size / static_cast<double>(large);
  std::vector<SmallFragment> mine;
  for (const auto& [key, fragment] : fragments_held(state, control, found, unit)) mine.push_back(fragment);
  const CombiningExchange<SmallFragment, double> exchange(
      comm, std::move(mine), [&comm](const NodeId& least) { return home_rank(least.low, comm.size()); });
  std::vector<double> answers;
  std::int64_t dust = 0;
  for (const SmallFragment& fragment : exchange.at_home()) {
    const bool small = fragment.volume < large && !fragment.held;
    answers.push_back(small ? fragment.factor : 0), dust += small;
  }
  state.dust.fragments = comm.sum(dust);
  return exchange.answer(answers);
}

/// Of a node owned whose mass was `before` [kg]: the same momentum.
void give_mass(State& state, LocalIndex n, double before, const Vec3& gravity)
{
  element::Model& model = state.model;
  const double after = model.mass[at(n)];
  if (!(after > before)) return;
  const Vec3 v = model.v[at(n)].xyz();
  model.v[at(n)].set_xyz(v * (before / after));
  state.ledger.work.numerical += before / 2 * v.squaredNorm() * (1 - before / after);
  // Mass that appears where it is has not fallen there.
  state.ledger.work.external -= (after - before) * gravity.dot(model.p[at(n)].xyz());
}

/// Collective. Warns once.
void warn_of_much_mass(State& state, double size)
{
  double added = 0, all = 0;
  const element::Model& model = state.model;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const double mass = model.material_of(e).density * model.blocks.volume(e);
    all += mass, added += (model.dust_factor(e) - 1) * mass;
  }
  Reduction sums;
  sums.sum(added, all);
  sums.over(state.comm);
  if (state.dust.warned || !(added > 0.01 * all)) return;
  state.dust.warned = true;
  warn(state, fmt::format("step {}: fracture.dust: {} has added {:.3g} kg, more than a hundredth of the {:.4g} kg that "
                          "the bodies have; a smaller one adds less",
                          state.steps, size, added, all));
}

}  // namespace

bool lacks_mass(const State& state, const StepControl& control, std::span<const LocalIndex> elements)
{
  const element::Model& model = state.model;
  return std::any_of(elements.begin(), elements.end(), [&](LocalIndex e) {
    return model.mesh.primary(e) && model.history[at(model.mesh.tet(e)[0])].dust_factor > 0 &&
           control.mass_factor_for_unbroken_step(e) > model.dust_factor(e);
  });
}

bool add_mass_to_dust(State& state, const StepControl& control, double size, const Vec3& gravity)
{
  element::Model& model = state.model;
  const Fragments found = find_fragments(model, *state.halo);
  const std::map<NodeId, double> factor_of = factors(state, control, found, size);
  std::vector<LocalIndex> changed;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (found.component[at(n)] < 0) continue;
    const double factor = factor_of.at(found.least[at(found.component[at(n)])]);
    double& now = model.history[at(n)].dust_factor;
    if (factor > std::max(1.0, now)) changed.push_back(n);
    now = std::max(now, factor);
  }
  if (state.comm.max(static_cast<std::int64_t>(changed.size())) == 0) return false;
  for (const LocalIndex n : changed) {
    const double before = model.mass[at(n)];
    element::refresh_node(model, n);
    if (model.mesh.owned(n)) give_mass(state, n, before, gravity);
  }
  state.halo->owners_to_ghosts(std::span<Row4>(model.v));
  warn_of_much_mass(state, size);
  state.dust.limit_without = control.limit_without_dust();
  return true;
}

}  // namespace sunder::simulation
