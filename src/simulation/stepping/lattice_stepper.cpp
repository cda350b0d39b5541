#include "simulation/stepping/lattice_stepper.hpp"

#include "core/activity.hpp"
#include "core/reduction.hpp"
#include "core/sort_unique.hpp"
#include "core/stopwatch.hpp"
#include "fracture/split_stars.hpp"
#include "lattice/impact.hpp"
#include "lattice/memory.hpp"
#include "lattice/strength.hpp"
#include "simulation/crumbs/settle_crumbs.hpp"
#include "simulation/stepping/energies.hpp"
#include "simulation/stepping/record_splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {
namespace {

/// Collective. A point near the bodies, the same on every rank and any number of ranks: of ghosts that no element has
/// any more a rank alone knows, and they stay where they were.
Vec3 middle(const State& state)
{
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  const element::Model& model = state.model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (!model.mesh.star(n).empty())
      low = low.cwiseMin(model.p[at(n)].xyz()), high = high.cwiseMax(model.p[at(n)].xyz());
  for (int d = 0; d < 3; ++d) low[d] = state.comm.min(low[d]), high[d] = state.comm.max(high[d]);
  return (low + high) / 2;
}

/// Fragments of nodes that other ranks hold too, ascending.
std::vector<std::int64_t> shared_fragments(const State& state)
{
  std::vector<std::int64_t> shared;
  for (const partition::Neighbour& neighbour : state.halo->neighbours())
    for (const auto* nodes : {&neighbour.mirrors, &neighbour.ghosts})
      for (const LocalIndex n : *nodes) shared.push_back(state.model.history[at(n)].fragment);
  sort_unique(shared);
  return shared;
}

/// Collective. The elements of each part and where they are, of the first few parts.
std::string describe_parts(const State& state)
{
  constexpr std::int64_t most = 8;
  const mesh::TetMesh& mesh = state.model.mesh;
  const auto count = std::min(most, state.fragments);
  std::vector<std::int64_t> elements(at(static_cast<LocalIndex>(count)), 0);
  std::vector<Vec3> centres(elements.size(), Vec3::Zero());
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    const auto part = state.model.history[at(mesh.tet(e)[0])].fragment;
    if (part < count)
      ++elements[at(static_cast<LocalIndex>(part))],
          centres[at(static_cast<LocalIndex>(part))] += lattice::centroid(mesh, e);
  }
  Reduction all;
  for (std::size_t k = 0; k < elements.size(); ++k) all.sum(elements[k], centres[k]);
  all.over(state.comm);
  std::string text;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const Vec3 c = centres[k] / static_cast<double>(std::max<std::int64_t>(1, elements[k]));
    text += fmt::format("{}{} elements around ({:.3g}, {:.3g}, {:.3g}) m", k == 0 ? "" : ", ", elements[k], c.x(),
                        c.y(), c.z());
  }
  return count < state.fragments ? text + ", ..." : text;
}

}  // namespace

LatticeStepper::LatticeStepper(const config::Scene& scene, State& state, const RunState* from)
  : scene_(scene), state_(state), limit_{scene.lattice.duration / static_cast<double>(scene.lattice.steps), "impact"}
{
  if (impact_is_over()) {
    state_.model.lattice.clear();
    flight_ = std::make_unique<HybridStepper>(scene, state, from, HybridStepper::Impacts::do_not);
    return;
  }
  measure_elements();
  if (!from) begin_impact();
  make_lattice();
}

bool LatticeStepper::impact_is_over() const noexcept
{
  return state_.time >= scene_.lattice.duration * (1 - 1e-9);
}

void LatticeStepper::store(RunState& to) const
{
  if (flight_) flight_->store(to);
}

void LatticeStepper::release()
{
  lattice_.reset();
  if (flight_) flight_->release();
}

void LatticeStepper::rebuild(std::span<const partition::PairRecord> memory)
{
  if (flight_) return flight_->rebuild(memory);
  measure_elements();
  make_lattice();
}

void LatticeStepper::reset_processor_time()
{
  spent_ = 0;
  if (flight_) flight_->reset_processor_time();
}

/// Collective. What does not change while the impact lasts.
void LatticeStepper::measure_elements()
{
  element::Model& model = state_.model;
  const mesh::TetMesh& mesh = model.mesh;
  const auto slots = at(mesh.num_slots());
  model.lattice.resize(slots);
  masses_.assign(slots, 0), centroids_.assign(slots, Vec3::Zero());
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    masses_[at(e)] = model.material_of(e).density * model.blocks.volume(e);
    centroids_[at(e)] = lattice::centroid(mesh, e);
  }
  impacts_ = lattice::impact_forces(state_.comm, mesh, masses_, scene_.lattice);
}

