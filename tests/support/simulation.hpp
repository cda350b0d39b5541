#pragma once
/// A simulation stepped by hand: a state and its stepper, with what tests ask of them.

#include "simulation/diagnostics/history_row.hpp"
#include "simulation/diagnostics/summary.hpp"
#include "simulation/diagnostics/totals.hpp"
#include "simulation/migration/repartition.hpp"
#include "simulation/run/restart.hpp"
#include "simulation/setup/obstacle_surfaces.hpp"
#include "simulation/setup/setup.hpp"
#include "simulation/stepping/make_stepper.hpp"

#include <memory>
#include <string>

namespace sunder::test {

/// Every method is collective, unless it only reads.
struct Simulation {
  Simulation(const Comm& comm, config::Scene s)
    : scene(simulation::with_obstacle_surfaces(comm, std::move(s))),
      state(simulation::set_up(comm, scene)),
      stepper(simulation::make_stepper(scene, state))
  {
  }
  Simulation(const Comm& comm, config::Scene s, simulation::RestartState& from)
    : scene(simulation::with_obstacle_surfaces(comm, std::move(s))),
      state(simulation::restored_state(comm, scene, from)),
      stepper(simulation::make_stepper(scene, state, &from.state, from.bodies.pairs))
  {
  }

  const element::Model& model() const { return state.model; }
  const partition::Halo& halo() const { return *state.halo; }
  double step_size() const { return stepper->step_size(); }
  bool at_sync_point() const { return stepper->at_sync_point(); }
  void compute_forces() { stepper->compute_forces(); }
  void advance(double dt) { advance(dt, state.time + dt); }
  void advance(double dt, double time_after) { stepper->advance(dt, time_after); }
  simulation::HistoryRow history_row() { return simulation::history_row(state, *stepper); }
  bool repartition() { return repartition(simulation::partitioner_of(scene.partition)); }
  bool repartition(const simulation::Partitioner& partitioner)
  {
    return simulation::repartition(state, *stepper, partitioner);
  }

  const config::Scene scene;
  simulation::State state;
  const std::unique_ptr<simulation::Stepper> stepper;
};

}  // namespace sunder::test
