#include "element/links.hpp"

#include "core/sort_unique.hpp"

#include <algorithm>
#include <utility>

namespace sunder::element {

std::vector<std::size_t> Links::of(LocalIndex n) const
{
  std::vector<std::size_t> found;
  if (static_cast<std::size_t>(n) >= first_.size()) return found;
  for (LocalIndex k = first_[static_cast<std::size_t>(n)]; k != none; k = next_[found.back()][side_of(n, found.back())])
    found.push_back(static_cast<std::size_t>(k));
  std::sort(found.begin(), found.end());
  return found;
}

void Links::add(const ModelLink& link)
{
  links_.push_back(link);
  next_.emplace_back();
  for (const Side side : {plus, minus}) join(links_.size() - 1, side);
}

void Links::give_to(LocalIndex other, LocalIndex n, std::size_t k)
{
  const Side side = side_of(n, k);
  leave(k, side);
  (side == plus ? links_[k].plus : links_[k].minus) = other;
  join(k, side);
  if (k < num_in_order_) moved_.push_back(k);
}

void Links::sort(const mesh::TetMesh& mesh)
{
  if (in_order()) return;
  sort_unique(moved_);
  const auto stays = [this](std::size_t k) {
    return k < num_in_order_ && !std::binary_search(moved_.begin(), moved_.end(), k);
  };
  std::vector<ModelLink> sorted, strays;
  for (std::size_t k = 0; k < links_.size(); ++k) (stays(k) ? sorted : strays).push_back(links_[k]);
  const auto before = [&mesh](const ModelLink& a, const ModelLink& b) {
    const auto ids = [&mesh](const ModelLink& l) { return std::pair(mesh.node(l.plus).id, mesh.node(l.minus).id); };
    return ids(a) < ids(b);
  };
  std::sort(strays.begin(), strays.end(), before);
  links_.clear();
  auto rest = sorted.begin();  // few strays: the place of each is searched for
  for (const ModelLink& stray : strays) {
    const auto place = std::lower_bound(rest, sorted.end(), stray, before);
    links_.insert(links_.end(), rest, place);
    links_.push_back(stray);
    rest = place;
  }
  links_.insert(links_.end(), rest, sorted.end());
  num_in_order_ = links_.size();
  moved_.clear();
  make_index();
}

void Links::join(std::size_t k, Side side)
{
  const LocalIndex n = node(k, side);
  if (static_cast<std::size_t>(n) >= first_.size()) first_.resize(static_cast<std::size_t>(n) + 1, none);
  next_[k][side] = std::exchange(first_of(n), static_cast<LocalIndex>(k));
}

void Links::leave(std::size_t k, Side side)
{
  const LocalIndex n = node(k, side);
  LocalIndex* to = &first_of(n);
  while (*to != static_cast<LocalIndex>(k)) {
    const auto other = static_cast<std::size_t>(*to);
    to = &next_[other][side_of(n, other)];
  }
  *to = next_[k][side];
}

void Links::make_index()
{
  std::fill(first_.begin(), first_.end(), none);
  next_.resize(links_.size());
  for (std::size_t k = 0; k < links_.size(); ++k)
    for (const Side side : {plus, minus}) join(k, side);
}

}  // namespace sunder::element
