#include "simulation/stepping/contacts.hpp"

#include "core/activity.hpp"
#include "element/cohesion.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder::simulation {
namespace {

std::vector<double> moduli(const std::vector<material::Material>& materials)
{
  std::vector<double> result;
  for (const auto& m : materials) result.push_back(m.p_wave_modulus());
  return result;
}

}  // namespace

Contacts::Contacts(const config::Scene& scene, State& state, const StepControl& control)
  : scene_(scene),
    state_(state),
    control_(control),
    obstacle_contact_(state.obstacles, scene.collisions.criterion),
    resultants_(state.obstacles)
{
}

void Contacts::rebuild(std::span<const partition::PairRecord> memory)
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(state_.model.mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  primary_.clear();
  obstacle_contact_.drop_list();
  list_near_obstacles(all);
  if (!scene_.collisions.enabled) return;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  collisions_.emplace(
      state_.comm, scene_.collisions.response, moduli(state_.model.materials), scene_.collisions.criterion,
      element::cohesive(state_.model) ? contact::Collisions::Links::in_w : contact::Collisions::Links::none);
  collisions_->reset(bodies());
  renew_pairs();
  collisions_->restore(memory);
}

void Contacts::list_near_obstacles(std::span<const LocalIndex> elements)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  primary_.resize(static_cast<std::size_t>(mesh.num_slots()));
  for (const LocalIndex e : elements) primary_[static_cast<std::size_t>(e)] = mesh.primary(e);
  obstacle_contact_.update_list(elements, mesh.tets(), state_.model.p, state_.obstacle_motions);
}

bool Contacts::follow_crack(const fracture::CrackResult& crack, contact::Origins origins)
{
  list_near_obstacles(crack.elements);
  if (!collisions_) return false;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  return !collisions_->follow_cut(bodies(), crack.elements, crack.nodes, std::move(origins));
}

void Contacts::finish_crack(bool list_expired)
{
  if (!collisions_) return;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  if (list_expired) return renew_pairs();
  const LongWork work("the search for pairs");
  collisions_->mend(bodies());
  overlaps_due_ = true;
}

void Contacts::release()
{
  collisions_.reset();
}

contact::Collisions::Bodies Contacts::bodies() const
{
  const element::Model& model = state_.model;
  return {model.mesh, *state_.halo, model.p, model.v, state_.mesh_size};
}

/// Between overlap updates [s].
double Contacts::list_interval() const
{
  return std::max(control_.step_size(), control_.overlap_interval());
}

void Contacts::renew_pairs()
{
  const LongWork work("the search for pairs");
  collisions_->renew(bodies(), list_interval());
  overlaps_due_ = true;
}

double Contacts::fastest() const noexcept
{
  if (!scene_.collisions.enabled && state_.obstacles.empty()) return 0;  // nothing to pass through
  double speed = state_.maximum_speed;
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k)
    speed = std::max(speed, rigid::greatest_speed(state_.obstacles[k], state_.obstacle_motions[k]));
  return speed;
}

void Contacts::add_forces(double dt, ProcessorTime& spent)
{
  power_ = 0;
  resultants_.clear();
  const PhaseStopwatch watch(state_.measured.wall.contact);
  element::Model& model = state_.model;
  if (!resultants_.empty()) {
    const ProcessorStopwatch obstacles(spent.on_elements);
    power_ = obstacle_contact_.add_forces(model.mesh.tets(), primary_, model.p, model.v, fastest(), dt,
                                          state_.obstacle_motions, model.f, resultants_);
  }
  if (!collisions_) return;
  if (std::exchange(overlaps_due_, false)) {
    next_overlaps_ = state_.time + control_.overlap_interval();
    collisions_->find_overlaps(model.p, model.v);
  }
  power_ += collisions_->add_forces(model.p, model.v, model.f);
}

double Contacts::work(double dt)
{
  const std::vector<Row4>& v = state_.model.v;
  return (power_ + obstacle_contact_.power(v) + (collisions_ ? collisions_->power(v) : 0)) / 2 * dt;
}

Contacts::ListState Contacts::list_state(double after, double dt) const
{
  if (!collisions_ || after < next_overlaps_) return ListState::holds;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  return collisions_->list_state(state_.model.p, dt);
}

void Contacts::start_exchange()
{
  if (collisions_) collisions_->start_exchange(state_.model.p, state_.model.v);
}

void Contacts::finish_exchange(double dt)
{
  if (collisions_) collisions_->finish_exchange(dt);
}

/// Resultants on free obstacles are summed over ranks already, so rank 0 alone counts their work and impulse. Of the
/// other obstacles each rank counts what its own elements did.
void Contacts::move_obstacles(double dt)
{
  Work& work = state_.ledger.work;
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k) {
    const auto [force, torque] = resultants_.on(k);
    const contact::Obstacle& obstacle = state_.obstacles[k];
    rigid::Motion& now = state_.obstacle_motions[k];
    const bool free = obstacle.motion == rigid::MotionKind::free;
    if (!free || state_.comm.rank() == 0) {
      Impulse& on_bodies = state_.reactions.obstacles[k];
      on_bodies.linear -= dt * force, on_bodies.angular -= dt * (torque + now.position.cross(force));
    }
    if (free) {
      const double done = rigid::move_free(obstacle, force, torque, scene_.gravity, dt, now);
      if (state_.comm.rank() == 0) work.contact -= done;
      continue;
    }
    const rigid::Motion before = now;
    now = rigid::motion_at(obstacle, state_.time + dt);
    const double done = dt / 2 * (force.dot(before.velocity + now.velocity) + torque.dot(before.spin + now.spin));
    work.contact -= done;
    work.external -= done;
  }
}

void Contacts::kick_obstacles(double dt)
{
  contact::Resultants all = resultants_;
  std::vector<std::int64_t> digits;
  all.append_digits(digits);
  if (digits.empty()) return;
  state_.comm.sum_in_place(digits);
  all.take_digits(digits);
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k)
    if (state_.obstacles[k].motion == rigid::MotionKind::free)
      rigid::kick_free(state_.obstacles[k], all.on(k).force, all.on(k).torque, scene_.gravity, dt,
                       state_.obstacle_motions[k]);
}

void Contacts::finish_step(ListState worst)
{
  if (!collisions_ || state_.time < next_overlaps_) return;
  if (worst != ListState::holds && !overlaps_due_) {  // else a crack has just had them listed
    const PhaseStopwatch watch(state_.measured.wall.contact);
    const LongWork work("the search for pairs");
    collisions_->keep_up(bodies(), worst, list_interval());
  }
  overlaps_due_ = true;
}

std::vector<partition::PairRecord> Contacts::memory() const
{
  return collisions_ ? collisions_->memory() : std::vector<partition::PairRecord>();
}

void Contacts::reset_processor_time()
{
  if (collisions_) collisions_->reset_costs();
}

contact::Collisions::PairWork Contacts::pair_work() const
{
  return collisions_ ? collisions_->work() : contact::Collisions::PairWork{};
}

void Contacts::add_costs(const contact::Collisions::PairCosts& each, std::span<double> costs) const
{
  if (collisions_) collisions_->add_costs(each, costs);
}

}  // namespace sunder::simulation
