/// Of Collisions, what is done with the pairs of the list: overlaps, what pairs remember and cost, levels, forces.

#include "contact/collisions.hpp"
#include "contact/narrow_phase/node_penetration.hpp"
#include "core/stopwatch.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sunder::contact {

std::vector<partition::PairRecord> Collisions::memory() const
{
  std::vector<partition::PairRecord> memory;
  for (const TouchingPair& t : list().touching) {
    const ListedElement &a = first(t.pair), &b = second(t.pair);
    if (a.slot >= 0) memory.push_back({a.id, b.id, t.overlap, t.initial_overlap});
    if (b.slot >= 0) memory.push_back({b.id, a.id, t.overlap, t.initial_overlap});
  }
  std::sort(memory.begin(), memory.end(), [](const partition::PairRecord& x, const partition::PairRecord& y) {
    return std::pair(x.element, x.other) < std::pair(y.element, y.other);
  });
  return memory;
}

void Collisions::restore(std::span<const partition::PairRecord> memory)
{
  std::map<PairIds, const partition::PairRecord*> known;
  for (const auto& record : memory) known[std::minmax(record.element, record.other)] = &record;
  list().move_to_touching(0, [&](const ListedPair& pair, TouchingPair& touching) {
    const auto record = known.find(list().ids(pair));
    if (record == known.end() || record->second->overlap == 0) return false;
    touching.overlap = record->second->overlap, touching.initial_overlap = record->second->initial_overlap;
    return true;
  });
}

Collisions::PairWork Collisions::work() const
{
  return {spent_, static_cast<double>(num_listed()), updates_.all, searches_.all};
}

void Collisions::add_costs(const PairCosts& each, std::span<double> costs) const
{
  const auto add_listed = [&](const ListedPair& pair) {
    for (const ListedElement* element : {&first(pair), &second(pair)})
      if (element->slot >= 0) costs[at(element->slot)] += each.listed / 2;
  };
  for (const ListedPair& pair : list().pairs) add_listed(pair);
  for (const TouchingPair& touching : list().touching) add_listed(touching.pair);
  const auto add_counted = [costs](const Counts& counts, double of_each) {
    for (std::size_t slot = 0; slot < std::min(counts.of_slots.size(), costs.size()); ++slot)
      costs[slot] += of_each * counts.of_slots[slot];
  };
  add_counted(updates_, each.touching / 2);
  add_counted(searches_, each.searched);
}

void Collisions::reset_costs()
{
  spent_ = {};
  updates_.clear(), searches_.clear();
}

/// An update in which the pair overlapped.
void Collisions::count_update(const ListedPair& pair)
{
  ++updates_.all;
  for (const ListedElement* element : {&first(pair), &second(pair)})
    if (element->slot >= 0) updates_.add(element->slot);
}

void Collisions::gather(std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < list().nodes.size(); ++k)
    if (const LocalIndex n = list().nodes[k]; n >= 0) p_[k] = p[at(n)], v_[k] = v[at(n)];
}

/// So that a pair reads two places of memory, not ten.
void Collisions::gather_corners()
{
  const std::vector<ListedElement>& elements = list().elements;
  corners_.resize(elements.size());
  for (std::size_t e = 0; e < elements.size(); ++e) corners_[e] = geometry::Corners(elements[e].nodes, p_);
}

void Collisions::forget_sides()
{
  first_sides_.clear(), second_sides_.clear();
}

ElementOverlap Collisions::overlap_of(const ListedPair& pair)
{
  const Side &a = first_side(pair), &b = second_side(pair);
  return criterion_ == ContactCriterion::nodes ? overlap_by_nodes(a, b) : overlap_of_elements(a, b);
}

/// Do links hold the two, or does the remembered plane keep them apart? The same plane does for long. The gap must be
/// far wider than round-off, so overlap_of() would find no overlap either. It therefore changes no bit which plane a
/// rank remembers.
bool Collisions::known_apart(const ListedPair& pair) const
{
  return held_by_links(pair.common_corners, first(pair), second(pair), p_) ||
         pair.plane.separates(corners_[at(pair.a)], corners_[at(pair.b)], list().least_gap());
}

/// Of two that are not known to be apart.
ElementOverlap Collisions::measure_overlap(ListedPair& pair)
{
  const ElementOverlap overlap = overlap_of(pair);
  if (overlap.volume == 0) pair.search_plane(first_side(pair).p, second_side(pair).p, 2 * list().least_gap());
  return overlap;
}

double Collisions::stiffness(const ListedElement& a, const ListedElement& b) const
{
  return response_.stiffness > 0 ? response_.stiffness : 1 / (a.compliance + b.compliance);
}

