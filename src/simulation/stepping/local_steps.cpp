#include "simulation/stepping/local_steps.hpp"

#include "core/sort_unique.hpp"
#include "core/stopwatch.hpp"
#include "core/tags.hpp"
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
    node_levels_(state, control)
{
}

// ---- who belongs where ----

void LocalSteps::rebuild()
{
  if (!on_) return;
  levels_.clear(), group_of_.clear(), listed_.clear(), linked_.clear(), node_levels_.clear();
  std::vector<LocalIndex> slots(at(state_.model.mesh.num_slots())), nodes(at(state_.model.mesh.num_nodes()));
  std::iota(slots.begin(), slots.end(), 0), std::iota(nodes.begin(), nodes.end(), 0);
  update(slots, nodes);
}

void LocalSteps::update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes)
{
  if (!on_) return;
  node_levels_.update(slots, nodes);
  find_groups(slots);
}

/// Those of links that are there now are among these, or have not changed.
void LocalSteps::update_links()
{
  if (on_) update({}, std::vector<LocalIndex>(linked_));
}

int LocalSteps::level_of(LocalIndex e) const
{
  const Tet& tet = state_.model.mesh.tet(e);
  return std::max({node_levels_.of(tet[0]), node_levels_.of(tet[1]), node_levels_.of(tet[2]), node_levels_.of(tet[3])});
}

/// Its force depends on its nodes, and on the element that its axes turn with.
int LocalSteps::level_of_link(std::size_t k) const
{
  const element::ModelLink& link = state_.model.links[k];
  return std::max({int{node_levels_.of(link.plus)}, int{node_levels_.of(link.minus)},
                   level_of(element::element_of_axes(state_.model, link))});
}

/// slots: of elements that were cut, made or emptied.
void LocalSteps::find_groups(std::span<const LocalIndex> slots)
{
  pairs_know_ = false;
  viscous_.clear();
  forget_nodes();
  group_elements(slots);
  group_links();
  list_nodes();
  list_neighbours();
}

/// Compact blocks are made anew only of levels where an element has come, gone or changed. They are in the order of
/// slots: so are sums of forces.
void LocalSteps::group_elements(std::span<const LocalIndex> slots)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  group_of_.resize(at(mesh.num_slots()), 0);
  std::vector<LocalIndex> elements(slots.begin(), slots.end());
  for (const LocalIndex n : node_levels_.changed())
    elements.insert(elements.end(), mesh.star(n).begin(), mesh.star(n).end());
  sort_unique(elements);
  std::array<bool, StepControl::deepest_level + 1> altered{};
  std::array<std::vector<LocalIndex>, StepControl::deepest_level + 1> came;
  for (const LocalIndex e : elements) {
    const int level = mesh.alive(e) ? level_of(e) : 0;
    std::uint8_t& now = group_of_[at(e)];
    const bool changed = std::binary_search(slots.begin(), slots.end(), e);
    if (now != level) came[static_cast<std::size_t>(level)].push_back(e);
    if (now != level || changed) altered[now] = altered[static_cast<std::size_t>(level)] = true;
    now = static_cast<std::uint8_t>(level);
  }
  levels_.resize(static_cast<std::size_t>(node_levels_.finest()));
  for (std::size_t k = 0; k < levels_.size(); ++k)
    if (altered[k + 1]) regroup(k, came[k + 1]);
}

/// came: elements that are new to the level, ascending.
void LocalSteps::regroup(std::size_t k, std::span<const LocalIndex> came)
{
  const element::Model& model = state_.model;
  Level& group = levels_[k];
  std::erase_if(group.elements, [&](LocalIndex e) { return group_of_[at(e)] != k + 1; });
  const std::ptrdiff_t stayed = std::ssize(group.elements);
  group.elements.insert(group.elements.end(), came.begin(), came.end());
  std::inplace_merge(group.elements.begin(), group.elements.begin() + stayed, group.elements.end());
  group.blocks = element::ElementBlocks(model.blocks.plastic());
  group.counted = 0;
  const auto size = static_cast<LocalIndex>(group.elements.size());
  group.blocks.resize(size);
  for (LocalIndex i = 0; i < size; ++i) {
    const LocalIndex e = group.elements[at(i)];
    group.blocks.set(i, model.mesh.tet(e), model.mesh.corners(e), model.mesh.material(e), model.blocks.viscosity(e),
                     model.mesh.primary(e));
    group.counted += model.mesh.primary(e);
  }
  group.strains.resize(group.blocks.plastic_blocks().size());
}

