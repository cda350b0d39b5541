#include "simulation/stepping/local_steps.hpp"

#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"
#include "element/internal_forces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder::simulation {
namespace {

void add_xyz(Row4& to, const Row4& more)
{
  to.x += more.x, to.y += more.y, to.z += more.z;
}

}  // namespace

LocalSteps::LocalSteps(const config::Scene& scene, State& state, const StepControl& control,
                       const PrescribedMotion& prescribed, Contacts& contacts)
  : scene_(scene),
    state_(state),
    prescribed_(prescribed),
    contacts_(contacts),
    on_(control.local_steps()),
    viscosity_(std::any_of(state.model.materials.begin(), state.model.materials.end(),
                           [](const auto& m) { return m.viscous(); })),
    lists_(state, control),
    foreseen_{-1, 0, contact::Resultants(state.obstacles)}
{
}

void LocalSteps::rebuild()
{
  if (!on_) return;
  lists_.clear();
  std::vector<LocalIndex> slots(at(state_.model.mesh.num_slots())), nodes(at(state_.model.mesh.num_nodes()));
  std::iota(slots.begin(), slots.end(), 0), std::iota(nodes.begin(), nodes.end(), 0);
  update(slots, nodes);
}

void LocalSteps::update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes)
{
  if (!on_) return;
  lists_.update(slots, nodes);
  levels_.resize(static_cast<std::size_t>(lists_.finest()));
  full_.clear(), filtered_.clear(), viscous_.clear();
  foreseen_.step = -1, pairs_know_ = false;
}

// ---- a step ----

void LocalSteps::filter_forces(double dt)
{
  if (levels_.empty()) return;
  if (foreseen_.step != state_.steps || foreseen_.dt != dt) return filter_all(dt);
  const auto nodes = lists_.nodes(1);
  for (std::size_t i = 0; i < nodes.size(); ++i) state_.model.f[at(nodes[i])] = filtered_[i];
  contacts_.resultants() = foreseen_.resultants;
}

void LocalSteps::foresee(double dt)
{
  if (levels_.empty() || (foreseen_.step == state_.steps && foreseen_.dt == dt)) return;
  const contact::Resultants resultants = contacts_.resultants();
  filter_all(dt);
  foreseen_ = {state_.steps, dt, contacts_.resultants()};
  contacts_.resultants() = resultants;
  const auto nodes = lists_.nodes(1);
  for (std::size_t i = 0; i < nodes.size(); ++i) state_.model.f[at(nodes[i])] = full_[i];
}

void LocalSteps::filter_all(double dt)
{
  begin();
  filter(0, dt, 1);
  if (contacts_.has_pairs()) contacts_.exchange_trial(1);  // back to the state of the path
  const auto nodes = lists_.nodes(1);
  for (std::size_t i = 0; i < nodes.size(); ++i) filtered_[i] = state_.model.f[at(nodes[i])];
}

double LocalSteps::work_ahead(double lag) const
{
  if (levels_.empty()) return 0;
  const element::Model& model = state_.model;
  double power = 0;
  for (std::size_t i = 0; i < filtered_.size(); ++i) {
    const LocalIndex n = lists_.nodes(1)[i];
    if (!model.mesh.owned(n) || !(model.mass[at(n)] > 0)) continue;
    const auto held = prescribed_.prescribed_axes(model.mesh.node(n).marks, state_.time);
    const Vec3 v = model.v[at(n)].xyz(), change = filtered_[i].xyz() - full_[i].xyz();
    for (int axis = 0; axis < 3; ++axis)
      if (!held[static_cast<std::size_t>(axis)]) power += v[axis] * change[axis];
  }
  return lag * power;
}

/// What is not of level 1 or finer acts as it does: all forces less those that are.
void LocalSteps::begin()
{
  element::Model& model = state_.model;
  if (model.blocks.plastic()) note_strains();
  sort_touching();
  raise_nodes_of_pairs();
  const auto nodes = lists_.nodes(1);
  full_.resize(nodes.size()), filtered_.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) full_[i] = model.f[at(nodes[i])];
  if (viscosity_) find_viscous_forces();
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const int level = static_cast<int>(k) + 1;
    levels_[k].base.resize(lists_.nodes(level).size()), levels_[k].first.resize(lists_.nodes(level).size());
    levels_[k].p.resize(lists_.moved(level).size()), levels_[k].v.resize(lists_.moved(level).size());
  }
  Level& coarsest = levels_.front();
  std::fill(coarsest.base.begin(), coarsest.base.end(), Row4{});
  compute(0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Row4& f = model.f[at(nodes[i])];
    const Row4 all = full_[i];
    coarsest.base[i] = {all.x - f.x, all.y - f.y, all.z - f.z, 0};
    f = all;
  }
  for (std::size_t k = 1; k < levels_.size(); ++k)  // so far without what is of no level
    for (std::size_t i = 0; i < levels_[k].base.size(); ++i) add_xyz(levels_[k].base[i], coarsest.base[i]);
}

