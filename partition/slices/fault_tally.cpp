#include "partition/slices/fault_tally.hpp"

#include "partition/across_ranks/tree.hpp"

#include <algorithm>
#include <tuple>

namespace sunder::partition {
namespace {

std::size_t named(const FaultTally& t)
{
  return static_cast<std::size_t>(std::min<std::uint64_t>(t.count, mesh::named_at_most));
}

/// Keeps those that come first in the file.
void add(FaultTally& sum, const FaultTally& more)
{
  std::array<std::pair<std::uint64_t, std::uint64_t>, 2 * mesh::named_at_most> all;
  std::size_t n = 0;
  for (const FaultTally* tally : {static_cast<const FaultTally*>(&sum), &more})
    for (std::size_t k = 0; k < named(*tally); ++k) all[n++] = {tally->positions[k], tally->labels[k]};
  std::sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
  sum.count += more.count;
  for (std::size_t k = 0; k < named(sum); ++k) std::tie(sum.positions[k], sum.labels[k]) = all[k];
}

std::vector<FaultTally> added(std::vector<FaultTally> sums, const std::vector<FaultTally>& more)
{
  const auto kind = [](const FaultTally& t) { return std::pair(t.body, t.fault); };
  for (const FaultTally& tally : more) {
    const auto at = std::lower_bound(sums.begin(), sums.end(), tally,
                                     [&](const auto& a, const auto& b) { return kind(a) < kind(b); });
    if (at != sums.end() && kind(*at) == kind(tally))
      add(*at, tally);
    else
      sums.insert(at, tally);
  }
  return sums;
}

}  // namespace

std::string FaultTally::text() const
{
  return mesh::text_of(fault, std::span(labels).first(named(*this)), count);
}

std::vector<FaultTally> tally(const Comm& comm, const std::vector<Finding>& findings)
{
  std::vector<FaultTally> mine;
  for (const Finding& f : findings) mine = added(std::move(mine), {{f.fault, f.body, 1, {f.position}, {f.label}}});
  return merged(comm, std::move(mine), added);
}

}  // namespace sunder::partition
