#include "simulation/stepping/hybrid_stepper.hpp"

#include "core/activity.hpp"
#include "core/bytes.hpp"
#include "core/sort_unique.hpp"
#include "core/stopwatch.hpp"
#include "mesh/union_find.hpp"
#include "simulation/crumbs/find_crumbs.hpp"
#include "simulation/hybrid/struck_bodies.hpp"
#include "simulation/stepping/energies.hpp"
#include "simulation/stepping/record_splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace sunder::simulation {
namespace {

constexpr double longest_step = 2e-3;  // [s]
constexpr double reach_share = 0.25;   // of the mesh size: how far anything may go in a step
constexpr double touch_share = 0.1;    // of the mesh size: how deep a first touch may be
constexpr double merge_share = 0.5;    // of the mesh size: contacts so close are one
constexpr double most_steps = 1e12;    // in time.end: a run of more has no end
constexpr double slop_share = 0.001;   // of the mesh size: overlap that is left alone
constexpr double push_share = 0.2;     // of the rest of the overlap is taken away in a step

/// As ranks tell each other what came of an island.
struct SolvedBody {
  std::size_t body = 0;
  std::array<double, 3> velocity{}, spin{}, push_velocity{}, push_spin{};
};
struct SolvedContact {
  std::size_t contact = 0;
  std::array<double, 3> impulse{};
};

}  // namespace

HybridStepper::HybridStepper(const config::Scene& scene, State& state, const RunState* from, Impacts impacts)
  : scene_(scene),
    state_(state),
    breaks_(impacts == Impacts::break_bodies && scene.fracture.enabled),
    limit_{longest_step, "motion"},
    bodies_(state),
    particles_(scene, state),
    has_particles_(from && state.crumbs.settled),
    contacts_(scene, state, bodies_)
{
  make_bodies(from ? std::span<const StoredBody>(from->bodies) : std::span<const StoredBody>());
  if (from)
    for (const StoredImpulse& i : from->impulses) impulses_[{i.a, i.b, i.with_obstacle}] = i.impulse;
  if (!from && breaks_) refuse_radii(scene, state, bodies_);
  contacts_.rebuild();
  touching_ = contacts_.find({});
  limit_.seconds = step_size();
}

/// Collective. Particles, and bodies of all else.
void HybridStepper::make_bodies(std::span<const StoredBody> stored)
{
  using Become = lattice::CrumbOptions::Become;
  if (state_.crumbs.settled && scene_.lattice.crumbs.become == Become::particles) {
    particles_.make(has_particles_ ? single_elements_without(stored) : find_crumbs(scene_, state_));
    has_particles_ = true;
  }
  bodies_.make(stored, particles_.of_nodes());
}

/// Collective. Which crumbs have become particles is known by the bodies, of which they are none: a run may go on with
/// other probes.
std::vector<LocalIndex> HybridStepper::single_elements_without(std::span<const StoredBody> bodies) const
{
  std::vector<LocalIndex> particles = find_single_elements(scene_, state_);
  std::erase_if(particles, [&](LocalIndex e) {
    const std::int64_t fragment = state_.model.history[at(state_.model.mesh.tet(e)[0])].fragment;
    return std::ranges::binary_search(bodies, fragment, {}, &StoredBody::fragment);
  });
  return particles;
}

void HybridStepper::store(RunState& to) const
{
  to.bodies = bodies_.stored();
  for (const auto& [key, impulse] : impulses_)
    to.impulses.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), impulse});
}

void HybridStepper::rebuild(std::span<const partition::PairRecord> /*memory*/)
{
  make_bodies(bodies_.stored());
  contacts_.rebuild();
  touching_ = contacts_.find({});
}

double HybridStepper::step_size() const noexcept
{
  const double longest = scene_.time.step > 0 ? scene_.time.step : longest_step;
  constexpr double least_steps = 10;  // of bodies that nothing can touch
  if (!scene_.collisions.enabled && state_.obstacles.empty())
    return scene_.time.step > 0 ? longest : std::max(longest, scene_.time.end / least_steps);
  double speed = scene_.gravity.norm() * longest;
  for (const RigidBody& body : bodies_.all())
    if (!body.asleep)
      speed = std::max(speed, body.motion.velocity.norm() + 2 * body.radius() * body.motion.spin.norm());
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k)
    speed = std::max(speed, rigid::greatest_speed(state_.obstacles[k], state_.obstacle_motions[k]));
  return speed > 0 ? std::min(longest, reach_share * state_.mesh_size / speed) : longest;
}

