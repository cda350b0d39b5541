#include "simulation/fragments/fragment_history.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/dense_numbers.hpp"
#include "simulation/fragments/find_fragments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

namespace sunder::simulation {
namespace {

/// Is there a way from node a to node b through held elements and links, within the first so many elements around a?
bool connected_nearby(const element::Model& model, LocalIndex a, LocalIndex b)
{
  const mesh::TetMesh& mesh = model.mesh;
  constexpr std::size_t most_elements = 4000;
  std::unordered_set<LocalIndex> seen{a};
  std::unordered_set<LocalIndex> elements;
  std::vector<LocalIndex> queue{a};
  const auto reach = [&](LocalIndex n) {
    if (seen.insert(n).second) queue.push_back(n);
  };
  for (std::size_t next = 0; next < queue.size() && elements.size() < most_elements && !seen.contains(b); ++next) {
    for (const std::size_t k : model.links.of(queue[next]))
      if (const element::ModelLink& link = model.links[k]; link.holds) reach(link.plus), reach(link.minus);
    for (const LocalIndex e : mesh.star(queue[next]))
      if (elements.insert(e).second)
        for (const LocalIndex n : mesh.tet(e)) reach(n);
  }
  return seen.contains(b);
}

/// Of volumes: beyond it they count as equal, and no sum of two overflows.
constexpr std::int64_t most = std::int64_t{1} << 61;

/// What a rank knows of a connected component, which was in one fragment so far. Volumes are whole numbers,
/// so that their sums are the same in any order.
struct Component {
  NodeId key;  // its smallest node id
  std::int64_t fragment = 0;
  std::int64_t volume = 0;
  ElementId first_element{~std::uint64_t{0}, ~std::uint64_t{0}};  // its smallest element id

  void combine(const Component& other)
  {
    volume = std::min(most, volume + other.volume);
    first_element = std::min(first_element, other.first_element);
  }
};

/// The largest component of a fragment, of those seen.
struct LargestComponent {
  std::int64_t key = 0;  // the fragment
  std::int64_t volume = 0;
  ElementId first_element;

  void combine(const LargestComponent& other)
  {
    if (other.volume > volume || (other.volume == volume && other.first_element < first_element)) *this = other;
  }
};

/// The number of a component from now on, and of what it came off.
struct Numbers {
  std::int64_t fragment = 0;
  bool came_off = false;
};

using ComponentExchange = CombiningExchange<Component, Numbers>;
using LargestExchange = CombiningExchange<LargestComponent, ElementId>;

/// Of the components that this rank holds something of; volumes of the elements that it counts.
std::vector<Component> components_held(const State& state, const Fragments& found)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  // An element with edges of the mean length has some 2^26, so that 10^9 of them do not reach `most`.
  const double unit = state.mesh_size * state.mesh_size * state.mesh_size / (1 << 29);
  const std::vector<NodeId> keys = sorted_unique(found.least);
  std::vector<Component> components(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) components[k].key = keys[k];
  std::vector<std::size_t> place;  // (found.least) in components: several may be of one
  place.reserve(found.least.size());
  for (const NodeId& least : found.least)
    place.push_back(static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), least) - keys.begin()));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (const LocalIndex local = found.component[at(n)]; local >= 0)
      components[place[at(local)]].fragment = state.model.history[at(n)].fragment;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    Component& component = components[place[at(found.component[at(mesh.tet(e)[0])])]];
    const double units = std::min(state.model.blocks.volume(e) / unit, static_cast<double>(most));
    component.combine({component.key, component.fragment, std::llround(units), mesh.element_id(e)});
  }
  return components;
}

/// Collective. Numbers for the components whose home this rank is.
std::vector<Numbers> numbers_of(State& state, std::span<const Component> components)
{
  const Comm& comm = state.comm;
  std::map<std::int64_t, LargestComponent> seen;
  for (const Component& component : components) {
    const LargestComponent candidate{component.fragment, component.volume, component.first_element};
    const auto [known, is_new] = seen.try_emplace(component.fragment, candidate);
    if (!is_new) known->second.combine(candidate);
  }
  std::vector<LargestComponent> candidates;
  for (const auto& [fragment, candidate] : seen) candidates.push_back(candidate);
  const LargestExchange exchange(comm, std::move(candidates),
                                 [&comm](std::int64_t fragment) { return static_cast<Rank>(fragment % comm.size()); });
  std::vector<ElementId> winners;
  for (const LargestComponent& largest : exchange.at_home()) winners.push_back(largest.first_element);
  const auto largest = exchange.answer(winners);

  std::vector<ElementId> came_off;
  for (const Component& component : components)
    if (largest.at(component.fragment) != component.first_element) came_off.push_back(component.first_element);
  const std::vector<std::int64_t> order = partition::dense_numbers(comm, came_off);
  std::vector<Numbers> numbers;
  auto next = order.begin();
  for (const Component& component : components)
    if (largest.at(component.fragment) == component.first_element)
      numbers.push_back({component.fragment, false});
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

bool may_have_come_apart(const element::Model& model, std::span<const fracture::NodeCopy> pairs)
{
  return std::any_of(pairs.begin(), pairs.end(), [&](const fracture::NodeCopy& pair) {
    return model.mesh.owned(pair.node) && !connected_nearby(model, pair.copy, pair.node);
  });
}

bool follow_fragments(State& state)
{
  const Fragments found = find_fragments(state.model, *state.halo);
  if (found.count == state.fragments) return false;
  state.fragments = found.count;
  const Comm& comm = state.comm;
  const ComponentExchange exchange(comm, components_held(state, found),
                                   [&comm](const NodeId& least) { return home_rank(least.low, comm.size()); });
  const std::map<NodeId, Numbers> numbers = exchange.answer(numbers_of(state, exchange.at_home()));
  std::vector<Numbers> of_component;
  of_component.reserve(found.least.size());
  for (const NodeId& least : found.least) of_component.push_back(numbers.at(least));
  for (LocalIndex n = 0; n < state.model.mesh.num_nodes(); ++n) {
    if (found.component[at(n)] < 0) continue;
    const Numbers& now = of_component[at(found.component[at(n)])];
    element::NodeHistory& history = state.model.history[at(n)];
    if (now.came_off) history.parent_fragment = history.fragment;
    history.fragment = now.fragment;
  }
  return true;
}

}  // namespace sunder::simulation
