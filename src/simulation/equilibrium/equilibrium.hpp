#pragma once
/// Balance of forces at the end of a step, with or without inertia, as equations for Newton's method.

#include "config/scene.hpp"
#include "simulation/equilibrium/body_forces.hpp"
#include "simulation/equilibrium/floating.hpp"
#include "simulation/equilibrium/node_numbering.hpp"
#include "simulation/equilibrium/obstacle_forces.hpp"
#include "simulation/equilibrium/stiffness_matrix.hpp"
#include "simulation/loading/loads.hpp"
#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/state.hpp"
#include "solvers/arc_length.hpp"
#include "solvers/dissipation_path.hpp"
#include "solvers/implicit_scheme.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

/// The unknowns u are the displacements of owned nodes in the step [m], in the order of a NodeNumbering. Trying a u
/// sets positions, forces and plastic strain of the state to what they are there.
class Equilibrium final : public solvers::DissipatingEquations {
public:
  /// Do bodies touch each other, where the scene has collisions?
  enum class Bodies { touch, ignore };

  /// Collective. All must outlive it. rebuild() has to follow.
  /// @param inertia  how it is integrated; nothing: there is none
  Equilibrium(const config::Scene& scene, State& state, const PrescribedMotion& prescribed, Loads& loads,
              const std::optional<solvers::ImplicitScheme>& inertia, Bodies bodies = Bodies::touch);

  /// Collective. What keeps the present state from having an equilibrium: fragments that nothing holds, unless inertia
  /// relief is asked for. Nothing if nothing does.
  std::optional<std::string> floating_problem();

  void release();  ///< Local. Drops what refers to the mesh.
  /// Collective. The mesh is new to this rank, with what pairs of its elements remember.
  void rebuild(std::span<const partition::PairRecord> memory);
  /// Collective. The mesh was cut. origins: of the elements made.
  void rebuild_after_cut(contact::Origins origins);

  /// Collective, after accept(). Drops links that have broken, and numbers what came off with them. Did
  /// something?
  bool settle_links();

  /// Collective. Forces in the present state.
  void compute_forces();
  /// Collective. With inertia: the accelerations that the forces of the present state make, for the first step.
  void find_accelerations();

  /// Collective. From the present state to equilibrium under the loads of time t_end. Where it fails undo() has to
  /// follow, else accept().
  solvers::NewtonResult solve(solvers::LinearSolver& solver, double t_end);
  /// Collective. From the present state along the path of equilibria, in the direction of the step that remember_path()
  /// was called after. Loads change by no more than those of `most` [s] in the first guess. Where it fails undo() has
  /// to follow, else accept() and remember_path().
  /// @param length  of the step, over all unknowns [m]; 0: that of the first guess by `most`
  solvers::PathResult follow(solvers::PathSolver& solver, double most, double length);
  /// Collective. Likewise, along the path on which links take so much energy for good [J]. There must be one that is
  /// about to soften.
  solvers::PathResult dissipate(solvers::PathSolver& solver, double most, double energy);
  /// Collective. What the links that are about to soften have to take in a step, if that is to be a share of all they
  /// can take, and not more than half of what they still can [J]; 0 if there is none.
  double energy_to_dissipate(double share) const;
  /// Collective, after solve(). What links have taken for good in the step, over G_c times the area of those that have;
  /// 0 if none has.
  double dissipated_share() const;
  void remember_path();  ///< Local. In the accelerations, which statics has no other use for.
  void undo();           ///< Local. Takes the step back.
  /// Collective. Counts the work of the step, which took dt [s], and the reactions at its end, which is now.
  void accept(double dt);
  /// Collective. The greatest displacement that the integration in time has left out, to leading order [m]; 0 without
  /// inertia.
  double time_error();
  /// Collective. The longest step up to `most` that lets bodies and obstacles meet as they should [s].
  double longest_step(double most) const;
  /// Collective, after solve(). The share of the step after which no element can have gone through another unseen; more
  /// than 1 if all of it was short enough.
  double safe_share() const;
  /// Local. What pairs of elements remember, of the elements this rank counts.
  std::vector<partition::PairRecord> pair_memory() const { return bodies_.memory(); }
  double kinetic_energy() const;  ///< Local. Of this rank's nodes [J].
  double elastic_energy() const;  ///< Local. Of the elements this rank counts [J].
  /// Local. An element held that is turned inside out, at the last u that was tried; -1 if there is none.
  LocalIndex inverted() const noexcept { return inverted_; }