/// Of two that are not known to be apart. Notes the overlap, if there is one.
/// @param touching  overlap: at the last update, 0 if there was none
bool Collisions::overlaps(TouchingPair& touching)
{
  const ElementOverlap overlap = measure_overlap(touching.pair);
  if (overlap.volume == 0) return false;
  if (criterion_ == ContactCriterion::overlap)
    touching.initial_overlap =
        touching.overlap == 0 ? overlap.volume : std::min(touching.initial_overlap, overlap.volume);
  touching.overlap = overlap.volume, touching.found = static_cast<int>(found_.size());
  found_.push_back(overlap);
  count_update(touching.pair);
  return true;
}

void Collisions::add_overlapping(const TouchingPair& touching, std::uint8_t level)
{
  const ListedElement &a = first(touching.pair), &b = second(touching.pair);
  overlapping_.add(
      {found_[at(touching.found)], stiffness(a, b), touching.initial_overlap, a.nodes, b.nodes, a.primary, level},
      list().nodes);
}

/// In the order of levels, and in that of ids at each.
void Collisions::group_by_level()
{
  overlapping_.clear();
  const int finest = levels_.finest();
  for (int level = 0; level <= finest; ++level)
    for (const TouchingPair& touching : list().touching)
      if (finest == 0 || levels_.of(list(), touching.pair) == level)
        add_overlapping(touching, static_cast<std::uint8_t>(level));
}

void Collisions::take_levels(std::span<const std::uint8_t> of_nodes, int finest)
{
  levels_.take(list(), of_nodes, finest);
  list_changed_ = false;
  if (overlapping_.size() > 0) group_by_level();
}

void Collisions::exchange_trial(int level, std::span<const Row4> p, std::span<const Row4> v)
{
  levels_.exchange(level, p, v, p_, v_);
}

void Collisions::find_overlaps(std::span<const Row4> p, std::span<const Row4> v)
{
  overlapping_.clear(), found_.clear();
  gather(p, v);
  gather_corners();
  forget_sides();
  find_overlaps_of_touching();
  find_overlaps_of_others();
  const ProcessorStopwatch watch(spent_.touching);
  group_by_level();
}

/// Of the pairs that overlapped before. Those that do not any more are parted_.
void Collisions::find_overlaps_of_touching()
{
  const ProcessorStopwatch watch(spent_.touching);
  parted_.clear();
  std::vector<TouchingPair>& touching = list().touching;
  std::size_t left = 0;
  for (TouchingPair& t : touching)
    if (!known_apart(t.pair) && overlaps(t))
      touching[left++] = t;
    else
      parted_.push_back(t.pair);
  touching.resize(left);
}

/// Of the pairs that did not overlap before: nearly all, and nearly none does now. What the next ones need is fetched
/// meanwhile, since memory would be waited for longer than a pair takes.
void Collisions::find_overlaps_of_others()
{
  constexpr std::size_t ahead = 12;
  const ProcessorStopwatch watch(spent_.listed);
  PairList& now = list();
  const auto prefetch = [this](int element) {
    const geometry::Corners& corners = corners_[at(element)];
    __builtin_prefetch(&corners.x), __builtin_prefetch(&corners.z);
  };
  std::size_t next = ahead;
  now.move_to_touching(0, [&](ListedPair& pair, TouchingPair& touching) {
    if (next < now.pairs.size()) prefetch(now.pairs[next].a), prefetch(now.pairs[next].b);
    ++next;
    if (known_apart(pair)) return false;
    touching.pair = pair, touching.overlap = 0, touching.initial_overlap = 0;
    const bool touches = overlaps(touching);
    pair = touching.pair;
    return touches;
  });
  now.make_room(parted_.size());
  now.pairs.insert(now.pairs.end(), parted_.begin(), parted_.end());
  now.first_new_pair = now.pairs.size();
}

OverlappingPairs::Nodes Collisions::nodes()
{
  return {list().nodes, p_, v_};
}

double Collisions::add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  if (overlapping_.size() == 0) return 0;
  const ProcessorStopwatch watch(spent_.touching);
  return overlapping_.add_forces(p, v, nodes(), f);
}

void Collisions::add_trial_forces(int level, std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  if (overlapping_.size() == 0) return;
  const ProcessorStopwatch watch(spent_.touching);
  overlapping_.add_trial_forces(level, p, v, nodes(), f);
}

double Collisions::power(std::span<const Row4> v)
{
  return overlapping_.power(v, nodes());
}

}  // namespace sunder::contact