/// Collective. What elements remember before the first step: how strong their bonds are, and how bodies move.
void LatticeStepper::begin_impact()
{
  element::Model& model = state_.model;
  const mesh::TetMesh& mesh = model.mesh;
  if (const auto bodies = std::ssize(scene_.bodies); state_.fragments > bodies)
    state_.warnings.push_back(
        fmt::format("lattice: {} in {} parts that no bond joins: each moves alone: {}",
                    bodies == 1 ? "the mesh of 1 body is" : fmt::format("the meshes of {} bodies are", bodies),
                    state_.fragments, describe_parts(state_)));
  std::vector<double> volumes(masses_.size(), 0);
  std::vector<char> counted(masses_.size(), 0);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    volumes[at(e)] = model.blocks.volume(e), counted[at(e)] = mesh.primary(e);
    Vec3 momentum = Vec3::Zero();
    for (const LocalIndex n : mesh.tet(e)) momentum += masses_[at(e)] / 4 * model.v[at(n)].xyz();
    Vec3::Map(model.lattice[at(e)].received.data()) = momentum;
  }
  lattice::Bonds bonds = lattice::make_bonds(mesh, *state_.halo);
  state_.measured.bonds = {.count = bonds.count};
  auto strengths = lattice::bond_strengths(state_.comm, bonds, volumes, counted, scene_.lattice.strength);
  const lattice::Lattice whole(std::move(bonds), inverse_masses(), {std::move(strengths), {}, {}}, scene_.lattice);
  lattice::remember(whole, mesh, *state_.halo, model.lattice);
}

/// Collective. Of the bonds that have not broken.
void LatticeStepper::make_lattice()
{
  const element::Model& model = state_.model;
  lattice_.reset();
  lattice::Bonds bonds = lattice::make_bonds(model.mesh, *state_.halo, model.lattice);
  lattice::BondValues values = lattice::recall(bonds, model.lattice);
  lattice_ = std::make_unique<lattice::Lattice>(std::move(bonds), inverse_masses(), std::move(values), scene_.lattice);
}

std::vector<double> LatticeStepper::inverse_masses() const
{
  std::vector<double> inverse;
  for (const double m : masses_) inverse.push_back(m > 0 ? 1 / m : 0);
  return inverse;
}

void LatticeStepper::advance(double dt, double time_after)
{
  if (flight_) {
    state_.model.lattice.clear();
    settle_crumbs();
    flight_->ask(asking());
    flight_->advance(dt, time_after);
    all_ask(flight_->asked());
    flight_->answer();
    return;
  }
  const LongWork work("a step of the lattice");
  const Stopwatch loop(state_.measured.loop_seconds);
  const ProcessorStopwatch stopwatch(spent_);
  exchange_requests(state_.comm);
  const double before = kinetic_energy();
  const auto steps = static_cast<double>(scene_.lattice.steps);
  const double next = std::floor(state_.time / scene_.lattice.duration * steps + 1.5) / steps;
  time_after = next * scene_.lattice.duration, dt = time_after - state_.time;
  strike(dt);
  state_.ledger.work.external += kinetic_energy() - before;
  state_.time = time_after, state_.dt = dt, ++state_.steps, state_.dt_min = std::min(state_.dt_min, dt);
  state_.measured.element_steps += state_.num_elements;
  state_.maximum_speed = greatest_speed(state_.model);
  if (!impact_is_over()) return;
  lattice_.reset();
  flight_ = std::make_unique<HybridStepper>(scene_, state_, nullptr, HybridStepper::Impacts::do_not);
}

/// With the first step of the flight: frames of the end of the impact show all fragments.
void LatticeStepper::settle_crumbs()
{
  if (state_.crumbs.settled) return;
  simulation::settle_crumbs(scene_, state_);
  if (state_.crumbs.elements > 0) flight_->rebuild({});
}

