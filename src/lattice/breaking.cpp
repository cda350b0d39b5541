#include "lattice/breaking.hpp"

#include "lattice/crack_growth.hpp"
#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder::lattice {

CrackGrowth crack_growth(const Options& options)
{
  if (options.crack_growth == "moderate") return CrackGrowth::moderate();
  if (options.crack_growth == "major") return CrackGrowth::major();
  CrackGrowth growth;
  if (options.crack_growth == "table") growth.table = options.growth_table;
  return growth;
}

Lattice::Lattice(Bonds bonds, std::vector<double> inverse_mass, BondValues values, const Options& options)
  : bonds_(std::move(bonds)),
    inverse_mass_(std::move(inverse_mass)),
    values_(std::move(values)),
    broken_(bonds_.num_local(), 0),
    just_broken_(bonds_.num_local(), 0),
    operator_(bonds_, inverse_mass_),
    solve_(options.solve),
    growth_(crack_growth(options)),
    compression_(options.strength.compression),
    prestress_(options.prestress)
{
  values_.forces.resize(bonds_.num_local(), 0), values_.impulses.resize(values_.strengths.size(), 0);
}

StepResult Lattice::step(std::span<const Vec3> loads, double duration)
{
  std::vector<double> b = relative_accelerations(bonds_, inverse_mass_, loads, broken_);
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = broken_[k] != 0 ? 0 : prestress_ - b[k];
  StepResult result;
  result.solve = minimum_norm_solution(bonds_.halo.comm(), operator_, b, scale(loads), values_.forces, solve_);
  if (!result.solve.converged) return result;
  for (std::size_t k = 0; k < values_.impulses.size(); ++k) values_.impulses[k] += values_.forces[k] * duration;
  result.broken = break_bonds(result.ties);
  return result;
}

/// Collective. What accelerations the loads and the prestress would give the elements at all bonds, broken ones
/// included: where the loaded elements have come off whole, b is nothing but round-off.
double Lattice::scale(std::span<const Vec3> loads) const
{
  std::vector<double> sizes;
  for (const auto& [a, b] : bonds_.elements) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    sizes.push_back(std::abs(prestress_) + inverse_mass_[i] * loads[i].norm() + inverse_mass_[j] * loads[j].norm());
  }
  const auto [squared] = solvers::exact_dots(bonds_.halo.comm(), {{sizes, sizes}});
  return std::sqrt(squared);
}

/// Collective. Returns how many broke on all ranks.
GlobalIndex Lattice::break_bonds(GlobalIndex& ties)
{
  std::vector<double>&strengths = values_.strengths, &forces = values_.forces;
  std::fill(just_broken_.begin(), just_broken_.end(), 0);
  std::array<std::int64_t, 2> counts{};
  for (LocalIndex b = 0; b < bonds_.num_owned; ++b) {
    const auto k = static_cast<std::size_t>(b);
    if (broken_[k] != 0) continue;
    const double bearable = forces[k] > 0 ? compression_ * strengths[k] : strengths[k];
    const double excess = std::abs(forces[k]) - bearable, tie = solve_.tolerance * bearable;
    counts[1] += std::abs(excess) <= tie;
    if (excess <= tie) continue;
    just_broken_[k] = broken_[k] = 1;
    operator_.remove(b);
    ++counts[0];
  }
  bonds_.halo.comm().sum_in_place(counts);
  ties = counts[1];
  if (counts[0] == 0) return 0;
  bonds_.halo.owners_to_ghosts(std::span<char>(broken_));
  bonds_.halo.owners_to_ghosts(std::span<char>(just_broken_));
  weaken(bonds_, broken_, just_broken_, growth_, strengths);
  for (std::size_t k = 0; k < forces.size(); ++k)
    if (broken_[k] != 0) forces[k] = 0;
  return counts[0];
}

}  // namespace sunder::lattice
