/// Of Collisions, what is done with the pairs of the list: overlaps, what pairs remember and cost, levels, forces.

#include "contact/collisions.hpp"
#include "contact/narrow_phase/node_penetration.hpp"
#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "geometry/corners.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace sunder::contact {

std::vector<partition::PairRecord> Collisions::memory() const
{
  std::vector<partition::PairRecord> memory;
  for (const auto& [ids, k] : touching_) {
    const ListedPair& pair = list().pairs[at(k)];
    const ListedElement &a = first(pair), &b = second(pair);
    if (a.slot >= 0) memory.push_back({a.id, b.id, pair.overlap, pair.initial_overlap});
    if (b.slot >= 0) memory.push_back({b.id, a.id, pair.overlap, pair.initial_overlap});
  }
  std::sort(memory.begin(), memory.end(), [](const partition::PairRecord& x, const partition::PairRecord& y) {
    return std::pair(x.element, x.other) < std::pair(y.element, y.other);
  });
  return memory;
}

void Collisions::restore(std::span<const partition::PairRecord> memory)
{
  std::map<std::pair<ElementId, ElementId>, const partition::PairRecord*> known;
  for (const auto& record : memory) known[std::minmax(record.element, record.other)] = &record;
  for (ListedPair& pair : list().pairs) {
    const auto at = known.find({first(pair).id, second(pair).id});
    if (at != known.end()) pair.overlap = at->second->overlap, pair.initial_overlap = at->second->initial_overlap;
  }
  find_touching();
}

/// Where the list is new, or what its pairs remember.
void Collisions::find_touching()
{
  touching_.clear();
  const PairList& now = list();
  for (std::size_t k = 0; k < now.pairs.size(); ++k)
    if (now.pairs[k].overlap != 0) touching_.emplace_back(now.ids(now.pairs[k]), static_cast<int>(k));
  std::sort(touching_.begin(), touching_.end());
}

/// Where the list has been mended: what is left of them keeps its order.
void Collisions::mend_touching()
{
  const PairList& now = list();
  std::erase_if(touching_, [&now](const auto& touching) {
    const ListedPair& pair = now.pairs[at(touching.second)];
    return pair.a < 0 || pair.overlap == 0 || now.ids(pair) != touching.first;
  });
  const std::ptrdiff_t kept = std::ssize(touching_);
  for (const int k : now.new_pairs)
    if (const ListedPair& pair = now.pairs[at(k)]; pair.overlap != 0) touching_.emplace_back(now.ids(pair), k);
  std::sort(touching_.begin() + kept, touching_.end());
  std::inplace_merge(touching_.begin(), touching_.begin() + kept, touching_.end());
  touching_.erase(std::unique(touching_.begin(), touching_.end()), touching_.end());  // gone and back in its place
  SUNDER_ASSERT(std::ranges::count_if(now.pairs, [](const ListedPair& pair) {
                  return pair.a >= 0 && pair.overlap != 0;
                }) == std::ssize(touching_));
}

Collisions::PairWork Collisions::work() const
{
  double updates = 0;
  for (const ListedPair& pair : list().pairs) updates += pair.times_overlapping;
  return {spent_.listed, static_cast<double>(num_listed()), spent_.touching, updates};
}

void Collisions::add_costs(const PairCosts& of_pairs, std::span<double> costs) const
{
  for (const ListedPair& pair : list().pairs) {
    if (pair.a < 0) continue;
    for (const ListedElement* element : {&first(pair), &second(pair)})
      if (element->slot >= 0)
        costs[static_cast<std::size_t>(element->slot)] +=
            (of_pairs.listed + of_pairs.touching * pair.times_overlapping) / 2;
  }
}

std::size_t Collisions::num_listed() const noexcept
{
  return static_cast<std::size_t>(
      std::ranges::count_if(list().pairs, [](const ListedPair& pair) { return pair.a >= 0; }));
}

void Collisions::reset_costs()
{
  spent_ = {};
  for (ListedPair& pair : list().pairs) pair.times_overlapping = 0;
}

void Collisions::gather(std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < list().nodes.size(); ++k)
    if (const LocalIndex n = list().nodes[k]; n >= 0) p_[k] = p[at(n)], v_[k] = v[at(n)];
}

void Collisions::forget_sides()
{
  for (const int element : with_side_) side_of_[at(element)] = -1;
  with_side_.clear(), sides_.clear();
}

/// Its position in sides_.
std::size_t Collisions::side(int element)
{
  int& position = side_of_[at(element)];
  if (position >= 0) return at(position);
  const ListedElement& e = list().elements[at(element)];
  position = static_cast<int>(sides_.size());
  sides_.emplace_back(geometry::corners_of(e.nodes, p_), e.free);
  with_side_.push_back(element);
  return at(position);
}