/// Of all elements of the levels, which trials begin with.
void LocalSteps::note_strains()
{
  const element::ElementBlocks& all = state_.model.blocks;
  for (int level = 1; level <= lists_.finest(); ++level)
    for (LevelElements::Page& page : lists_.elements(level).pages()) {
      for (LocalIndex i = 0; i < page.blocks.size(); ++i)
        page.blocks.set_plastic_strain(i, all.plastic_strain(page.elements[at(i)]));
      std::copy(page.blocks.plastic_blocks().begin(), page.blocks.plastic_blocks().end(), page.strains.begin());
    }
}

/// Over a step of many of their own, elements change the velocities that their viscosity sees: the work is not that of
/// the velocities before the step.
void LocalSteps::find_viscous_forces()
{
  element::Model& model = state_.model;
  const auto nodes = lists_.nodes(1);
  viscous_.assign(nodes.size(), Row4{}), at_rest_.resize(model.v.size());
  for (const bool moving : {true, false}) {
    for (const LocalIndex n : nodes) model.f[at(n)] = Row4{};
    for (int level = 1; level <= lists_.finest(); ++level) add_internal_forces(level, moving ? model.v : at_rest_);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Row4& f = model.f[at(nodes[i])];
      const double sign = moving ? 1 : -1;
      add_xyz(viscous_[i], {sign * f.x, sign * f.y, sign * f.z, 0});
    }
  }
}

/// Plastic strain is what the step found: this is a trial, not a path.
void LocalSteps::add_internal_forces(int level, std::span<const Row4> v)
{
  element::Model& model = state_.model;
  LevelElements& elements = lists_.elements(level);
  for (LevelElements::Page& page : elements.pages()) {
    std::copy(page.strains.begin(), page.strains.end(), page.blocks.plastic_blocks().begin());
    element::add_internal_forces(page.blocks, model.materials, model.p, v, model.f, element::Bounds::left_out);
  }
  evaluations_ += elements.counted(), held_evaluations_ += elements.size();
}

double LocalSteps::half_of_viscous_work(double dt) const
{
  double power = 0;
  for (std::size_t i = 0; i < viscous_.size(); ++i)
    if (const LocalIndex n = lists_.nodes(1)[i]; state_.model.mesh.owned(n))
      power += viscous_[i].xyz().dot(state_.model.v[at(n)].xyz());
  return dt / 2 * power;
}

void LocalSteps::tell_pairs()
{
  if (!on_ || !contacts_.has_pairs() || (pairs_know_ && !contacts_.list_changed())) return;
  contacts_.take_levels(lists_.node_levels().all(), lists_.finest());
  pairs_know_ = true;
}

/// What touches now.
void LocalSteps::raise_nodes_of_pairs()
{
  lists_.lower_raised();
  if (!contacts_.has_pairs()) return;
  for (int level = lists_.finest(); level > 0; --level)
    contacts_.for_each_node_of_pairs(level, [&](LocalIndex n) { lists_.raise(n, level); });
}

void LocalSteps::sort_touching()
{
  touching_.clear();
  for (Level& level : levels_) level.touching.clear();
  for (const auto& [e, obstacle] : contacts_.touching_obstacles()) {
    const int level = lists_.of_element(e);
    if (level == 0) continue;
    levels_[at(level - 1)].touching.push_back(touching_.size());
    touching_.push_back({e, obstacle, state_.model.mesh.primary(e), Vec3::Zero(), Vec3::Zero()});
  }
  if (touching_.empty()) return;
  for (Touching& t : touching_) {  // what has been counted of them; the mean of all states follows
    if (!t.counted) continue;
    const contact::ElementContact contact = contacts_.obstacle_force(t.element, t.obstacle);
    contacts_.resultants().add(t.obstacle, contact.forces.rowwise().sum(), -contact.torque);
  }
}

/// Forces at p and v of all nodes of levels k + 1 and finer. What is coarser has not changed since its base was noted.
void LocalSteps::compute(std::size_t k)
{
  const PhaseStopwatch watch(state_.measured.wall.forces);
  std::vector<Row4>& f = state_.model.f;
  const auto nodes = lists_.nodes(static_cast<int>(k) + 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) f[at(nodes[i])] = levels_[k].base[i];
  for (; k < levels_.size(); ++k) {
    add_group(k);
    if (k + 1 == levels_.size()) break;
    const auto finer = lists_.nodes(static_cast<int>(k) + 2);
    for (std::size_t i = 0; i < finer.size(); ++i) levels_[k + 1].base[i] = f[at(finer[i])];
  }
}

