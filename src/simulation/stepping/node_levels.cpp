#include "simulation/stepping/node_levels.hpp"

#include "core/sort_unique.hpp"
#include "element/cohesion.hpp"

#include <algorithm>
#include <bit>

namespace sunder::simulation {

void NodeLevels::clear()
{
  of_element_.clear(), own_.clear(), reached_.clear(), of_node_.clear();
  count_ = {}, finest_ = 0;
}

void NodeLevels::update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  find_levels_of_elements(slots);
  for (auto* values : {&own_, &reached_, &of_node_}) values->resize(at(mesh.num_nodes()), 0);
  changed_.assign(nodes.begin(), nodes.end());
  sort_unique(changed_);
  given_ = changed_, came_.clear();
  int greatest = finest_;
  for (const LocalIndex n : given_)
    if (mesh.owned(n)) greatest = std::max<int>(greatest, own_[at(n)] = own_level(n));
  greatest = static_cast<int>(state_.comm.max(std::int64_t{greatest}));
  // What has become a ghost here is a corner of something that changed.
  state_.halo->owners_to_ghosts(mesh, std::span(reached_), given_);
  for (int level = greatest; level > 0; --level) spread(level);
  sort_unique(changed_);
  for (const LocalIndex n : changed_) take_over(n);
  finest_ = static_cast<int>(state_.comm.max(std::int64_t{greatest_used()}));
}

void NodeLevels::find_levels_of_elements(std::span<const LocalIndex> slots)
{
  of_element_.resize(at(state_.model.mesh.num_slots()), 0);
  std::vector<std::uint8_t> levels(slots.size());
  control_.levels(slots, levels);
  for (std::size_t i = 0; i < slots.size(); ++i) of_element_[at(slots[i])] = levels[i];
}

/// Of an owned node, whose elements and links are all here.
std::uint8_t NodeLevels::own_level(LocalIndex n) const
{
  std::uint8_t level = 0;
  for (const LocalIndex e : state_.model.mesh.star(n)) level = std::max(level, of_element_[at(e)]);
  const double of_links = element::limit_of_links(state_.model, {&n, 1}).step;
  return std::max(level, control_.level_of(of_links));
}

/// Which nodes are of a level or finer: that is right for finer ones. Only those given, and neighbours of nodes that
/// came to the next finer level or left it, can have changed.
void NodeLevels::spread(int level)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  const auto bit = static_cast<std::uint8_t>(1u << level);
  std::vector<LocalIndex> asked;
  for (const LocalIndex n : came_)
    for (const LocalIndex e : mesh.star(n)) asked.insert(asked.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  asked.insert(asked.end(), given_.begin(), given_.end());
  sort_unique(asked);
  came_.clear();
  for (const LocalIndex n : asked) {
    if (!mesh.owned(n) || reaches(n, level) == ((reached_[at(n)] & bit) != 0)) continue;
    reached_[at(n)] ^= bit, came_.push_back(n);
  }
  const std::size_t owned = came_.size();
  std::vector<LocalIndex> arrived;
  state_.halo->owners_to_ghosts(mesh, std::span(reached_), std::span(came_).first(owned),
                                [&](LocalIndex n) { arrived.push_back(n); });
  came_.insert(came_.end(), arrived.begin(), arrived.end());
  changed_.insert(changed_.end(), came_.begin(), came_.end());
}

bool NodeLevels::reaches(LocalIndex n, int level) const
{
  if (own_[at(n)] >= level) return true;
  const mesh::TetMesh& mesh = state_.model.mesh;
  const auto finer = static_cast<std::uint8_t>(1u << (level + 1));
  for (const LocalIndex e : mesh.star(n))
    for (const LocalIndex q : mesh.tet(e))
      if ((reached_[at(q)] & finer) != 0) return true;
  return false;
}

void NodeLevels::take_over(LocalIndex n)
{
  const int width = std::bit_width(static_cast<unsigned>(reached_[at(n)]));
  const auto level = static_cast<std::uint8_t>(std::max(width - 1, 0));  // bit 0 is never set
  std::uint8_t& now = of_node_[at(n)];
  if (state_.model.mesh.owned(n)) --count_[now], ++count_[level];
  now = level;
}

/// Of owned nodes.
int NodeLevels::greatest_used() const
{
  int level = StepControl::deepest_level;
  while (level > 0 && count_[static_cast<std::size_t>(level)] == 0) --level;
  return level;
}

}  // namespace sunder::simulation