void HybridStepper::restore(const Motions& motions)
{
  bodies_.all() = motions.bodies, state_.obstacle_motions = motions.obstacles;
}

/// Local, the same on every rank. Throws an error where something is so fast that the run would have no end.
void HybridStepper::refuse_endless_run() const
{
  const double step = step_size(), least = scene_.time.end / most_steps;
  if (step >= least || step == scene_.time.step) return;
  const std::string text = fmt::format(
      "step {}, t = {:.6g} s: expected steps of at least {:.3g} s, of which {:.0e} make time.end, got {:.3g} s, in "
      "which what is fastest, at {:.4g} m/s, moves a quarter of the mesh size",
      state_.steps, state_.time, least, most_steps, step, reach_share * state_.mesh_size / step);
  if (state_.steps == 0) throw AgreedError(text);
  throw StepFailed(text);
}

void HybridStepper::advance(double dt, double time_after)
{
  refuse_endless_run();
  const LongWork work("a step of rigid bodies");  // one of them may break in many solves
  const Stopwatch loop(state_.measured.loop_seconds);
  const ProcessorStopwatch stopwatch(spent_);
  exchange_requests(state_.comm);
  const double before = mechanical_energy();
  lost_ = 0;
  give_impulses(dt);
  if (break_struck()) give_impulses(dt);

  const Motions start = motions();
  move(dt);
  std::vector<BodyContact> now;
  {
    const PhaseStopwatch watch(state_.measured.wall.contact);
    now = contacts_.find(touching_);
    if (const double share = first_touch(now, dt); share < 1) {
      restore(start);
      move(share * dt);
      now = contacts_.find(touching_);
      dt *= share, time_after = state_.time + dt;
    }
  }
  stop_if_not_a_number(dt);
  put_to_sleep(dt);
  count_work(before, dt);
  state_.maximum_speed = std::max(state_.maximum_speed, particles_.advance(dt));
  remember_impulses();
  touching_ = std::move(now);
  state_.time = time_after, state_.dt = dt, ++state_.steps, state_.dt_min = std::min(state_.dt_min, dt);
  state_.measured.element_steps += state_.num_elements;
  limit_.seconds = step_size();
}

/// Local, the same on every rank: each knows how all bodies move.
void HybridStepper::stop_if_not_a_number(double dt) const
{
  for (const RigidBody& body : bodies_.all())
    if (!body.motion.velocity.allFinite() || !body.motion.spin.allFinite())
      throw AgreedError(
          fmt::format("step {}, t = {:.6g} s: fragment {} has a velocity that is not a number, expected a "
                      "finite one; the step is {:.3g} s",
                      state_.steps + 1, state_.time, body.fragment, dt),
          ExitStatus::simulation_failed);
}

/// Contacts of the present state, with the speeds that bodies have before the step.
void HybridStepper::make_points(double dt)
{
  const std::vector<RigidBody>& bodies = bodies_.all();
  movable_.clear(), points_.clear(), leads_.clear();
  for (const RigidBody& body : bodies) movable_.push_back(body.movable());
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k) {
    const contact::Obstacle& obstacle = state_.obstacles[k];
    const rigid::Motion& motion = state_.obstacle_motions[k];
    const bool free = obstacle.motion == rigid::MotionKind::free;
    movable_.push_back({free ? 1 / obstacle.mass : 0,
                        free ? rigid::inverse_inertia(rigid::inertia_of(obstacle), motion) : Mat3::Zero(),
                        motion.position, motion.velocity, motion.spin});
  }
  manifolds_ = manifolds(touching_, merge_share * state_.mesh_size);
  for (const Manifold& manifold : manifolds_)
    for (const TouchPlace& place : manifold.places) {
      const BodyContact& contact = touching_[place.lead];
      leads_.push_back(place.lead);
      points_.push_back({.a = static_cast<int>(bodies_.find(contact.a)),
                         .b = static_cast<int>(contact.with_obstacle() ? bodies.size() + contact.obstacle()
                                                                       : bodies_.find(contact.b)),
                         .at = place.at,
                         .normal = place.normal,
                         .depth = place.depth,
                         .restitution = scene_.hybrid.restitution});
    }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    rigid::ContactPoint& point = points_[i];
    const BodyContact& contact = touching_[leads_[i]];
    const contact::Response& response =
        contact.with_obstacle() ? state_.obstacles[contact.obstacle()].response : scene_.collisions.response;
    const Vec3 w = movable_[static_cast<std::size_t>(point.a)].velocity_at(point.at) -
                   movable_[static_cast<std::size_t>(point.b)].velocity_at(point.at);
    point.approach = -w.dot(point.normal);
    const double sliding = (w + point.approach * point.normal).norm();
    point.friction = sliding > response.slip_speed ? response.friction_dynamic : response.friction_static;
    const auto last = impulses_.find(key_of(contact));
    if (last != impulses_.end() && state_.dt > 0) point.impulse = std::min(1.0, dt / state_.dt) * last->second;
  }
  for (std::size_t k = 0; k < movable_.size(); ++k)
    if (movable_[k].inverse_mass > 0) movable_[k].velocity += dt * scene_.gravity;
}

