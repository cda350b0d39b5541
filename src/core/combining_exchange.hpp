#pragma once
/// Questions about keys. The home rank of a key answers them. Many ranks may ask about the same key.

#include "core/bytes.hpp"
#include "core/comm.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

namespace sunder {

/// One exchange of questions and answers. A question travels to the home of its key in hops of 1, 2, 4 ... ranks.
/// Questions about one key that meet on the way are combined into one. Answers return along the same hops. So each rank
/// sends 2 ceil(log2 P) messages an exchange, whoever asks whom; and even if all ranks ask about one key, its home
/// receives no more questions about it than there are hops. Hops: Bruck et al. (1997); combining: Gottlieb et al., The
/// NYU Ultracomputer (1983).
///
///   example   ranks 0 ... 3, all ask about a key of rank 3. First hop, by one: 0 tells 1, and 2 tells 3. Second, by
///             two: 1 tells 3, once, for 0 and itself.
///
/// @tparam Question  trivially copyable, with an ordered `key` and combine(const Question&), in any order to the same
///                   result
/// @tparam Answer    trivially copyable
template <class Question, class Answer>
class CombiningExchange {
public:
  using Key = decltype(Question::key);

  /// Collective on comm.
  /// @param mine  at most one question a key, in any order
  /// @param home  Rank home(Key), the same on every rank
  /// @param flag  any_flag() tells all ranks whether one of them was set
  template <class Home>
  CombiningExchange(const Comm& comm, std::vector<Question> mine, const Home& home, bool flag = false);

  std::span<const Question> at_home() const noexcept { return held_; }  ///< Local. Questions for this rank, by key.
  bool any_flag() const noexcept { return flag_; }                      ///< Local. Did any rank set its flag?

  /// Collective on comm. answers: one for each of at_home(). Returns the answers to this rank's questions; answers to
  /// other questions may be among them.
  std::map<Key, Answer> answer(std::span<const Answer> answers) const;

private:
  struct Hop {
    Rank distance = 0;
    std::vector<Key> sent, received;
  };
  std::vector<Question> leave(const std::vector<Question>& leaving, Hop& hop);
  void merge(const std::vector<Question>& arrived);

  Comm comm_;
  bool flag_;
  std::vector<Question> held_;  // keys ascending
  std::vector<Hop> hops_;
};

template <class Question, class Answer>
template <class Home>
CombiningExchange<Question, Answer>::CombiningExchange(const Comm& comm, std::vector<Question> mine, const Home& home,
                                                       bool flag)
  : comm_(comm), flag_(flag), held_(std::move(mine))
{
  std::sort(held_.begin(), held_.end(), [](const Question& a, const Question& b) { return a.key < b.key; });
  for (std::int64_t distance = 1; distance < comm.size(); distance *= 2) {
    // What is left to go is a multiple of the distance: the sum of the hops yet to come.
    const auto stays = [&](const Question& q) {
      return (((home(q.key) - comm.rank() + comm.size()) % comm.size()) & distance) == 0;
    };
    const auto leaving = std::stable_partition(held_.begin(), held_.end(), stays);
    Hop& hop = hops_.emplace_back();
    hop.distance = static_cast<Rank>(distance);
    const std::vector<Question> arrived = leave({leaving, held_.end()}, hop);
    held_.erase(leaving, held_.end());
    merge(arrived);
  }
}

/// What came in exchange.
template <class Question, class Answer>
std::vector<Question> CombiningExchange<Question, Answer>::leave(const std::vector<Question>& leaving, Hop& hop)
{
  Bytes out;
  put(out, flag_), put(out, leaving);
  const Bytes message = shift(comm_, hop.distance, out);
  ByteReader in(message);
  flag_ |= in.get<bool>();
  auto arrived = in.get_vector<Question>();
  for (const Question& q : leaving) hop.sent.push_back(q.key);
  for (const Question& q : arrived) hop.received.push_back(q.key);
  return arrived;
}

template <class Question, class Answer>
void CombiningExchange<Question, Answer>::merge(const std::vector<Question>& arrived)
{
  std::vector<Question> all;
  all.reserve(held_.size() + arrived.size());
  std::merge(held_.begin(), held_.end(), arrived.begin(), arrived.end(), std::back_inserter(all),
             [](const Question& a, const Question& b) { return a.key < b.key; });
  held_.clear();
  for (const Question& q : all)
    if (!held_.empty() && held_.back().key == q.key)
      held_.back().combine(q);
    else
      held_.push_back(q);
}

template <class Question, class Answer>
std::map<typename CombiningExchange<Question, Answer>::Key, Answer> CombiningExchange<Question, Answer>::answer(
    std::span<const Answer> answers) const
{
  SUNDER_ASSERT(answers.size() == held_.size());
  std::map<Key, Answer> known;
  for (std::size_t k = 0; k < held_.size(); ++k) known.emplace_hint(known.end(), held_[k].key, answers[k]);
  for (auto hop = hops_.rbegin(); hop != hops_.rend(); ++hop) {
    std::vector<Answer> told;
    for (const Key& key : hop->received) told.push_back(known.at(key));
    Bytes out;
    put(out, told);
    const Bytes message = shift(comm_, -hop->distance, out);
    ByteReader in(message);
    const auto heard = in.get_vector<Answer>();
    SUNDER_ASSERT(heard.size() == hop->sent.size());
    for (std::size_t k = 0; k < heard.size(); ++k) known.emplace(hop->sent[k], heard[k]);
  }
  return known;
}

}  // namespace sunder