/// One step of the impact.
void LatticeStepper::strike(double dt)
{
  const double share = lattice::share_of_forces(scene_.lattice, state_.time, dt);
  std::vector<Vec3> loads = impacts_;
  for (Vec3& force : loads) force *= share;
  lattice::StepResult step;
  {
    const PhaseStopwatch watch(state_.measured.wall.solve);
    step = lattice_->step(loads, dt);
  }
  state_.measured.solves.linear_iterations += step.solve.iterations;
  if (!step.solve.converged)
    throw StepFailed(fmt::format(
        "step {}, t = {:.6g} s: expected forces of bonds with a residual of {:.3g}, found {:.3g} after {} "
        "iterations: raise lattice.solve.max_iterations; if lattice.prestress is not 0, bonds that brace "
        "each other may not be able to bear it",
        state_.steps + 1, state_.time, scene_.lattice.solve.tolerance, step.solve.residual, step.solve.iterations));
  state_.measured.bonds.broken += step.broken, state_.measured.bonds.ties += step.ties;
  std::vector<mesh::LatticeMemory>& memory = state_.model.lattice;
  for (std::size_t e = 0; e < loads.size(); ++e)
    for (std::size_t d = 0; d < 3; ++d) memory[e].received[d] += dt * loads[e][static_cast<Eigen::Index>(d)];
  const PhaseStopwatch watch(state_.measured.wall.remesh);
  lattice::remember(*lattice_, state_.model.mesh, *state_.halo, memory);
  if (step.broken > 0) {
    part_broken();
    make_lattice();
  }
  fit_motions();
}

/// Nodes whose star has come apart where bonds broke are parted.
void LatticeStepper::part_broken()
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  const lattice::Bonds& bonds = lattice_->bonds();
  const auto bond_between = [&](LocalIndex e, LocalIndex f) {
    for (const LocalIndex b : bonds.of_faces[at(e)])
      if (b != lattice::no_bond)
        for (const LocalIndex c : bonds.of_faces[at(f)])
          if (b == c) return b;
    return lattice::no_bond;
  };
  const fracture::Joined joined = [&](LocalIndex e, LocalIndex f) {
    const LocalIndex b = bond_between(e, f);
    return b != lattice::no_bond && lattice_->broken()[at(b)] == 0;
  };
  std::vector<LocalIndex> nodes;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    for (std::size_t face = 0; face < 4; ++face) {
      const LocalIndex b = bonds.of_faces[at(e)][face];
      if (b == lattice::no_bond || lattice_->just_broken()[at(b)] == 0) continue;
      for (const std::size_t corner : mesh::face_corners[face]) nodes.push_back(mesh.tet(e)[corner]);
    }
  const auto parted = fracture::part_faces(state_.model, *state_.halo, nodes, joined, state_.time);
  state_.events += state_.comm.sum(parted.copies);
  record_splits(state_, parted.splits, 0);
}

/// Collective. By the fragments that the nodes are in.
std::map<std::int64_t, rigid::FragmentMotion> LatticeStepper::fit(std::vector<rigid::Contribution> contributions) const
{
  return rigid::fit_fragments(state_.comm, contributions, shared_fragments(state_), middle(state_));
}

/// Every node gets the velocity of its fragment, which follows from all that its elements have received so far. What
/// bonds that hold have passed on within a fragment adds up to nothing.
void LatticeStepper::fit_motions()
{
  element::Model& model = state_.model;
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<rigid::Contribution> all;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.primary(e))
      all.push_back({model.history[at(mesh.tet(e)[0])].fragment, masses_[at(e)], centroids_[at(e)],
                     Vec3(model.lattice[at(e)].received.data())});
  const auto motions = fit(std::move(all));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (!mesh.star(n).empty())
      model.v[at(n)].set_xyz(motions.at(model.history[at(n)].fragment).velocity_at(model.p[at(n)].xyz()));
}

double LatticeStepper::kinetic_energy() const
{
  const element::Model& model = state_.model;
  double twice = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (model.mesh.owned(n)) twice += model.mass[at(n)] * model.v[at(n)].xyz().squaredNorm();
  return twice / 2;
}

Account LatticeStepper::account() const
{
  if (flight_) return flight_->account();
  return {state_.ledger.work, kinetic_energy(), 0, potential_of_gravity(state_, scene_.gravity)};
}

std::vector<double> LatticeStepper::element_costs() const
{
  if (flight_) return flight_->element_costs();
  const double elements = static_cast<double>(std::max<GlobalIndex>(1, state_.num_elements));
  return std::vector<double>(static_cast<std::size_t>(state_.model.mesh.num_slots()),
                             state_.comm.sum(spent_) / elements);
}

}  // namespace sunder::simulation
