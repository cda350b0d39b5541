#include "simulation/stepping/level_lists.hpp"

#include "core/sort_unique.hpp"
#include "core/stopwatch.hpp"
#include "core/tags.hpp"
#include "element/cohesion.hpp"

#include <algorithm>

namespace sunder::simulation {

void LevelLists::clear()
{
  node_levels_.clear(), of_element_.clear(), levels_.clear(), nodes_.clear(), moved_.clear(), raised_.clear();
}

void LevelLists::update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes)
{
  lower_raised();
  node_levels_.update(slots, nodes);
  levels_.resize(static_cast<std::size_t>(finest()));
  for (Level& level : levels_)
    if (!level.exchange)
      level.exchange = std::make_unique<partition::KinematicsExchange>(state_.comm, tags::local_steps);
  const auto changed = node_levels_.changed();
  asked_.assign(changed.begin(), changed.end());
  group_elements(slots);
  group_links();
  list_nodes();
  if (state_.comm.size() > 1) share_nodes();
}

int LevelLists::level_of(LocalIndex e) const
{
  int level = 0;
  for (const LocalIndex n : state_.model.mesh.tet(e)) level = std::max<int>(level, node_levels_.of(n));
  return level;
}

/// Its force depends on its nodes, and on the element that its axes turn with.
int LevelLists::level_of_link(std::size_t k) const
{
  const element::ModelLink& link = state_.model.links[k];
  return std::max({int{node_levels_.of(link.plus)}, int{node_levels_.of(link.minus)},
                   level_of(element::element_of_axes(state_.model, link))});
}

/// slots: of elements that were cut, made or emptied.
void LevelLists::group_elements(std::span<const LocalIndex> slots)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  of_element_.resize(at(mesh.num_slots()), 0);
  std::vector<LocalIndex> elements(slots.begin(), slots.end());
  for (const LocalIndex n : node_levels_.changed())
    elements.insert(elements.end(), mesh.star(n).begin(), mesh.star(n).end());
  sort_unique(elements);
  Lists leave, come;
  for (const LocalIndex e : elements) {
    const int level = mesh.alive(e) ? level_of(e) : 0;
    const int before = std::exchange(of_element_[at(e)], static_cast<std::uint8_t>(level));
    if (before == level && !std::binary_search(slots.begin(), slots.end(), e)) continue;
    leave[at(before)].push_back(e), come[at(level)].push_back(e);
    if (before != level && mesh.alive(e)) asked_.insert(asked_.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  }
  for (int k = 1; k <= finest(); ++k) this->elements(k).update(state_.model, leave[at(k)], come[at(k)]);
}

/// Where one link is dropped all others move up.
void LevelLists::group_links()
{
  for (Level& level : levels_) level.links.clear();
  for (std::size_t k = 0; k < state_.model.links.size(); ++k)
    if (const int level = level_of_link(k); level > 0) of(level).links.push_back(k);
}

int LevelLists::listed_level(LocalIndex n) const
{
  int level = 0;
  for (const LocalIndex e : state_.model.mesh.star(n)) level = std::max(level, of_element(e));
  for (const std::size_t k : state_.model.links.of(n)) level = std::max(level, level_of_link(k));
  return level;
}

/// The level of a link may have changed because of what is on one side of it.
void LevelLists::list_nodes()
{
  const element::Model& model = state_.model;
  nodes_.grow(model.mesh.num_nodes()), moved_.grow(model.mesh.num_nodes());
  sort_unique(asked_);
  const std::size_t on_sides = asked_.size();
  for (std::size_t i = 0; i < on_sides; ++i)
    for (const std::size_t k : model.links.of(asked_[i]))
      asked_.insert(asked_.end(), {model.links[k].plus, model.links[k].minus});
  for (const LocalIndex n : asked_) nodes_.set(n, listed_level(n));
  for (const LocalIndex n : node_levels_.changed()) moved_.set(n, model.mesh.star(n).empty() ? 0 : node_levels_.of(n));
}

/// Owners and holders know the levels, so both ends list the same.
void LevelLists::share_nodes()
{
  std::vector<LocalIndex> wanted;
  for (int k = 1; k <= finest(); ++k) {
    wanted.clear();
    for (const LocalIndex n : node_levels_.changed())
      if (node_levels_.of(n) >= k) wanted.push_back(n);
    Level& level = of(k);
    if (level.shared.update(state_.model.mesh, node_levels_.changed(), wanted))
      level.exchange->set(level.shared.neighbours());
  }
}

void LevelLists::raise(LocalIndex n, int level)
{
  if (nodes_.of(n) >= level) return;
  raised_.emplace_back(n, nodes_.of(n));
  nodes_.set(n, level);
}

/// Some have been raised more than once.
void LevelLists::lower_raised()
{
  for (; !raised_.empty(); raised_.pop_back()) nodes_.set(raised_.back().first, raised_.back().second);
}

void LevelLists::exchange(int level)
{
  const PhaseStopwatch watch(state_.measured.wall.halo);
  Level& now = of(level);
  now.exchange->start(now.shared.neighbours(), state_.model.p, state_.model.v);
  now.exchange->finish(now.shared.neighbours(), state_.model.p, state_.model.v);
  state_.measured.halo_bytes += static_cast<double>(now.exchange->bytes());
}

}  // namespace sunder::simulation
