#pragma once
/// Steps along a path of equilibria of what softens, each of which takes a given energy for good.

#include "solvers/path_iteration.hpp"

#include <span>

namespace sunder::solvers {

/// Equations of bodies with parts that soften as they open farther than ever, and go back elastically. Collective, all
/// of it.
class DissipatingEquations : public PathEquations {
public:
  /// What was dissipated since the step began, at the u of the last residual() [J].
  /// @param slope  of that with u, (3 num_owned) [N]
  virtual double dissipated(std::span<double> slope) = 0;

  /// At the beginning of the step: what is about to soften is taken to do so in tangents and slopes, though it does not
  /// open yet. Returns false if there is nothing.
  virtual bool suppose_softening() = 0;
  /// Dissipation of what is about to soften, per unit of a direction of u and of the opposite one [J].
  struct Rates {
    double forward = 0, backward = 0;
  };
  virtual Rates dissipation_rates(std::span<const double> direction) = 0;
  /// Of what is about to soften, what opens in a direction, or in the opposite one, is taken to soften from here on.
  /// Returns false if that changes nothing.
  /// @param one_by_one  only what contradicts most changes
  virtual bool suppose_opening(std::span<const double> direction, bool opposite, bool one_by_one) = 0;
  /// Nothing is taken to be what it is not.
  virtual void suppose_nothing() = 0;
};

/// A step.
struct DissipationStep {
  double begin = 0;   ///< t where it begins, at u = 0 [s].
  double most = 0;    ///< t changes by no more than that in the first guess [s].
  double energy = 0;  ///< That it dissipates [J]; less, where the first guess says that t would change more.
};

/// Collective. From u = 0, where the equations hold at t = begin. u becomes the end of the step.
///
/// The energy that is dissipated only grows, whether loads and displacements go forth or back, so it tells where on its
/// path a body is that softens (Gutierrez, Commun. Numer. Meth. Engng 20, 2004; Verhoosel, Remmers, Gutierrez, Int. J.
/// Numer. Meth. Engng 77, 2009). The first guess has to know what softens and what goes back: it takes all that may
/// soften to do so, looks which way more is dissipated, leaves out what closes that way, and so on until nothing
/// changes. Corrections are those of Newton's method for u, t and the energy, shortened where residual and energy are
/// off by more after them: what changes between softening and going back would make them alternate for ever.
///
/// First guesses may go round in a circle: a link opens as long as it is not taken to soften, and closes where it is.
/// Corrections then alternate likewise, however short the step. So where the first guess leads to no end of the step,
/// others are tried, in which loads go back, or forth, whatever more is dissipated, and in which one link changes at a
/// time and loads turn where a circle is found.
/// @param u  (3 num_owned)
PathResult dissipate(DissipatingEquations& equations, PathSolver& solver, const NewtonOptions& options,
                     const DissipationStep& step, std::span<double> u);

}  // namespace sunder::solvers
