/// What of a simulation is stored, taken up again, and moved between ranks.

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/memory.hpp"
#include "partition/curve_cut.hpp"
#include "partition/decompose_parallel.hpp"
#include "simulation/migrate.hpp"
#include "simulation/model_records.hpp"
#include "simulation/setup/selection.hpp"
#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace sunder::simulation {

bool Simulation::is_finite() const
{
  return comm_.max(static_cast<std::int64_t>(!std::isfinite(fastest_))) == 0;
}

io::StoredBodies Simulation::checkpoint(const std::string& completed_scene)
{
  SUNDER_ASSERT(at_sync_point());
  RunState s;
  s.scene = completed_scene, s.ranks = comm_.size(), s.fingerprint = fingerprint();
  s.mesh_size = problem_.mesh_size, s.num_nodes = problem_.num_nodes, s.num_elements = problem_.num_elements;
  s.control = control_.state();
  s.time = time_, s.dt = dt_, s.dt_min = dt_min_, s.fastest = fastest_, s.next_check = next_check_;
  s.step = step_, s.events = events_, s.element_steps = element_steps_, s.rounds = problem_.model.rounds;
  s.num_elements_now = num_elements_;
  s.warned_of_inversion = warned_of_inversion_, s.warned_of_rounds = warned_of_rounds_;
  s.obstacles = obstacle_states_;
  s.work = ledger_.work, s.baseline = ledger_.baseline;
  s.wall = wall_, s.loop_seconds = loop_seconds_, s.halo_bytes = halo_bytes_;
  Reduction all;
  s.work.join(all), s.wall.join(all);
  all.sum(s.halo_bytes), all.max(s.fastest, s.loop_seconds);
  all.over(comm_);
  s.warnings = problem_.warnings;
  auto pairs = collisions_ ? collisions_->memory() : std::vector<partition::PairRecord>();
  return {to_json(s), rows_of(problem_.model, *problem_.halo, std::move(pairs))};
}

/// What sums over ranks hold goes to one of them, what is the greatest of all to each.
void Simulation::restore(const RunState& s)
{
  control_.restore(s.control);
  time_ = s.time, dt_ = s.dt, dt_min_ = s.dt_min, fastest_ = s.fastest, next_check_ = s.next_check;
  step_ = s.step, events_ = s.events, element_steps_ = s.element_steps, num_elements_ = s.num_elements_now;
  warned_of_inversion_ = s.warned_of_inversion, warned_of_rounds_ = s.warned_of_rounds;
  obstacle_states_ = s.obstacles;
  ledger_.baseline = s.baseline;
  const double setup = wall_.setup;
  wall_ = s.wall, wall_.setup += setup, loop_seconds_ = s.loop_seconds;
  if (comm_.rank() == 0) ledger_.work = s.work, halo_bytes_ = s.halo_bytes;
}

bool Simulation::share_out()
{
  return share_out(scene_.partition.method == "hilbert" ? Cut(partition::cut_along_curve)
                                                        : Cut(partition::decompose_rows));
}

/// Whatever can be worked out anew goes before the cut, and what is left of the old model before the new one is whole,
/// so that there are never two.
bool Simulation::share_out(const Cut& cut)
{
  SUNDER_ASSERT(at_sync_point());
  const LongWork work("repartitioning");
  const ReleaseAsFreed frugal;
  element::Model& model = problem_.model;
  owners_marks_to_ghosts(*problem_.halo, model.mesh);
  std::vector<double> costs = element_costs();
  auto memory = collisions_ ? collisions_->memory() : std::vector<partition::PairRecord>();
  collisions_.reset();
  model.blocks.release_shapes();
  release(model.f), release(model.mass), release(model.toughness), release(model.height);
  return_freed();
  const NewOwners owners = new_owners(model, *problem_.halo, std::move(costs), cut);
  return_freed();
  if (owners.problem && !std::exchange(warned_of_cut_, true))
    warn(fmt::format("step {}: work is not shared out anew, nodes keep their owners: {}", step_, *owners.problem));
  partition::MigrationRecords bodies = migrate(comm_, model, owners.of_nodes, std::move(memory));
  rebuild(bodies);
  adopt(bodies.pairs);
  forget_work_spent();
  if (owners.problem) return false;
  ++times_shared_out_;
  return true;
}

/// The model and its halo from what this rank is to hold; materials and counters stay.
void Simulation::rebuild(partition::MigrationRecords& bodies)
{
  element::Model old = std::exchange(problem_.model, element::Model());
  auto materials = std::move(old.materials);
  auto interfaces = std::move(old.interfaces);
  const element::StepOptions step_options = old.step_options;
  const std::uint32_t rounds = old.rounds;
  const mesh::FaceSets face_sets = old.mesh.face_sets();
  old = element::Model();
  return_freed();
  problem_.model = model_from(comm_.rank(), bodies, std::move(materials), step_options, std::move(interfaces));
  problem_.model.rounds = rounds;
  problem_.model.mesh.set_face_sets(face_sets);
  problem_.halo = std::make_unique<partition::Halo>(comm_, problem_.model.mesh);
  fastest_ = comm_.max(fastest_);
}

double Simulation::work_spent() const noexcept
{
  return spent_on_elements_ + spent_on_failing_ +
         (collisions_ ? collisions_->spent().listed + collisions_->spent().touching : 0);
}

void Simulation::forget_work_spent()
{
  spent_on_elements_ = spent_on_failing_ = 0;
  std::fill(evaluated_.begin(), evaluated_.end(), 0);
  if (collisions_) collisions_->reset_costs();
}

/// Seconds of the last while. What an element, a node that may fail or a pair costs is the same everywhere: ranks
/// differ in how many they have.
std::vector<double> Simulation::element_costs() const
{
  const mesh::TetMesh& mesh = problem_.model.mesh;
  const auto rate = [this](double work, std::int64_t units) {
    return comm_.sum(work) / static_cast<double>(std::max<std::int64_t>(1, comm_.sum(units)));
  };
  std::int64_t held = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) held += mesh.alive(e);
  const double per_element = rate(spent_on_elements_, held);
  const double per_evaluation =
      rate(spent_on_failing_, std::accumulate(evaluated_.begin(), evaluated_.end(), std::int64_t{0}));
  std::vector<double> costs(static_cast<std::size_t>(mesh.num_slots()), per_element);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const auto times = static_cast<double>(evaluated_[static_cast<std::size_t>(n)]);
    if (times == 0) continue;
    const auto star = mesh.star(n);
    for (const LocalIndex e : star)
      costs[static_cast<std::size_t>(e)] += times * per_evaluation / static_cast<double>(star.size());
  }
  if (collisions_) collisions_->add_costs(costs);
  return costs;
}

}  // namespace sunder::simulation