void LocalSteps::group_links()
{
  const element::Model& model = state_.model;
  for (Level& level : levels_) level.links.clear();
  linked_.clear();
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    linked_.insert(linked_.end(), {model.links[k].plus, model.links[k].minus});
    if (const int level = level_of_link(k); level > 0) levels_[at(level - 1)].links.push_back(k);
  }
  sort_unique(linked_);
}

void LocalSteps::forget_nodes()
{
  if (levels_.empty()) return;
  const Level& coarsest = levels_.front();
  for (std::size_t i = 0; i < coarsest.own_nodes; ++i) listed_[at(coarsest.nodes[i])] = 0;
}

/// Of a level those of finer ones come first.
void LocalSteps::list_nodes()
{
  const element::Model& model = state_.model;
  listed_.resize(at(model.mesh.num_nodes()), 0), base_.resize(at(model.mesh.num_nodes()));
  std::vector<LocalIndex> nodes;  // of this level and finer ones
  for (std::size_t k = levels_.size(); k-- > 0;) {
    Level& level = levels_[k];
    const auto list = [&](LocalIndex n) {
      if (std::exchange(listed_[at(n)], std::max(listed_[at(n)], static_cast<std::uint8_t>(k + 1))) == 0)
        nodes.push_back(n);
    };
    for (const LocalIndex e : level.elements)
      for (const LocalIndex n : model.mesh.tet(e)) list(n);
    for (const std::size_t l : level.links) list(model.links[l].plus), list(model.links[l].minus);
    level.nodes = nodes, level.own_nodes = nodes.size();
    level.moved.clear(), level.fine.clear();
    for (const LocalIndex n : nodes) {
      if (node_levels_.of(n) < k + 1) continue;
      level.moved.push_back(n);
      if (model.mesh.owned(n)) level.fine.push_back(n);
    }
    level.base.resize(level.nodes.size()), level.first.resize(level.nodes.size());
    level.p.resize(level.moved.size()), level.v.resize(level.moved.size());
  }
  full_.assign(levels_.empty() ? 0 : levels_.front().nodes.size(), Row4{});
  change_ = full_;
}

/// Of the halo's lists what is of a level or finer. Owners and holders know the levels, so both ends list the same.
void LocalSteps::list_neighbours()
{
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    Level& level = levels_[k];
    level.neighbours.clear();
    const auto coarser = [&](LocalIndex n) { return node_levels_.of(n) < k + 1; };
    for (partition::Neighbour neighbour : state_.halo->neighbours()) {
      std::erase_if(neighbour.mirrors, coarser);
      std::erase_if(neighbour.ghosts, coarser);
      if (!neighbour.mirrors.empty() || !neighbour.ghosts.empty()) level.neighbours.push_back(std::move(neighbour));
    }
    level.exchange = std::make_unique<partition::KinematicsExchange>(state_.halo->comm(), tags::local_steps);
    level.exchange->set(level.neighbours);
  }
}

// ---- a step ----

void LocalSteps::filter_forces(double dt)
{
  if (levels_.empty()) return;
  begin();
  filter(0, dt, 1);
  if (contacts_.has_pairs()) contacts_.exchange_trial(1);  // back to the state of the path
  const std::vector<LocalIndex>& nodes = levels_.front().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Row4 &f = state_.model.f[at(nodes[i])], &full = full_[i];
    change_[i] = {f.x - full.x, f.y - full.y, f.z - full.z, 0};
  }
}

void LocalSteps::foresee(double dt)
{
  if (levels_.empty()) return;
  const contact::Resultants resultants = contacts_.resultants();
  filter_forces(dt);
  contacts_.resultants() = resultants;
  const std::vector<LocalIndex>& nodes = levels_.front().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) state_.model.f[at(nodes[i])] = full_[i];
}

double LocalSteps::work_ahead(double lag) const
{
  if (levels_.empty()) return 0;
  const element::Model& model = state_.model;
  const std::vector<LocalIndex>& nodes = levels_.front().nodes;
  double power = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const LocalIndex n = nodes[i];
    if (!model.mesh.owned(n) || !(model.mass[at(n)] > 0)) continue;
    const auto held = prescribed_.prescribed_axes(model.mesh.node(n).marks, state_.time);
    const Vec3 v = model.v[at(n)].xyz(), change = change_[i].xyz();
    for (int axis = 0; axis < 3; ++axis)
      if (!held[static_cast<std::size_t>(axis)]) power += v[axis] * change[axis];
  }
  return lag * power;
}

