#pragma once
/// A lattice under impact: forces of bonds, and which of them break, step by step.

#include "lattice/bond_operator.hpp"
#include "lattice/options.hpp"

#include <span>
#include <vector>

namespace sunder::lattice {

/// What one step did, the same on every rank.
struct StepResult {
  SolveResult solve;
  GlobalIndex broken = 0;  ///< Bonds that broke.
  GlobalIndex ties = 0;    ///< Bonds whose force is its strength but for the tolerance of the solve.
};

/// What bonds remember from step to step.
struct BondValues {
  std::vector<double> strengths;  ///< (owned) In tension, now [N].
  std::vector<double> forces;     ///< (local) Of the last solve [N]; empty: none yet.
  std::vector<double> impulses;   ///< (owned) Sum of force x time [N s]; empty: none yet.
};

/// The bonds of a mesh with their strengths and what they have borne. Sign: a bond in compression exerts a positive
/// force, which pushes its elements apart.
class Lattice {
public:
  /// Local. No bond is broken. inverse_mass: (slots) [1/kg]
  Lattice(Bonds bonds, std::vector<double> inverse_mass, BondValues values, const Options& options);
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  const Bonds& bonds() const noexcept { return bonds_; }
  std::span<const double> inverse_mass() const noexcept { return inverse_mass_; }
  const BondValues& values() const noexcept { return values_; }                ///< Now.
  std::span<const char> broken() const noexcept { return broken_; }            ///< (local)
  std::span<const char> just_broken() const noexcept { return just_broken_; }  ///< (local) In the last step.

  /// Collective. Finds the forces under the loads, with the last ones as a start, and books their impulse. Then every
  /// bond breaks whose force exceeds its strength: its tensile strength, or `compression` times that under compression.
  /// A bond whose force differs from its strength by no more than the tolerance of the solve is a tie: it holds.
  /// Those around bonds that broke are weakened. If the solve does not converge nothing changes but forces.
  /// @param loads     (slots) force on each element held [N]
  /// @param duration  of the step [s]
  StepResult step(std::span<const Vec3> loads, double duration);

private:
  double scale(std::span<const Vec3> loads) const;
  GlobalIndex break_bonds(GlobalIndex& ties);

  Bonds bonds_;
  std::vector<double> inverse_mass_;
  BondValues values_;
  std::vector<char> broken_, just_broken_;
  BondOperator operator_;
  SolveOptions solve_;
  CrackGrowth growth_;
  double compression_, prestress_;
};

/// Local. The one that the options choose.
CrackGrowth crack_growth(const Options& options);

}  // namespace sunder::lattice
