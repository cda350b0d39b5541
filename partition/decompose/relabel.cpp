#include "partition/decompose/relabel.hpp"

#include "core/bytes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sunder::partition {
namespace {

constexpr Rank nobody = -1;

/// Collective. One value to each of some ranks.
template <class T>
std::map<Rank, T> swapped(const Comm& comm, const std::map<Rank, T>& values)
{
  std::map<Rank, Bytes> to;
  for (const auto& [rank, value] : values) put(to[rank], value);
  std::map<Rank, T> came;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    came.emplace(message.peer, ByteReader(message.bytes).get<T>());
  return came;
}

/// Matches parts and ranks. This rank has two roles: it gets a part, and it decides for the part with its own number.
class Match {
public:
  /// Collective. mine: weight of each part on this rank.
  Match(const Comm& comm, const std::map<Rank, double>& mine) : comm_(comm)
  {
    for (const auto& [rank, weight] : swapped(comm, mine)) owners_.emplace_back(weight, rank);
    std::sort(owners_.begin(), owners_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  }

  /// Collective. Each part without a rank asks the rank that has most of it, of those that have not refused it. Each
  /// rank without a part takes the heaviest part that asks.
  void propose()
  {
    std::map<Rank, double> proposals;
    if (rank_ == nobody && next_ < owners_.size()) proposals[owners_[next_].second] = owners_[next_].first;
    const auto asked = swapped(comm_, proposals);
    Rank best = nobody;
    for (const auto& [part, weight] : asked)
      if (best == nobody || weight > asked.at(best)) best = part;
    std::map<Rank, char> answers;
    for (const auto& [part, weight] : asked) answers[part] = !taken_ && part == best;
    taken_ |= !asked.empty();
    for (const auto& [rank, accepted] : swapped(comm_, answers)) {
      if (accepted) rank_ = rank;
      ++next_;
    }
  }

  /// Collective. Gives the k-th part left over to the k-th rank left over; rank k tells both.
  void match_rest()
  {
    const bool part_left = rank_ == nobody, rank_left = !taken_;
    const auto part_turn = static_cast<Rank>(comm_.sum_before(std::int64_t{part_left}));
    const auto rank_turn = static_cast<Rank>(comm_.sum_before(std::int64_t{rank_left}));
    const auto part = swapped(comm_, part_left ? std::map<Rank, char>{{part_turn, 1}} : std::map<Rank, char>{});
    const auto rank = swapped(comm_, rank_left ? std::map<Rank, char>{{rank_turn, 1}} : std::map<Rank, char>{});
    std::map<Rank, Rank> found;
    if (!part.empty()) found[part.begin()->first] = rank.begin()->first;  // as many parts as ranks are left
    for (const auto& [from, to] : swapped(comm_, found)) rank_ = to;
  }

  /// Collective. For each part that this rank has some of, the rank it goes to.
  std::map<Rank, Rank> told() const
  {
    std::map<Rank, Rank> to;
    for (const auto& [weight, rank] : owners_) to[rank] = rank_;
    return swapped(comm_, to);
  }

private:
  const Comm& comm_;
  std::vector<std::pair<double, Rank>> owners_;  // ranks with some of this part, greatest weight first
  std::size_t next_ = 0;                         // the next of owners_ to ask
  Rank rank_ = nobody;                           // the rank that gets this part
  bool taken_ = false;                           // this rank has got a part
};

}  // namespace

std::vector<Rank> keep_in_place(const Comm& comm, std::span<const Rank> parts, std::span<const double> weights)
{
  std::map<Rank, double> mine;
  for (std::size_t k = 0; k < parts.size(); ++k) mine[parts[k]] += weights[k];
  Match match(comm, mine);
  constexpr int iterations = 4;  // few parts are left over then; match_rest() places them
  for (int iteration = 0; iteration < iterations; ++iteration) match.propose();
  match.match_rest();
  const auto rank_of = match.told();
  std::vector<Rank> ranks;
  ranks.reserve(parts.size());
  for (const Rank part : parts) ranks.push_back(rank_of.at(part));
  return ranks;
}

}  // namespace sunder::partition