HybridStepper::ContactKey HybridStepper::key_of(const BodyContact& contact)
{
  return {contact.element_a, contact.element_b, contact.with_obstacle()};
}

std::vector<HybridStepper::Island> HybridStepper::islands() const
{
  mesh::UnionFind joined(movable_.size());
  const auto can_move = [this](int k) { return movable_[static_cast<std::size_t>(k)].inverse_mass > 0; };
  for (const rigid::ContactPoint& point : points_)
    if (can_move(point.a) && can_move(point.b)) joined.unite(point.a, point.b);
  std::map<LocalIndex, Island> islands;
  for (std::size_t i = 0; i < points_.size(); ++i) islands[joined.find(points_[i].a)].contacts.push_back(i);
  for (std::size_t k = 0; k < movable_.size(); ++k)
    if (const auto island = islands.find(joined.find(static_cast<LocalIndex>(k)));
        island != islands.end() && movable_[k].inverse_mass > 0)
      island->second.bodies.push_back(k);
  std::vector<Island> list;
  for (auto& [least, island] : islands) list.push_back(std::move(island));
  return list;
}

/// Islands are solved side by side, each by one rank.
void HybridStepper::give_impulses(double dt)
{
  const PhaseStopwatch watch(state_.measured.wall.contact);
  make_points(dt);
  const std::vector<Island> all = islands();
  wake(all);
  const std::vector<RigidBody>& bodies = bodies_.all();
  push_.assign(movable_.size(), {});
  in_contact_.assign(movable_.size(), 0);
  Bytes mine;
  std::size_t number = 0;
  for (const Island& island : all) {
    const std::size_t first = island.bodies.front();
    if (first < bodies.size() && bodies[first].asleep) continue;
    if (number++ % static_cast<std::size_t>(state_.comm.size()) == static_cast<std::size_t>(state_.comm.rank()))
      solve(island, dt, mine);
  }
  const Bytes gathered = gather_on_all(state_.comm, mine);
  for (ByteReader in(gathered); !in.done();) {
    for (const SolvedBody& body : in.get_vector<SolvedBody>()) {
      movable_[body.body].velocity = vector(body.velocity), movable_[body.body].spin = vector(body.spin);
      push_[body.body].velocity = vector(body.push_velocity), push_[body.body].spin = vector(body.push_spin);
      in_contact_[body.body] = 1;
    }
    for (const SolvedContact& contact : in.get_vector<SolvedContact>())
      points_[contact.contact].impulse = vector(contact.impulse);
  }
}

