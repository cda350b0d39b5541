/// What Equilibrium does with links between the sides of young cracks. docs/cohesion.md.

#include "core/reduction.hpp"
#include "element/cohesion.hpp"
#include "simulation/equilibrium/equilibrium.hpp"
#include "simulation/fragments/fragment_history.hpp"
#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>

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
  state_.halo->owners_to_ghosts(std::span<Row4>(state_.model.p));  // contact has to know which links are left
  if (changed != 0) rebuild(pair_memory());
  return came_off;
}

/// The latter is at least what they have stored on their way back.
double Equilibrium::energy_to_dissipate(double share) const
{
  const auto about_to = element::links_about_to_soften(state_.model);
  std::vector<double> energies, ones(about_to.size(), 1);
  for (std::size_t k = 0; k < about_to.size(); ++k) {
    const element::CohesiveLink& link = state_.model.links[k].link;
    const double stored = link.strength_left() * link.strength() * link.greatest() / 2;
    energies.push_back(about_to[k] != 0 ? std::min(share * link.surface_energy(), stored / 2) : 0);
  }
  return solvers::exact_dots(state_.comm, {{energies, ones}})[0];
}

double Equilibrium::dissipated_share() const
{
  std::vector<double> taken, surface;
  for (const element::LinkDissipation& link : element::dissipation_of_links(state_.model, {})) {
    surface.push_back(link.energy > 0 ? state_.model.links[taken.size()].link.surface_energy() : 0);
    taken.push_back(link.energy);
  }
  const std::vector<double> ones(taken.size(), 1);
  const auto [energy, all] = solvers::exact_dots(state_.comm, {{taken, ones}, {surface, ones}});
  return all > 0 ? energy / all : 0;
}

solvers::PathResult Equilibrium::dissipate(solvers::PathSolver& solver, double most, double energy)
{
  const double t = state_.load_time();
  begin(t + most);
  about_to_soften_ = element::links_about_to_soften(state_.model);
  pattern_known_ = false;  // the solver of Newton's method does not see the patterns in between
  const solvers::PathResult result = solvers::dissipate(*this, solver, scene_.solver.newton, {t, most, energy}, u_);
  pattern_known_ = false;
  return result;
}

double Equilibrium::dissipated(std::span<double> slope)
{
  std::fill(slope.begin(), slope.end(), 0);
  const auto row = [&](LocalIndex n) {
    return Eigen::Map<Vec3>(&slope[3 * static_cast<std::size_t>(numbering_->index(n))]);
  };
  std::vector<double> energies;
  for (const auto& [energy, pull] : element::dissipation_of_links(state_.model, softening_)) {
    const element::ModelLink& link = state_.model.links[energies.size()];
    row(link.plus) += pull, row(link.minus) -= pull;
    energies.push_back(energy);
  }
  return solvers::exact_dots(state_.comm, {{energies, std::vector<double>(energies.size(), 1)}})[0];
}

bool Equilibrium::suppose_softening()
{
  softening_ = about_to_soften_;
  return state_.comm.max(std::int64_t{std::ranges::count(softening_, 1)}) != 0;
}

/// (links) Of those that were about to soften, what they dissipate along a direction; 0 of others.
std::vector<double> Equilibrium::opening_rates(std::span<const double> direction) const
{
  const auto row = [&](LocalIndex n) {
    return Eigen::Map<const Vec3>(&direction[3 * static_cast<std::size_t>(numbering_->index(n))]);
  };
  std::vector<double> rates;
  for (const auto& [energy, pull] : element::dissipation_of_links(state_.model, about_to_soften_)) {
    const element::ModelLink& link = state_.model.links[rates.size()];
    rates.push_back(about_to_soften_[rates.size()] != 0 ? pull.dot(row(link.plus) - row(link.minus)) : 0);
  }
  return rates;
}

Equilibrium::Rates Equilibrium::dissipation_rates(std::span<const double> direction)
{
  const std::vector<double> rates = opening_rates(direction), ones(rates.size(), 1);
  std::vector<double> opens(rates), closes(rates);
  for (std::size_t k = 0; k < rates.size(); ++k)
    opens[k] = std::max(0.0, rates[k]), closes[k] = std::max(0.0, -rates[k]);
  const auto [forward, backward] = solvers::exact_dots(state_.comm, {{opens, ones}, {closes, ones}});
  return {forward, backward};
}

bool Equilibrium::suppose_opening(std::span<const double> direction, bool opposite, bool one_by_one)
{
  const std::vector<std::uint8_t> before = softening_;
  const std::vector<double> rates = opening_rates(direction);
  double most = 0;  // of what contradicts
  for (std::size_t k = 0; k < rates.size(); ++k) {
    softening_[k] = opposite ? rates[k] < 0 : rates[k] > 0;
    if (softening_[k] != before[k]) most = std::max(most, std::abs(rates[k]));
  }
  if (one_by_one) {
    most = state_.comm.max(most);
    for (std::size_t k = 0; k < rates.size(); ++k)
      if (std::abs(rates[k]) < most) softening_[k] = before[k];
  }
  return state_.comm.max(std::int64_t{softening_ != before}) != 0;
}

std::vector<NodePair> Equilibrium::linked_nodes() const
{
  std::vector<NodePair> pairs;
  for (const element::ModelLink& link : state_.model.links) pairs.push_back({link.plus, link.minus});
  return pairs;
}

}  // namespace sunder::simulation
