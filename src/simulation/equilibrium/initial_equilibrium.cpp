#include "simulation/equilibrium/initial_equilibrium.hpp"

#include "core/error.hpp"
#include "core/log.hpp"
#include "simulation/equilibrium/equilibrium.hpp"
#include "simulation/equilibrium/make_linear_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sunder::simulation {

void find_initial_equilibrium(const config::Scene& scene, State& state)
{
  element::Model& model = state.model;
  PrescribedMotion prescribed(scene.boundary, model.mesh);
  Loads loads(scene.loads, model.mesh);
  const auto solver = make_linear_solver(scene, state.comm);
  const std::vector<Row4> v = model.v;
  std::fill(model.v.begin(), model.v.end(), Row4{});  // at rest there is no viscosity
  Equilibrium equilibrium(scene, state, prescribed, loads, std::nullopt, Equilibrium::Bodies::ignore);
  equilibrium.rebuild({});
  const std::string key = "solver.initial_equilibrium: ";
  if (const auto problem = equilibrium.floating_problem()) throw AgreedError(key + *problem);
  const solvers::NewtonResult found = equilibrium.solve(*solver, state.time);
  if (!found.converged)
    throw AgreedError(fmt::format("{}expected an equilibrium under gravity and the loads of t = {} s, found none: {}; "
                                  "residuals, as shares of the forces: {:.2e}",
                                  key, state.time, found.reason, fmt::join(found.residuals, " ")),
                      ExitStatus::simulation_failed);
  const auto newton_iterations = std::ssize(found.residuals) - 1;
  log_info(fmt::format("in equilibrium at the start, after {} iterations of Newton's method", newton_iterations));
  state.measured.solves.newton_iterations += newton_iterations;
  state.measured.solves.linear_iterations += found.linear_iterations;
  model.v = v;
}

}  // namespace sunder::simulation
