/// Where a step of EquilibriumStepper ends: under given loads, or along a path of equilibria. docs/equilibrium.md.

#include "core/log.hpp"
#include "simulation/stepping/equilibrium_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::simulation {

/// What links that soften take for good in the longest step, over what they take until they have broken.
constexpr double dissipated_at_most = 0.1;

solvers::NewtonResult EquilibriumStepper::find_end(double time)
{
  switch (control_) {
    case config::LoadControl::arc_length:
      return follow_path(time - state_.time);
    case config::LoadControl::dissipation:
      return dissipate(time - state_.time);
    default:
      return solve(time - state_.load_lag);
  }
}

/// Under the loads of `load_time`.
solvers::NewtonResult EquilibriumStepper::solve(double load_time)
{
  const solvers::NewtonResult result = equilibrium_.solve(*solver_, load_time);
  count(result);
  return result;
}

/// As far as loads go in dt at the start of the run.
solvers::NewtonResult EquilibriumStepper::follow_path(double dt)
{
  path_ = equilibrium_.follow(path_solver_, dt, path_rate_ * dt);
  count(path_.newton);
  if (path_.newton.converged)
    log_debug(fmt::format("step {}: loads of t = {:.6g} s{}", state_.steps + 1, path_.t,
                          path_.indefinite ? ", past a limit" : ""));
  return path_.newton;
}

void EquilibriumStepper::count(const solvers::NewtonResult& result)
{
  state_.measured.solves.newton_iterations += std::max<std::int64_t>(0, std::ssize(result.residuals) - 1);
  state_.measured.solves.linear_iterations += result.linear_iterations;
}

/// Loads go on by dt where nothing is about to soften. Else links take for good what is their share for dt.
solvers::NewtonResult EquilibriumStepper::dissipate(double dt)
{
  path_ = {};
  double energy = equilibrium_.energy_to_dissipate(dissipated_at_most);
  if (energy == 0) {
    path_.t = state_.load_time() + dt;
    return solve(path_.t);
  }
  if (scene_.solver.dissipation > 0) energy = std::min(energy, scene_.solver.dissipation);
  energy *= dt / longest_step(scene_);
  path_ = equilibrium_.dissipate(path_solver_, dt, energy);
  count(path_.newton);
  if (path_.newton.converged)
    log_debug(fmt::format("step {}: loads of t = {:.6g} s, {:.3g} J for good{}", state_.steps + 1, path_.t, energy,
                          path_.indefinite ? ", past a limit" : ""));
  return path_.newton;
}

}  // namespace sunder::simulation