/// What is not of level 1 or finer acts as it does: all forces less those that are.
void LocalSteps::begin()
{
  element::Model& model = state_.model;
  Level& coarsest = levels_.front();
  if (model.blocks.plastic())
    for (Level& level : levels_) {
      for (LocalIndex i = 0; i < level.blocks.size(); ++i)
        level.blocks.set_plastic_strain(i, model.blocks.plastic_strain(level.elements[at(i)]));
      std::copy(level.blocks.plastic_blocks().begin(), level.blocks.plastic_blocks().end(), level.strains.begin());
    }
  sort_touching();
  list_nodes_of_pairs();
  for (std::size_t i = 0; i < coarsest.nodes.size(); ++i) full_[i] = model.f[at(coarsest.nodes[i])];
  if (viscosity_) find_viscous_forces();
  std::fill(coarsest.base.begin(), coarsest.base.end(), Row4{});
  compute(0);
  for (std::size_t i = 0; i < coarsest.nodes.size(); ++i) {
    Row4& f = model.f[at(coarsest.nodes[i])];
    const Row4 all = full_[i];
    coarsest.base[i] = {all.x - f.x, all.y - f.y, all.z - f.z, 0};
    f = all;
  }
  for (std::size_t i = 0; i < coarsest.nodes.size(); ++i) base_[at(coarsest.nodes[i])] = coarsest.base[i];
  for (std::size_t k = 1; k < levels_.size(); ++k)  // so far without what is of no level
    for (std::size_t i = 0; i < levels_[k].nodes.size(); ++i)
      add_xyz(levels_[k].base[i], base_[at(levels_[k].nodes[i])]);
}

/// Over a step of many of their own, elements change the velocities that their viscosity sees: the work is not that of
/// the velocities before the step.
void LocalSteps::find_viscous_forces()
{
  element::Model& model = state_.model;
  const Level& coarsest = levels_.front();
  viscous_.assign(coarsest.own_nodes, Row4{});
  at_rest_.resize(model.v.size());
  for (const bool moving : {true, false}) {
    for (std::size_t i = 0; i < coarsest.own_nodes; ++i) model.f[at(coarsest.nodes[i])] = Row4{};
    for (Level& level : levels_) {
      std::copy(level.strains.begin(), level.strains.end(), level.blocks.plastic_blocks().begin());
      element::add_internal_forces(level.blocks, model.materials, model.p, moving ? model.v : at_rest_, model.f);
      evaluations_ += level.counted, held_evaluations_ += std::ssize(level.elements);
    }
    for (std::size_t i = 0; i < coarsest.own_nodes; ++i) {
      const Row4& f = model.f[at(coarsest.nodes[i])];
      const double sign = moving ? 1 : -1;
      add_xyz(viscous_[i], {sign * f.x, sign * f.y, sign * f.z, 0});
    }
  }
}

double LocalSteps::half_of_viscous_work(double dt) const
{
  double power = 0;
  for (std::size_t i = 0; i < viscous_.size(); ++i)
    if (const LocalIndex n = levels_.front().nodes[i]; state_.model.mesh.owned(n))
      power += viscous_[i].xyz().dot(state_.model.v[at(n)].xyz());
  return dt / 2 * power;
}

void LocalSteps::tell_pairs()
{
  if (!on_ || !contacts_.has_pairs() || (pairs_know_ && !contacts_.list_changed())) return;
  contacts_.take_levels(node_levels_.all(), node_levels_.finest());
  pairs_know_ = true;
}

/// What touches now. A node of pairs of several levels is listed by the finest.
void LocalSteps::list_nodes_of_pairs()
{
  if (!contacts_.has_pairs()) return;
  for (Level& level : levels_) level.nodes.resize(level.own_nodes);
  touched_.resize(listed_.size(), 0);
  for (std::size_t l = levels_.size(); l > 0; --l)
    contacts_.for_each_node_of_pairs(static_cast<int>(l), [&](LocalIndex n) {
      if (touched_[at(n)] >= l) return;
      touched_[at(n)] = static_cast<std::uint8_t>(l);
      for (std::size_t k = listed_[at(n)]; k < l; ++k) levels_[k].nodes.push_back(n);
    });
  for (std::size_t l = levels_.size(); l > 0; --l)
    contacts_.for_each_node_of_pairs(static_cast<int>(l), [&](LocalIndex n) { touched_[at(n)] = 0; });
  for (Level& level : levels_) level.base.resize(level.nodes.size()), level.first.resize(level.nodes.size());
  full_.resize(levels_.front().nodes.size()), change_.resize(full_.size());
}