ElementOverlap Collisions::overlap_of(const ListedPair& pair)
{
  const std::size_t of_a = side(pair.a), of_b = side(pair.b);
  const Side &a = sides_[of_a], &b = sides_[of_b];
  return criterion_ == ContactCriterion::nodes ? overlap_by_nodes(a, b) : overlap_of_elements(a, b);
}

/// Tries the remembered plane first: the same plane keeps most pairs apart for long. The gap must be far wider than
/// round-off, so overlap_of() would find no overlap either. It therefore changes no bit which plane a rank remembers.
ElementOverlap Collisions::measure_overlap(ListedPair& pair)
{
  const auto &of_a = first(pair).nodes, &of_b = second(pair).nodes;
  if (pair.plane.separates(of_a, of_b, p_, list().least_gap())) return {};
  const ElementOverlap overlap = overlap_of(pair);
  if (overlap.volume != 0) return overlap;
  pair.search_plane(geometry::corners_of(of_a, p_), geometry::corners_of(of_b, p_), 2 * list().least_gap());
  return overlap;
}

double Collisions::stiffness(const ListedElement& a, const ListedElement& b) const
{
  return response_.stiffness > 0 ? response_.stiffness : 1 / (a.compliance + b.compliance);
}

/// Of a listed pair. Notes it if the two overlap.
void Collisions::find_overlap(int k)
{
  ListedPair& pair = list().pairs[at(k)];
  const ElementOverlap overlap =
      held_by_links(pair.common_corners, first(pair), second(pair), p_) ? ElementOverlap{} : measure_overlap(pair);
  if (criterion_ == ContactCriterion::overlap)
    pair.initial_overlap = pair.overlap == 0 ? overlap.volume : std::min(pair.initial_overlap, overlap.volume);
  pair.overlap = overlap.volume;
  if (pair.overlap == 0) return;
  order_.emplace_back(list().ids(pair), found_.size());
  found_.push_back({k, overlap});
  pair.times_overlapping += pair.times_overlapping < std::numeric_limits<std::uint16_t>::max();
}

void Collisions::add_overlapping(const FoundOverlap& found, std::uint8_t level)
{
  const ListedPair& pair = list().pairs[at(found.pair)];
  const ListedElement &a = first(pair), &b = second(pair);
  overlapping_.add({found.overlap, stiffness(a, b), pair.initial_overlap, a.nodes, b.nodes, a.primary, level},
                   list().nodes);
}

/// In the order of levels, and in that of ids at each.
void Collisions::group_by_level()
{
  overlapping_.clear();
  const int finest = levels_.finest();
  for (int level = 0; level <= finest; ++level)
    for (const auto& [ids, place] : order_)
      if (finest == 0 || levels_.of(list(), list().pairs[at(found_[place].pair)]) == level)
        add_overlapping(found_[place], static_cast<std::uint8_t>(level));
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
  overlapping_.clear();
  gather(p, v);
  forget_sides();
  found_.clear(), order_.clear();
  {
    const ProcessorStopwatch watch(spent_.touching);
    for (const auto& [ids, k] : touching_) find_overlap(k);
  }
  const std::ptrdiff_t sorted = std::ssize(order_);
  find_overlaps_of_others();
  std::sort(order_.begin() + sorted, order_.end());
  std::inplace_merge(order_.begin(), order_.begin() + sorted, order_.end());
  const ProcessorStopwatch watch(spent_.touching);
  touching_.clear();
  for (const auto& [ids, place] : order_) touching_.emplace_back(ids, found_[place].pair);
  group_by_level();
}

/// Of the pairs that did not overlap before: nearly all, and nearly none does now. What the next ones need is fetched
/// meanwhile, since memory would be waited for longer than a pair takes.
void Collisions::find_overlaps_of_others()
{
  constexpr std::size_t elements_ahead = 16, nodes_ahead = 8;
  const ProcessorStopwatch watch(spent_.listed);
  const std::vector<ListedPair>& pairs = list().pairs;
  const auto visit_elements = [&](std::size_t k, const auto& visit) {
    if (k < pairs.size() && pairs[k].a >= 0) visit(first(pairs[k])), visit(second(pairs[k]));
  };
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    visit_elements(k + elements_ahead, [](const ListedElement& e) { __builtin_prefetch(&e); });
    visit_elements(k + nodes_ahead, [this](const ListedElement& e) {
      for (const int n : e.nodes) __builtin_prefetch(&p_[at(n)]);
    });
    if (pairs[k].a >= 0 && pairs[k].overlap == 0) find_overlap(static_cast<int>(k));
  }
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
