#include "core/combining_exchange.hpp"

#include "core/hash.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

/// How many ranks ask about a key, and the greatest of them.
struct Question {
  std::uint64_t key;
  std::int64_t askers;
  Rank greatest;
  void combine(const Question& other) { askers += other.askers, greatest = std::max(greatest, other.greatest); }
};
struct Answer {
  std::int64_t askers;
  Rank greatest, home;
};

bool asks(Rank rank, std::uint64_t key, std::uint64_t one_in)
{
  return combine(combine(3, key), static_cast<std::uint64_t>(rank)) % one_in == 0;
}

}  // namespace

TEST_CASE("each question reaches its home once, and the answer all who asked", "[combining][parallel]")
{
  const Comm comm;
  const std::uint64_t keys = GENERATE(0u, 1u, 300u), one_in = GENERATE(1u, 4u, 100u);
  const bool one_home = GENERATE(false, true);
  CAPTURE(keys, one_in, one_home);
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const auto home = [&](std::uint64_t key) { return static_cast<Rank>(one_home ? ranks - 1 : mix(key) % ranks); };
  std::vector<Question> mine;
  for (std::uint64_t key = keys; key-- > 0;)
    if (asks(comm.rank(), key, one_in)) mine.push_back({key, 1, comm.rank()});

  const CombiningExchange<Question, Answer> exchange(comm, mine, home, comm.rank() == 1);
  CHECK(exchange.any_flag() == (comm.size() > 1));
  std::vector<Answer> answers;
  std::uint64_t last = 0;
  for (const Question& q : exchange.at_home()) {
    CHECK(home(q.key) == comm.rank());
    CHECK((answers.empty() || q.key > last));
    last = q.key;
    answers.push_back({q.askers, q.greatest, comm.rank()});
  }
  const auto known = exchange.answer(answers);
  for (const Question& q : mine) {
    std::int64_t askers = 0;
    Rank greatest = -1;
    for (Rank r = 0; r < comm.size(); ++r)
      if (asks(r, q.key, one_in)) ++askers, greatest = r;
    const Answer& answer = known.at(q.key);
    CHECK(answer.askers == askers);
    CHECK(answer.greatest == greatest);
    CHECK(answer.home == home(q.key));
  }
}

TEST_CASE("a flag that nobody raises stays down", "[combining][parallel]")
{
  const Comm comm;
  const auto home = [](std::uint64_t) { return 0; };
  CHECK(!CombiningExchange<Question, Answer>(comm, {}, home).any_flag());
  for (Rank r = 0; r < comm.size(); ++r)
    CHECK(CombiningExchange<Question, Answer>(comm, {}, home, r == comm.rank()).any_flag());
}
