#pragma once
/// An impact on a lattice of rigid bonds, step by step, and then the fragments as rigid bodies. docs/lattice.md.

#include "config/scene.hpp"
#include "lattice/breaking.hpp"
#include "rigid/fragment_motion.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/hybrid_stepper.hpp"
#include "simulation/stepping/run_state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace sunder::simulation {

/// While the impact lasts, bodies stay where they are: each step finds the forces of bonds, breaks those that bear too
/// much, parts the mesh where nodes have come apart, and gives every fragment the rigid motion that fits what impact
/// and bonds have given its elements. Afterwards fragments are the rigid bodies of a HybridStepper, which do not break.
///
/// What the lattice remembers is in the model, so every step ends at a sync point. After a step in which bonds have
/// broken the lattice is made anew of those that are left.
class LatticeStepper final : public Stepper {
public:
  /// Collective. From the beginning, or going on from a sync point of another. scene and state must outlive it.
  LatticeStepper(const config::Scene& scene, State& state, const RunState* from);

  double step_size() const noexcept override { return flight_ ? flight_->step_size() : (1 + 1e-9) * limit_.seconds; }
  const StepLimit& limit() const noexcept override { return flight_ ? flight_->limit() : limit_; }
  void compute_forces() override {}
  /// During the impact a step is as long as the scene says, whatever dt.
  void advance(double dt, double time_after) override;
  Account account() const override;
  bool at_sync_point() const noexcept override { return !flight_ || flight_->at_sync_point(); }
  void store(RunState& to) const override;
  std::vector<partition::PairRecord> pair_memory() const override { return {}; }
  void release() override;
  void rebuild(std::span<const partition::PairRecord> memory) override;
  void reset_processor_time() override;
  std::vector<double> element_costs() const override;

private:
  void measure_elements();
  void begin_impact();
  void make_lattice();
  std::vector<double> inverse_masses() const;
  bool impact_is_over() const noexcept;
  void settle_crumbs();
  void strike(double dt);
  void part_broken();
  void fit_motions();
  std::map<std::int64_t, rigid::FragmentMotion> fit(std::vector<rigid::Contribution> contributions) const;
  double kinetic_energy() const;

  const config::Scene& scene_;
  State& state_;
  StepLimit limit_;
  std::unique_ptr<lattice::Lattice> lattice_;  // while the impact lasts
  std::unique_ptr<HybridStepper> flight_;      // once it is over
  std::vector<double> masses_;                 // (slots) of elements held [kg]
  std::vector<Vec3> centroids_;                // (slots) at rest, where they stay during the impact [m]
  std::vector<Vec3> impacts_;                  // (slots) force when the schedule is 1 [N]
  double spent_ = 0;
};

}  // namespace sunder::simulation
