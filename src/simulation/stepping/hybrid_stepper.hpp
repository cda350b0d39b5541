#pragma once
/// Rigid bodies that touch by impulses, and statics of a body where it is hit. docs/hybrid.md.

#include "config/scene.hpp"
#include "rigid/impulses.hpp"
#include "simulation/crumbs/particles.hpp"
#include "simulation/hybrid/body_contacts.hpp"
#include "simulation/hybrid/manifolds.hpp"
#include "simulation/hybrid/rigid_bodies.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/run_state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <map>
#include <tuple>
#include <vector>

namespace sunder::simulation {

/// A step: contacts of the present state get impulses, a body that is hit hard is analysed and may come apart, bodies
/// move, contacts are found where they are then.
class HybridStepper final : public Stepper {
public:
  /// Are bodies analysed and parted where they are hit?
  enum class Impacts { break_bodies, do_not };

  /// Collective. With bodies in their material position that move as their nodes do, or if `from` is given going on
  /// from a sync point. All must outlive it but from.
  HybridStepper(const config::Scene& scene, State& state, const RunState* from,
                Impacts impacts = Impacts::break_bodies);

  double step_size() const noexcept override;
  const StepLimit& limit() const noexcept override { return limit_; }
  void compute_forces() override {}
  void advance(double dt, double time_after) override;
  Account account() const override;
  bool at_sync_point() const noexcept override { return true; }
  void store(RunState& to) const override;
  std::vector<partition::PairRecord> pair_memory() const override { return {}; }
  void release() override {}
  void rebuild(std::span<const partition::PairRecord> memory) override;
  void reset_processor_time() override { spent_ = 0; }
  std::vector<double> element_costs() const override;

private:
  using ContactKey = std::tuple<ElementId, ElementId, bool>;
  /// Bodies that contacts join, by way of what can be moved.
  struct Island {
    std::vector<std::size_t> bodies, contacts;
  };
  /// What stops and starts again where a step is taken back.
  struct Motions {
    std::vector<RigidBody> bodies;
    std::vector<rigid::Motion> obstacles;
  };

  void make_bodies(std::span<const StoredBody> stored);
  std::vector<LocalIndex> single_elements_without(std::span<const StoredBody> bodies) const;
  void refuse_endless_run() const;
  Motions motions() const { return {bodies_.all(), state_.obstacle_motions}; }
  void restore(const Motions& motions);
  static ContactKey key_of(const BodyContact& contact);
  void make_points(double dt);
  std::vector<Island> islands() const;
  std::vector<std::uint64_t> fingerprints() const;
  void wake(const std::vector<Island>& islands);
  void give_impulses(double dt);
  void solve(const Island& island, double dt, std::vector<std::byte>& results) const;
  bool break_struck();
  void move(double dt);
  double first_touch(const std::vector<BodyContact>& now, double dt) const;
  void stop_if_not_a_number(double dt) const;
  void put_to_sleep(double dt);
  void remember_impulses();
  double mechanical_energy() const;
  std::vector<Vec3> impulses_of_step(double dt) const;
  void count_work(double before, double dt);

  const config::Scene& scene_;
  State& state_;
  bool breaks_;
  StepLimit limit_;
  RigidBodies bodies_;
  Particles particles_;
  bool has_particles_;  // crumbs have become what they are
  BodyContacts contacts_;
  std::vector<BodyContact> touching_;        // in the present state, the same on every rank
  std::vector<Manifold> manifolds_;          // of touching_
  std::vector<std::size_t> leads_;           // (points_) in touching_: after which a place is named
  std::vector<rigid::ContactPoint> points_;  // of the places of manifolds_
  std::vector<rigid::Movable> movable_;      // (bodies, then obstacles)
  std::vector<rigid::Movable> push_;         // likewise, of this step
  std::vector<std::uint8_t> in_contact_;     // likewise; 1: its velocity in this step is that of movable_
  std::map<ContactKey, Vec3> impulses_;      // of the step before
  double lost_ = 0;                          // kinetic energy, by cutting elements in this step, of all ranks [J]
  bool warned_ = false;                      // of an impact without equilibrium
  double spent_ = 0;
};

}  // namespace sunder::simulation
