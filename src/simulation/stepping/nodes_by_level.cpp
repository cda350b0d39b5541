#include "simulation/stepping/nodes_by_level.hpp"

#include <utility>

namespace sunder::simulation {

void NodesByLevel::clear()
{
  nodes_.clear(), level_.clear(), place_.clear(), end_ = {};
}

void NodesByLevel::grow(LocalIndex num_nodes)
{
  level_.resize(static_cast<std::size_t>(num_nodes), 0), place_.resize(level_.size());
}

void NodesByLevel::swap(std::size_t a, std::size_t b)
{
  std::swap(nodes_[a], nodes_[b]);
  place_[static_cast<std::size_t>(nodes_[a])] = a, place_[static_cast<std::size_t>(nodes_[b])] = b;
}

void NodesByLevel::set(LocalIndex n, int level)
{
  const auto i = static_cast<std::size_t>(n), to = static_cast<std::size_t>(level);
  std::size_t now = std::exchange(level_[i], static_cast<std::uint8_t>(level));
  if (now == 0 && to > 0) place_[i] = nodes_.size(), nodes_.push_back(n);
  for (; now < to; ++now) swap(place_[i], end_[now + 1]++);
  for (; now > to; --now) swap(place_[i], --end_[now]);
  if (to == 0 && nodes_.size() > end_[1]) nodes_.pop_back();
}

}  // namespace sunder::simulation
