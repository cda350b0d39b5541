#include "mesh/stars.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace sunder::mesh {

Stars::Stars(std::span<const Tet> tets, LocalIndex num_nodes) : ranges_(static_cast<std::size_t>(num_nodes))
{
  for (const Tet& tet : tets)
    for (const LocalIndex n : tet) ++ranges_[static_cast<std::size_t>(n)].capacity;
  std::uint64_t total = 0;
  for (Range& s : ranges_) s.begin = total, total += s.capacity;
  pool_.reserve(2 * total);  // room to grow, as in TetMesh
  pool_.resize(total);
  for (std::size_t e = 0; e < tets.size(); ++e)
    for (const LocalIndex n : tets[e]) {
      Range& s = ranges_[static_cast<std::size_t>(n)];
      pool_[s.begin + s.size++] = static_cast<LocalIndex>(e);
    }
}

void Stars::add_node()
{
  ranges_.emplace_back();
}

void Stars::reserve(Range& range, std::uint32_t capacity)
{
  if (capacity <= range.capacity) return;
  const std::uint64_t begin = pool_.size();
  pool_.resize(begin + capacity);
  std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size,
              pool_.begin() + static_cast<std::ptrdiff_t>(begin));
  wasted_ += range.capacity;
  range.begin = begin, range.capacity = capacity;
}

void Stars::append(LocalIndex node, LocalIndex element)
{
  if (wasted_ > pool_.size() / 2 && wasted_ > 1024) pack();
  Range& s = ranges_[static_cast<std::size_t>(node)];
  SUNDER_ASSERT(s.size == 0 || pool_[s.begin + s.size - 1] < element);
  if (s.size == s.capacity) reserve(s, std::max(8u, 2 * s.capacity));
  pool_[s.begin + s.size++] = element;
}

void Stars::remove(LocalIndex node, LocalIndex element)
{
  Range& s = ranges_[static_cast<std::size_t>(node)];
  const auto first = pool_.begin() + static_cast<std::ptrdiff_t>(s.begin), last = first + s.size;
  const auto at = std::lower_bound(first, last, element);
  SUNDER_ASSERT(at != last && *at == element);
  std::copy(at + 1, last, at);
  --s.size;
}

void Stars::assign(LocalIndex node, std::span<const LocalIndex> elements)
{
  SUNDER_ASSERT(std::is_sorted(elements.begin(), elements.end()));
  const std::vector<LocalIndex> copy(elements.begin(), elements.end());  // the span may look into the pool
  Range& s = ranges_[static_cast<std::size_t>(node)];
  reserve(s, static_cast<std::uint32_t>(copy.size()));
  s.size = static_cast<std::uint32_t>(copy.size());
  std::copy(copy.begin(), copy.end(), pool_.begin() + static_cast<std::ptrdiff_t>(s.begin));
}

void Stars::pack()
{
  std::vector<LocalIndex> packed;
  packed.reserve(pool_.size() - wasted_);
  for (Range& s : ranges_) {
    const auto first = pool_.begin() + static_cast<std::ptrdiff_t>(s.begin);
    s.begin = packed.size();
    packed.insert(packed.end(), first, first + s.size);
    s.capacity = s.size;
  }
  pool_ = std::move(packed);
  wasted_ = 0;
}

}  // namespace sunder::mesh
