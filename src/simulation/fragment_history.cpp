#include "simulation/fragment_history.hpp"

#include "core/combining_round.hpp"
#include "core/hash.hpp"
#include "partition/dense_numbers.hpp"
#include "simulation/diagnostics/fragments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

namespace sunder::simulation {
namespace {

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

/// Is there a way from node a to node b through held elements, within the first so many elements around a?
bool connected_nearby(const mesh::TetMesh& mesh, LocalIndex a, LocalIndex b)
{
  constexpr std::size_t most_elements = 4000;
  std::unordered_set<LocalIndex> seen{a};
  std::unordered_set<LocalIndex> elements;
  std::vector<LocalIndex> queue{a};
  for (std::size_t next = 0; next < queue.size() && elements.size() < most_elements; ++next)
    for (const LocalIndex e : mesh.star(queue[next])) {
      if (!elements.insert(e).second) continue;
      for (const LocalIndex n : mesh.tet(e)) {
        if (n == b) return true;
        if (seen.insert(n).second) queue.push_back(n);
      }
    }
  return false;
}

/// What a rank knows of a part: a connected set of elements that was in one fragment so far. Volumes are whole numbers,
/// so that their sums are the same in any order.
struct Part {
  NodeId key;  // its smallest node id
  std::int64_t fragment = 0;
  std::int64_t volume = 0;
  ElementId first_element{~std::uint64_t{0}, ~std::uint64_t{0}};  // its smallest element id

  void combine(const Part& other)
  {
    volume += other.volume;
    first_element = std::min(first_element, other.first_element);
  }
};

/// The largest part of a fragment, of those seen.
struct Largest {
  std::int64_t key = 0;  // the fragment
  std::int64_t volume = 0;
  ElementId first_element;

  void combine(const Largest& other)
  {
    if (other.volume > volume || (other.volume == volume && other.first_element < first_element)) *this = other;
  }
};

/// The number of a part from now on, and of what it came off.
struct Numbers {
  std::int64_t fragment = 0;
  bool came_off = false;
};

using PartsRound = CombiningRound<Part, Numbers>;
using LargestRound = CombiningRound<Largest, ElementId>;

/// Of the parts that this rank holds something of; volumes of the elements that it counts.
std::vector<Part> parts_held(const State& state, const Fragments& found)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  // A mean element has some 2^26, so that 10^9 of them do not reach 2^63.
  const double unit = std::pow(state.mesh_size, 3) / (1 << 29);
  std::map<NodeId, Part> parts;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (const LocalIndex local = found.part[at(n)]; local >= 0) {
      const NodeId least = found.least[at(local)];
      parts.try_emplace(least, Part{least, state.model.history[at(n)].fragment});
    }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    Part& part = parts.at(found.least[at(found.part[at(mesh.tet(e)[0])])]);
    part.combine({part.key, part.fragment, std::llround(state.model.blocks.volume(e) / unit), mesh.element_id(e)});
  }
  std::vector<Part> all;
  for (const auto& [least, part] : parts) all.push_back(part);
  return all;
}

/// Collective. Numbers for the parts whose home this rank is.
std::vector<Numbers> numbers_of(State& state, std::span<const Part> parts)
{
  const Comm& comm = state.comm;
  std::map<std::int64_t, Largest> seen;
  for (const Part& part : parts) {
    const Largest candidate{part.fragment, part.volume, part.first_element};
    const auto [known, is_new] = seen.try_emplace(part.fragment, candidate);
    if (!is_new) known->second.combine(candidate);
  }
  std::vector<Largest> candidates;
  for (const auto& [fragment, candidate] : seen) candidates.push_back(candidate);
  const LargestRound round(comm, std::move(candidates),
                           [&comm](std::int64_t fragment) { return static_cast<Rank>(fragment % comm.size()); });
  std::vector<ElementId> winners;
  for (const Largest& largest : round.at_home()) winners.push_back(largest.first_element);
  const auto largest = round.answer(winners);

  std::vector<ElementId> came_off;
  for (const Part& part : parts)
    if (largest.at(part.fragment) != part.first_element) came_off.push_back(part.first_element);
  const std::vector<std::int64_t> order = partition::dense_numbers(comm, came_off);
  std::vector<Numbers> numbers;
  auto next = order.begin();
  for (const Part& part : parts)
    if (largest.at(part.fragment) == part.first_element)
      numbers.push_back({part.fragment, false});
    else
      numbers.push_back({state.next_fragment + *next++, true});
  state.next_fragment += comm.sum(static_cast<std::int64_t>(came_off.size()));
  return numbers;
}

}  // namespace

void number_fragments(State& state)
{
  const Fragments found = find_fragments(state.model, *state.halo);
  const std::vector<std::int64_t> numbers = fragment_of_nodes(state.comm, found);
  for (std::size_t n = 0; n < numbers.size(); ++n)
    state.model.history[n] = {.fragment = std::max<std::int64_t>(0, numbers[n])};
  state.fragments = state.next_fragment = found.count;
}

bool may_have_come_apart(const mesh::TetMesh& mesh, std::span<const fracture::SplitNode> splits)
{
  return std::any_of(splits.begin(), splits.end(), [&mesh](const fracture::SplitNode& split) {
    return mesh.owned(split.node) && !connected_nearby(mesh, split.copy, split.node);
  });
}

void follow_fragments(State& state)
{
  const Fragments found = find_fragments(state.model, *state.halo);
  if (found.count == state.fragments) return;
  state.fragments = found.count;
  const Comm& comm = state.comm;
  const PartsRound round(comm, parts_held(state, found), [&comm](const NodeId& least) {
    return static_cast<Rank>(mix(least.low) % static_cast<std::uint64_t>(comm.size()));
  });
  const std::map<NodeId, Numbers> numbers = round.answer(numbers_of(state, round.at_home()));
  for (LocalIndex n = 0; n < state.model.mesh.num_nodes(); ++n) {
    if (found.part[at(n)] < 0) continue;
    const Numbers& now = numbers.at(found.least[at(found.part[at(n)])]);
    element::NodeHistory& history = state.model.history[at(n)];
    if (now.came_off) history.parent = history.fragment;
    history.fragment = now.fragment;
  }
}

}  // namespace sunder::simulation