void LocalSteps::add_group(std::size_t k)
{
  const int level = static_cast<int>(k) + 1;
  element::Model& model = state_.model;
  add_internal_forces(level, model.v);
  for (const std::size_t t : levels_[k].touching) {
    Touching& touching = touching_[t];
    const contact::ElementContact contact = contacts_.obstacle_force(touching.element, touching.obstacle);
    const Tet& tet = model.mesh.tet(touching.element);
    for (std::size_t a = 0; a < 4; ++a) {
      const auto force = contact.forces.col(static_cast<int>(a));
      add_xyz(model.f[at(tet[a])], {force.x(), force.y(), force.z(), 0});
    }
    touching.force = -contact.forces.rowwise().sum(), touching.torque = contact.torque;
  }
  for (const std::size_t link : lists_.links(level)) element::add_trial_force_of_link(model, link);
  if (contacts_.has_pairs()) contacts_.add_trial_forces_of_pairs(level);
}

/// From the forces at p and v to G_k, which weighs so much in those of the step.
void LocalSteps::filter(std::size_t k, double dt, double weight)
{
  if (k == levels_.size()) return add_resultants(weight);
  element::Model& model = state_.model;
  Level& finer = levels_[k];
  const int level = static_cast<int>(k) + 1;
  const auto nodes = lists_.nodes(level), moved = lists_.moved(level);
  filter(k + 1, dt / 2, weight / 2);
  for (std::size_t i = 0; i < nodes.size(); ++i) finer.first[i] = model.f[at(nodes[i])];
  for (std::size_t i = 0; i < moved.size(); ++i) finer.p[i] = model.p[at(moved[i])], finer.v[i] = model.v[at(moved[i])];
  move(k, dt);
  if (contacts_.has_pairs()) contacts_.exchange_trial(level);
  compute(k);
  filter(k + 1, dt / 2, weight / 2);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Row4& f = model.f[at(nodes[i])];
    const Row4& first = finer.first[i];
    f = {(first.x + f.x) / 2, (first.y + f.y) / 2, (first.z + f.z) / 2, 0};
  }
  for (std::size_t i = 0; i < moved.size(); ++i) model.p[at(moved[i])] = finer.p[i], model.v[at(moved[i])] = finer.v[i];
}

/// To the second state of a step of dt [s] of nodes of level k + 1 and finer. Axes whose motion is prescribed stay.
void LocalSteps::move(std::size_t k, double dt)
{
  element::Model& model = state_.model;
  const double c = 4 / StepControl::stiffest(static_cast<int>(k)), of_p = c * dt * dt / 8, of_v = c * dt / 4;
  const int level = static_cast<int>(k) + 1;
  for (const LocalIndex n : lists_.moved(level)) {
    if (!model.mesh.owned(n) || !(model.mass[at(n)] > 0)) continue;
    Vec3 a = model.f[at(n)].xyz() / model.mass[at(n)] + scene_.gravity;
    const std::uint64_t marks = model.mesh.node(n).marks;
    if (marks != 0) {
      const auto held = prescribed_.prescribed_axes(marks, state_.time);
      for (int axis = 0; axis < 3; ++axis)
        if (held[static_cast<std::size_t>(axis)]) a[axis] = 0;
    }
    add_xyz(model.p[at(n)], {of_p * a.x(), of_p * a.y(), of_p * a.z(), 0});
    add_xyz(model.v[at(n)], {of_v * a.x(), of_v * a.y(), of_v * a.z(), 0});
  }
  lists_.exchange(level);
}

void LocalSteps::add_resultants(double weight)
{
  for (const Touching& t : touching_)
    if (t.counted) contacts_.resultants().add(t.obstacle, weight * t.force, weight * t.torque);
}

double LocalSteps::half_of_work(double dt) const
{
  const element::Model& model = state_.model;
  double power = 0;
  for (std::size_t i = 0; i < filtered_.size(); ++i)
    if (const LocalIndex n = lists_.nodes(1)[i]; model.mesh.owned(n))
      power += (filtered_[i].xyz() - full_[i].xyz()).dot(model.v[at(n)].xyz());
  return dt / 2 * power;
}

// ---- what it takes ----

LocalSteps::Counts LocalSteps::counts() const
{
  Counts counts{};
  const mesh::TetMesh& mesh = state_.model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.primary(e)) ++counts[at(lists_.of_element(e))];
  return counts;
}

double LocalSteps::evaluations_a_step() const
{
  double sum = 0;
  const mesh::TetMesh& mesh = state_.model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.primary(e)) sum += evaluations_of(e);
  return sum;
}

double LocalSteps::evaluations_of(LocalIndex e) const
{
  const int level = lists_.of_element(e);
  return level == 0 ? 1 : (viscosity_ ? 3 : 1) + std::ldexp(1.0, level);
}

}  // namespace sunder::simulation