  const solvers::NodeLayout& layout() const override { return numbering_->layout(); }
  bool residual(std::span<const double> u, std::span<double> r) override;
  double force_scale() override;
  double round_off() const override { return round_off_; }
  const solvers::BlockMatrix& tangent(Tangent kind) override;
  bool same_pattern() const override { return same_pattern_; }
  void prescribe(double t, std::span<double> u) override;
  std::span<const std::uint8_t> fixed() const override
  {
    return std::span(fixed_).first(3 * static_cast<std::size_t>(layout().num_owned));
  }

  double dissipated(std::span<double> slope) override;
  bool suppose_softening() override;
  Rates dissipation_rates(std::span<const double> direction) override;
  bool suppose_opening(std::span<const double> direction, bool opposite, bool one_by_one) override;
  void suppose_nothing() override { softening_.clear(); }

private:
  void make_matrix();
  void begin_new_links();
  std::vector<NodePair> linked_nodes() const;
  std::vector<double> opening_rates(std::span<const double> direction) const;
  void begin(double t_end);
  bool predict(solvers::LinearSolver& solver, solvers::NewtonResult& result);
  bool evaluate(double t, ObstacleForces::At at);
  bool relieves() const { return !floating_.empty() && scene_.solver.floating == config::Floating::inertia_relief; }
  void apply_inertia_relief();
  void move_to(std::span<const double> u);
  void add_inertia();
  void keep_accelerating();
  double numerical_work() const;
  double kinetic_gain(std::size_t k) const;
  std::vector<double> unbalanced() const;
  void restore_strain();
  void find_round_off();
  void find_targets();
  void hold_floating();
  std::vector<double> positions() const;
  void couple_bodies();
  void send_to_guests(std::vector<std::uint8_t>& flags) const;
  void hold_by_contact();
  double restoring_rate();
  void assemble(Tangent kind);

  const config::Scene& scene_;
  State& state_;
  const PrescribedMotion& prescribed_;
  Loads& loads_;
  std::optional<solvers::ImplicitScheme> inertia_;
  ObstacleForces obstacles_;
  BodyForces bodies_;
  std::unique_ptr<NodeNumbering> numbering_;
  std::unique_ptr<StiffnessMatrix> matrix_;
  bool pattern_known_ = false, same_pattern_ = false;

  /// The step.
  struct Start {
    std::vector<Row4> p, v, a;  // (nodes)
    std::vector<element::PlasticBlock> strain;
    std::vector<double> internal, external, relief;                 // (3 owned) forces [N]
    std::vector<Row4> loads, contact;                               // (nodes) [N]; the latter of obstacles and bodies
    double kinetic = 0, elastic = 0, links = 0, viscous_power = 0;  // of this rank [J], [J], [J], [W]
  } start_;
  double t_end_ = 0, dt_ = 0;
  std::vector<PrescribedMotion::Target> targets_;
  std::vector<std::uint8_t> prescribed_unknowns_, fixed_;  // (3 nodes of the layout); the latter with supports
  std::vector<FloatingFragment> floating_;                 // with these fixed
  std::vector<double> mass_;                               // (owned) [kg]
  std::vector<double> u_;
  double round_off_ = 0;             // of a residual [N]
  double least_restoring_rate_ = 0;  // in this step [1/s^2]
  /// (links) Not 0: was about to soften when the step began; is taken to, in the first guess.
  std::vector<std::uint8_t> about_to_soften_, softening_;

  /// At the last u that was tried.
  std::vector<double> internal_, external_, inertial_;   // (3 owned) [N]; of inertia what balances the other two
  std::vector<double> relief_;                           // (3 owned) of inertia, part of external_ [N]; empty: none
  std::vector<Row4> loads_on_nodes_, contact_on_nodes_;  // (nodes) parts of external_ [N]
  double plastic_work_ = 0, viscous_power_ = 0;          // of this rank [J], [W]
  LocalIndex inverted_ = -1;
};

}  // namespace sunder::simulation
