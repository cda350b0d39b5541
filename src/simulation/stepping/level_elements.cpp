#include "simulation/stepping/level_elements.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace sunder::simulation {
namespace {

constexpr std::size_t most = 128, few = 32;  // elements of a page; below that it takes those of the next one

/// The part below a limit, which is taken off the front.
std::span<const LocalIndex> take_below(std::span<const LocalIndex>& ascending, LocalIndex limit)
{
  const auto count = static_cast<std::size_t>(std::ranges::lower_bound(ascending, limit) - ascending.begin());
  const auto front = ascending.first(count);
  ascending = ascending.subspan(count);
  return front;
}

LevelElements::Page page_with(const element::Model& model, std::span<const LocalIndex> elements)
{
  LevelElements::Page page{{elements.begin(), elements.end()}, element::ElementBlocks(model.blocks.plastic()), {}, 0};
  page.blocks.resize(static_cast<LocalIndex>(elements.size()));
  for (LocalIndex i = 0; i < page.blocks.size(); ++i) {
    const LocalIndex e = page.elements[at(i)];
    const bool primary = model.mesh.primary(e);
    page.blocks.set(i, model.mesh.tet(e), model.mesh.corners(e), model.mesh.material(e), model.blocks.viscosity(e),
                    primary);
    page.counted += primary;
  }
  page.strains.resize(page.blocks.plastic_blocks().size());
  return page;
}

}  // namespace

/// The page that e belongs to: the last one that begins at e or before it.
std::size_t LevelElements::page_of(LocalIndex e) const
{
  const auto begins_after = [](LocalIndex value, const Page& page) { return value < page.elements.front(); };
  const auto after = std::upper_bound(pages_.begin(), pages_.end(), e, begins_after) - pages_.begin();
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0));
}

void LevelElements::update(const element::Model& model, std::span<const LocalIndex> leave,
                           std::span<const LocalIndex> come)
{
  constexpr LocalIndex last = std::numeric_limits<LocalIndex>::max();
  while (!leave.empty() || !come.empty()) {
    const std::size_t k = page_of(std::min(leave.empty() ? last : leave.front(), come.empty() ? last : come.front()));
    const LocalIndex limit = k + 1 < pages_.size() ? pages_[k + 1].elements.front() : last;
    const auto off = take_below(leave, limit), on = take_below(come, limit);
    std::vector<LocalIndex> stay, elements;
    if (k < pages_.size()) std::ranges::set_difference(pages_[k].elements, off, std::back_inserter(stay));
    std::ranges::set_union(stay, on, std::back_inserter(elements));
    renew(model, k, std::move(elements));
  }
}

/// In place of page k come as many as the elements fill.
void LevelElements::renew(const element::Model& model, std::size_t k, std::vector<LocalIndex> elements)
{
  const auto drop = [&] {
    size_ -= std::ssize(pages_[k].elements), counted_ -= pages_[k].counted;
    pages_.erase(pages_.begin() + static_cast<std::ptrdiff_t>(k));
  };
  if (k < pages_.size()) drop();
  if (elements.size() < few && k < pages_.size()) {
    elements.insert(elements.end(), pages_[k].elements.begin(), pages_[k].elements.end());
    drop();
  }
  const std::size_t count = elements.size(), parts = (count + most - 1) / most;
  size_ += std::ssize(elements);
  std::vector<Page> fresh;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = count * part / parts, end = count * (part + 1) / parts;
    fresh.push_back(page_with(model, std::span(elements).subspan(begin, end - begin)));
    counted_ += fresh.back().counted;
  }
  pages_.insert(pages_.begin() + static_cast<std::ptrdiff_t>(k), std::make_move_iterator(fresh.begin()),
                std::make_move_iterator(fresh.end()));
}

}  // namespace sunder::simulation