/// Local. Appends what came of it.
void HybridStepper::solve(const Island& island, double dt, std::vector<std::byte>& results) const
{
  std::map<std::size_t, int> numbers;
  std::vector<rigid::Movable> movable;
  std::vector<rigid::ContactPoint> points;
  const auto number = [&](int k) {
    const auto [found, is_new] = numbers.try_emplace(static_cast<std::size_t>(k), static_cast<int>(movable.size()));
    if (is_new) movable.push_back(movable_[static_cast<std::size_t>(k)]);
    return found->second;
  };
  for (const std::size_t i : island.contacts) {
    rigid::ContactPoint& point = points.emplace_back(points_[i]);
    point.a = number(point.a), point.b = number(point.b);
  }
  rigid::ImpulseOptions options{.max_sweeps = static_cast<int>(scene_.hybrid.max_sweeps),
                                .resting_speed = scene_.hybrid.resting_speed};
  options.tolerance = 1e-3 * std::max(1e-3, scene_.gravity.norm() * dt);
  const std::vector<rigid::Movable> before = movable;
  rigid::solve_impulses(movable, points, options);
  if (rigid::kinetic_energy(movable) > rigid::kinetic_energy(before)) {
    // The sweeps have not taken back what was too much of the last step's impulses.
    movable = before;
    for (rigid::ContactPoint& point : points) point.impulse.setZero();
    rigid::solve_impulses(movable, points, options);
  }
  std::vector<rigid::Movable> push(movable.size());
  rigid::find_pushes(movable, points, slop_share * state_.mesh_size, push_share, dt, options, push);
  std::vector<SolvedBody> bodies;
  std::vector<SolvedContact> contacts;
  for (const auto& [k, i] : numbers) {
    const auto n = static_cast<std::size_t>(i);
    if (movable[n].inverse_mass > 0)
      bodies.push_back(
          {k, plain(movable[n].velocity), plain(movable[n].spin), plain(push[n].velocity), plain(push[n].spin)});
  }
  for (std::size_t i = 0; i < points.size(); ++i) contacts.push_back({island.contacts[i], plain(points[i].impulse)});
  put(results, bodies), put(results, contacts);
}

/// Analyses bodies that are hit hard, each on one rank, and parts them where they break. Their motion is that of before
/// the step. Returns whether any body is another one now.
bool HybridStepper::break_struck()
{
  if (!breaks_) return false;
  const std::vector<StruckBody> struck = struck_bodies(scene_, state_, bodies_, touching_, manifolds_, points_);
  if (struck.empty()) return false;
  ImpactOutcome outcome;
  {
    const PhaseStopwatch watch(state_.measured.wall.solve);
    outcome = analyse_impacts(scene_, state_, bodies_, struck, warned_);
  }
  if (outcome.planes.empty() && outcome.moved.empty()) return false;
  const PhaseStopwatch watch(state_.measured.wall.remesh);
  std::vector<std::size_t> changing;
  std::vector<std::int64_t> before;
  for (const StruckBody& body : struck)
    changing.push_back(body.body), before.push_back(bodies_.all()[body.body].fragment);
  const double remeshing = state_.ledger.work.remeshing;
  const CarriedOut done = carry_out(state_, outcome.planes);
  if (!outcome.cut.empty()) lost_ += state_.comm.sum(state_.ledger.work.remeshing - remeshing);
  std::vector<std::int64_t> reshaped = move_material(state_, outcome.moved);
  for (const std::size_t k : outcome.cut) reshaped.push_back(bodies_.all()[k].fragment);
  sort_unique(reshaped);
  if (!outcome.planes.empty()) record_splits(state_, done.splits, done.elements_more);
  const std::vector<std::int64_t> now = bodies_.follow(changing, reshaped, scene_.hybrid.pause);
  bodies_.move_nodes();
  impulses_.clear();
  contacts_.update(before, now);
  touching_ = contacts_.find(touching_);
  return true;
}

/// Puts bodies and obstacles where they are after dt.
void HybridStepper::move(double dt)
{
  std::vector<RigidBody>& bodies = bodies_.all();
  const auto take = [&](const rigid::Inertia& inertia, std::size_t k, rigid::Motion& motion) {
    if (!in_contact_[k]) {
      motion.velocity += dt / 2 * scene_.gravity;
      rigid::drift(inertia, dt, motion);
      motion.velocity += dt / 2 * scene_.gravity;
      return;
    }
    const Mat3 axes = motion.orientation.toRotationMatrix() * inertia.axes;
    motion.angular_momentum = axes * inertia.moments.cwiseProduct(axes.transpose() * movable_[k].spin);
    motion.velocity = movable_[k].velocity + push_[k].velocity;
    rigid::drift(inertia, dt, motion);
    motion.velocity = movable_[k].velocity;
    rigid::turn(dt * push_[k].spin, motion);
    motion.spin = rigid::spin_of(inertia, motion);
  };
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (!bodies[k].asleep) take(bodies[k].inertia, k, bodies[k].motion);
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k) {
    const contact::Obstacle& obstacle = state_.obstacles[k];
    if (obstacle.motion == rigid::MotionKind::free)
      take(rigid::inertia_of(obstacle), bodies.size() + k, state_.obstacle_motions[k]);
    else
      state_.obstacle_motions[k] = rigid::motion_at(obstacle, state_.time + dt);
  }
  state_.maximum_speed = bodies_.move_nodes();
}

