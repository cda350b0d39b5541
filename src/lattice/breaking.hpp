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

/// The bonds of a mesh with their strengths and what they have borne. Sign: a bond in compression exerts a positive
/// force, which pushes its elements apart.
class Lattice {
public:
  /// Local. inverse_mass: (slots) [1/kg]; strengths: (owned) [N]
  Lattice(Bonds bonds, std::vector<double> inverse_mass, std::vector<double> strengths, const Options& options);
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  const Bonds& bonds() const noexcept { return bonds_; }
  std::span<const double> inverse_mass() const noexcept { return inverse_mass_; }
  std::span<const double> strengths() const noexcept { return strengths_; }    ///< (owned) Now [N].
  std::span<const double> forces() const noexcept { return forces_; }          ///< (local) Of the last solve [N].
  std::span<const double> impulses() const noexcept { return impulses_; }      ///< (owned) Sum of force x time [N s].
  std::span<const char> broken() const noexcept { return broken_; }            ///< (local)
  std::span<const char> just_broken() const noexcept { return just_broken_; }  ///< (local) In the last step.
  GlobalIndex num_broken() const noexcept { return num_broken_; }              ///< Over all ranks.
  GlobalIndex num_ties() const noexcept { return num_ties_; }                  ///< Likewise, of all steps.

  /// Collective. Finds the forces under the loads, with the last ones as a start, and books their impulse. Then every
  /// bond breaks whose force exceeds its strength: its tensile strength, or `compression` times that under compression.
  /// A bond whose force differs from its strength by no more than the tolerance of the solve is a tie: it holds.
  /// Those around bonds that broke are weakened. If the solve does not converge nothing changes but forces().
  /// @param loads     (slots) force on each element held [N]
  /// @param duration  of the step [s]
  StepResult step(std::span<const Vec3> loads, double duration);

private:
  double scale(std::span<const Vec3> loads) const;
  GlobalIndex break_bonds(GlobalIndex& ties);

  Bonds bonds_;
  std::vector<double> inverse_mass_, strengths_, forces_, impulses_;
  std::vector<char> broken_, just_broken_;
  BondOperator operator_;
  SolveOptions solve_;
  CrackGrowth growth_;
  double compression_, prestress_;
  GlobalIndex num_broken_ = 0, num_ties_ = 0;
};

/// Local. The one that the options choose.
CrackGrowth crack_growth(const Options& options);

}  // namespace sunder::lattice