void LocalSteps::sort_touching()
{
  touching_.clear();
  for (Level& level : levels_) level.touching.clear();
  for (const auto& [e, obstacle] : contacts_.touching_obstacles()) {
    const int level = group_of_[at(e)];
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
  for (std::size_t i = 0; i < levels_[k].nodes.size(); ++i) f[at(levels_[k].nodes[i])] = levels_[k].base[i];
  for (; k < levels_.size(); ++k) {
    add_group(levels_[k]);
    if (contacts_.has_pairs()) contacts_.add_trial_forces_of_pairs(static_cast<int>(k) + 1);
    if (k + 1 == levels_.size()) break;
    Level& finer = levels_[k + 1];
    for (std::size_t i = 0; i < finer.nodes.size(); ++i) finer.base[i] = f[at(finer.nodes[i])];
  }
}

/// Plastic strain is what the step found: this is a trial, not a path.
void LocalSteps::add_group(Level& level)
{
  element::Model& model = state_.model;
  std::copy(level.strains.begin(), level.strains.end(), level.blocks.plastic_blocks().begin());
  element::add_internal_forces(level.blocks, model.materials, model.p, model.v, model.f);
  evaluations_ += level.counted, held_evaluations_ += std::ssize(level.elements);
  for (const std::size_t t : level.touching) {
    Touching& touching = touching_[t];
    const contact::ElementContact contact = contacts_.obstacle_force(touching.element, touching.obstacle);
    const Tet& tet = model.mesh.tet(touching.element);
    for (std::size_t a = 0; a < 4; ++a) {
      const auto force = contact.forces.col(static_cast<int>(a));
      add_xyz(model.f[at(tet[a])], {force.x(), force.y(), force.z(), 0});
    }
    touching.force = -contact.forces.rowwise().sum(), touching.torque = contact.torque;
  }
  for (const std::size_t k : level.links) element::add_trial_force_of_link(model, k);
}

/// From the forces at p and v to G_k, which weighs so much in those of the step.
void LocalSteps::filter(std::size_t k, double dt, double weight)
{
  if (k == levels_.size()) return add_resultants(weight);
  element::Model& model = state_.model;
  Level& finer = levels_[k];
  filter(k + 1, dt / 2, weight / 2);
  for (std::size_t i = 0; i < finer.nodes.size(); ++i) finer.first[i] = model.f[at(finer.nodes[i])];
  for (std::size_t i = 0; i < finer.moved.size(); ++i) {
    finer.p[i] = model.p[at(finer.moved[i])];
    finer.v[i] = model.v[at(finer.moved[i])];
  }
  move(finer, dt, 4 / StepControl::stiffest(static_cast<int>(k)));
  if (contacts_.has_pairs()) contacts_.exchange_trial(static_cast<int>(k) + 1);
  compute(k);
  filter(k + 1, dt / 2, weight / 2);
  for (std::size_t i = 0; i < finer.nodes.size(); ++i) {
    Row4& f = model.f[at(finer.nodes[i])];
    const Row4& first = finer.first[i];
    f = {(first.x + f.x) / 2, (first.y + f.y) / 2, (first.z + f.z) / 2, 0};
  }
  for (std::size_t i = 0; i < finer.moved.size(); ++i) {
    model.p[at(finer.moved[i])] = finer.p[i];
    model.v[at(finer.moved[i])] = finer.v[i];
  }
}

/// To the second state of a step of dt [s], which is c times as far as a step takes them. Axes whose motion is
/// prescribed stay.
void LocalSteps::move(Level& level, double dt, double c)
{
  element::Model& model = state_.model;
  const double of_p = c * dt * dt / 8, of_v = c * dt / 4;
  for (const LocalIndex n : level.fine) {
    if (!(model.mass[at(n)] > 0)) continue;
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
  const PhaseStopwatch watch(state_.measured.wall.halo);
  level.exchange->start(level.neighbours, model.p, model.v);
  level.exchange->finish(level.neighbours, model.p, model.v);
  state_.measured.halo_bytes += static_cast<double>(level.exchange->bytes());
}

void LocalSteps::add_resultants(double weight)
{
  for (const Touching& t : touching_)
    if (t.counted) contacts_.resultants().add(t.obstacle, weight * t.force, weight * t.torque);
}

double LocalSteps::half_of_work(double dt) const
{
  if (levels_.empty()) return 0;
  const element::Model& model = state_.model;
  double power = 0;
  for (std::size_t i = 0; i < change_.size(); ++i)
    if (const LocalIndex n = levels_.front().nodes[i]; model.mesh.owned(n))
      power += change_[i].xyz().dot(model.v[at(n)].xyz());
  return dt / 2 * power;
}

// ---- what it takes ----

LocalSteps::Counts LocalSteps::counts() const
{
  Counts counts{};
  const mesh::TetMesh& mesh = state_.model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.primary(e)) ++counts[at(group_of_.empty() ? 0 : group_of_[at(e)])];
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
  const int level = group_of_.empty() ? 0 : group_of_[at(e)];
  return level == 0 ? 1 : (viscosity_ ? 3 : 1) + std::ldexp(1.0, level);
}

}  // namespace sunder::simulation
