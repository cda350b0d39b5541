#include "contact/listed_levels.hpp"

#include "core/tags.hpp"

#include <algorithm>

namespace sunder::contact {

/// Both ends of a list know the levels of its nodes, so both list the same.
void ListedLevels::take(const PairList& list, std::span<const std::uint8_t> of_nodes, int finest)
{
  levels_.clear(), of_listed_.clear();
  finest_ = finest;
  if (finest == 0) return;
  receive(list, of_nodes);
  levels_.resize(at(finest));
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    Level& level = levels_[k];
    for (partition::Neighbour neighbour : list.neighbours) {
      std::erase_if(neighbour.mirrors, [&](LocalIndex n) { return of_nodes[at(n)] < k + 1; });
      std::erase_if(neighbour.ghosts, [&](LocalIndex g) { return of_listed_[at(g)] < k + 1; });
      if (!neighbour.mirrors.empty() || !neighbour.ghosts.empty()) level.neighbours.push_back(std::move(neighbour));
    }
    level.exchange = std::make_unique<partition::KinematicsExchange>(comm_, tags::collision_trial);
    level.exchange->set(level.neighbours);
  }
}

void ListedLevels::receive(const PairList& list, std::span<const std::uint8_t> of_nodes)
{
  of_listed_.resize(list.nodes.size());
  for (std::size_t k = 0; k < list.nodes.size(); ++k)
    if (const LocalIndex n = list.nodes[k]; n >= 0) of_listed_[k] = of_nodes[at(n)];
  std::vector<Rank> peers;
  std::vector<std::vector<std::byte>> out;
  for (const partition::Neighbour& neighbour : list.neighbours) {
    peers.push_back(neighbour.rank), out.emplace_back();
    for (const LocalIndex n : neighbour.mirrors) out.back().push_back(std::byte{of_nodes[at(n)]});
  }
  const auto in = sunder::exchange(comm_, peers, out);
  for (std::size_t r = 0; r < peers.size(); ++r)
    for (std::size_t i = 0; i < in[r].size(); ++i)
      of_listed_[at(list.neighbours[r].ghosts[i])] = std::to_integer<std::uint8_t>(in[r][i]);
}

std::uint8_t ListedLevels::of(const PairList& list, const ListedPair& pair) const
{
  std::uint8_t level = 0;
  for (const int element : {pair.a, pair.b})
    for (const int node : list.elements[at(element)].nodes) level = std::max(level, of_listed_[at(node)]);
  return level;
}

void ListedLevels::exchange(int level, std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> to_p,
                            std::span<Row4> to_v) const
{
  const Level& of_level = levels_[at(level - 1)];
  of_level.exchange->start(of_level.neighbours, p, v);
  of_level.exchange->finish(of_level.neighbours, to_p, to_v);
}

}  // namespace sunder::contact