/// The share of the step after which the first of the bodies that did not touch before are just so deep in each other
/// as a first touch may be; 1: none is deeper at its end.
double HybridStepper::first_touch(const std::vector<BodyContact>& now, double dt) const
{
  const double allowed = touch_share * state_.mesh_size;
  constexpr double shortest = 0.1;
  std::set<std::pair<std::int64_t, std::int64_t>> before;
  for (const BodyContact& contact : touching_) before.emplace(contact.a, contact.b);
  const auto velocity_at = [this](std::int64_t k, const Vec3& x) -> Vec3 {
    const rigid::Motion& m =
        k < 0 ? state_.obstacle_motions[static_cast<std::size_t>(-1 - k)] : bodies_.all()[bodies_.find(k)].motion;
    return m.velocity + m.spin.cross(x - m.position);
  };
  double share = 1;
  for (const BodyContact& contact : now) {
    if (!(contact.depth > allowed) || before.contains({contact.a, contact.b})) continue;
    const Vec3 x = vector(contact.at), w = velocity_at(contact.a, x) - velocity_at(contact.b, x);
    const double approach = -w.dot(vector(contact.normal));
    if (approach > 0) share = std::min(share, std::max(shortest, 1 - (contact.depth - allowed / 2) / (approach * dt)));
  }
  return share;
}

void HybridStepper::remember_impulses()
{
  impulses_.clear();
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (!points_[i].impulse.isZero(0)) impulses_[key_of(touching_[leads_[i]])] = points_[i].impulse;
}

/// Kinetic energy less that of gravity, of bodies and free obstacles [J].
double HybridStepper::mechanical_energy() const
{
  double energy = kinetic_energy_of_obstacles(state_);
  for (const RigidBody& body : bodies_.all())
    energy +=
        rigid::kinetic_energy(body.inertia, body.motion) - body.inertia.mass * scene_.gravity.dot(body.motion.position);
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k)
    if (state_.obstacles[k].motion == rigid::MotionKind::free)
      energy -= state_.obstacles[k].mass * scene_.gravity.dot(state_.obstacle_motions[k].position);
  return energy;
}

/// All ranks know all bodies, so one of them counts.
void HybridStepper::count_work(double before, double dt)
{
  if (state_.comm.rank() != 0) return;
  const std::vector<Vec3> impulses = impulses_of_step(dt);
  double given = 0;  // by obstacles on a path
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const BodyContact& contact = touching_[leads_[i]];
    if (!contact.with_obstacle()) continue;
    const std::size_t k = contact.obstacle();
    state_.reactions.obstacles[k].add(impulses[i], points_[i].at);
    if (state_.obstacles[k].motion != rigid::MotionKind::free)
      given += points_[i].impulse.dot(movable_[static_cast<std::size_t>(points_[i].b)].velocity_at(points_[i].at));
  }
  state_.ledger.work.external += given;
  state_.ledger.work.contact += before - mechanical_energy() + given - lost_;
}

Account HybridStepper::account() const
{
  Account account{state_.ledger.work, particles_.kinetic_energy(), 0, potential_of_gravity(state_, scene_.gravity)};
  if (state_.comm.rank() != 0) return account;
  account.kinetic += kinetic_energy_of_obstacles(state_);
  for (const RigidBody& body : bodies_.all()) account.kinetic += rigid::kinetic_energy(body.inertia, body.motion);
  return account;
}

std::vector<double> HybridStepper::element_costs() const
{
  const double elements = static_cast<double>(std::max<GlobalIndex>(1, state_.num_elements));
  return std::vector<double>(static_cast<std::size_t>(state_.model.mesh.num_slots()),
                             state_.comm.sum(spent_) / elements);
}

}  // namespace sunder::simulation
