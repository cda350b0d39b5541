#include "core/comm.hpp"

#include "core/bytes.hpp"
#include "core/hash.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <numeric>
#include <thread>

using namespace sunder;

namespace {

/// What `from` tells `to` in call number k: so many numbers that only it knows; often nothing.
std::vector<std::uint64_t> told(Rank from, Rank to, std::uint64_t call, std::size_t most)
{
  const std::uint64_t seed = combine(combine(call, static_cast<std::uint64_t>(from)), static_cast<std::uint64_t>(to));
  std::vector<std::uint64_t> words(seed % 3 == 0 ? 0 : seed / 3 % most);
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = combine(seed, std::uint64_t{k});
  return words;
}

Bytes packed(const std::vector<std::uint64_t>& words)
{
  Bytes bytes;
  put(bytes, words);
  return bytes;
}

/// Both ways: ranks whose sum is a multiple of `sparseness` talk to each other. Of oneself too, if it is.
std::vector<Rank> peers_of(const Comm& comm, Rank sparseness)
{
  std::vector<Rank> peers;
  for (Rank r = 0; r < comm.size(); ++r)
    if ((r + comm.rank()) % sparseness == 0) peers.push_back(r);
  return peers;
}

/// One rank after the other lets those that are early go ahead.
void come_late(const Comm& comm, std::uint64_t call)
{
  if (static_cast<Rank>(call % static_cast<std::uint64_t>(comm.size())) == comm.rank())
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// Of a sparse exchange: does `from` write to `to` at all?
bool writes(Rank from, Rank to, std::uint64_t call)
{
  return combine(combine(call, static_cast<std::uint64_t>(to)), static_cast<std::uint64_t>(from)) % 4 == 0;
}

/// Collective. One sparse exchange with messages of up to so many words; checks all that came.
void exchange_sparsely(const Comm& comm, std::uint64_t call, std::size_t most)
{
  std::vector<Message> out;
  for (Rank r = 0; r < comm.size(); ++r)
    if (writes(comm.rank(), r, call)) out.push_back({r, packed(told(comm.rank(), r, call, most))});
  const auto in = sparse_exchange(comm, out);
  auto next = in.begin();
  for (Rank r = 0; r < comm.size(); ++r) {
    if (!writes(r, comm.rank(), call)) continue;
    REQUIRE(next != in.end());
    REQUIRE(next->peer == r);
    REQUIRE(next->bytes == packed(told(r, comm.rank(), call, most)));
    ++next;
  }
  REQUIRE(next == in.end());
}

}  // namespace

TEST_CASE("peers get what each sent them, call after call", "[comm][parallel]")
{
  const Comm comm;
  const Rank sparseness = GENERATE(1, 2, 5);
  const auto peers = peers_of(comm, sparseness);
  for (std::uint64_t call = 0; call < 200; ++call) {  // back to back: no message may be taken for the next call's
    std::vector<Bytes> out;
    for (const Rank r : peers) out.push_back(packed(told(comm.rank(), r, call, 50)));
    const auto in = exchange(comm, peers, out);
    REQUIRE(in.size() == peers.size());
    for (std::size_t k = 0; k < peers.size(); ++k) REQUIRE(in[k] == packed(told(peers[k], comm.rank(), call, 50)));
  }
  CHECK(exchange(comm, {}, {}).empty());
}

TEST_CASE("exchanges with other peers each time, or with none, do not mix while one rank comes late",
          "[comm][parallel]")
{
  const Comm comm;
  bool alone = false;
  for (std::uint64_t call = 0; call < 60; ++call) {
    std::vector<Rank> peers;
    for (Rank r = 0; r < comm.size(); ++r) {  // the same answer on both
      const auto low = static_cast<std::uint64_t>(std::min(r, comm.rank()));
      const auto high = static_cast<std::uint64_t>(std::max(r, comm.rank()));
      if (combine(combine(call, low), high) % 3 == 0) peers.push_back(r);
    }
    alone = alone || peers.empty();
    come_late(comm, call);
    std::vector<Bytes> out;
    for (const Rank r : peers) out.push_back(packed(told(comm.rank(), r, call, 50)));
    const auto in = exchange(comm, peers, out);
    for (std::size_t k = 0; k < peers.size(); ++k) REQUIRE(in[k] == packed(told(peers[k], comm.rank(), call, 50)));
  }
  CHECK(alone);  // each rank has had a call with nobody to talk to
}

TEST_CASE("an exchange brings long messages whole", "[comm][parallel]")
{
  const Comm comm;
  const auto peers = peers_of(comm, 1);
  std::vector<Bytes> out;
  for (const Rank r : peers) out.push_back(packed(told(comm.rank(), r, 7, 1'000'000)));
  const auto in = exchange(comm, peers, out);
  for (std::size_t k = 0; k < peers.size(); ++k) CHECK(in[k] == packed(told(peers[k], comm.rank(), 7, 1'000'000)));
}

TEST_CASE("a sparse exchange brings what was sent, ascending by sender, call after call", "[comm][parallel]")
{
  const Comm comm;
  for (std::uint64_t call = 0; call < 200; ++call) exchange_sparsely(comm, call, 50);
}

TEST_CASE("sparse exchanges in a row do not mix while one rank comes late", "[comm][parallel]")
{
  const Comm comm;
  for (std::uint64_t call = 400; call < 460; ++call) {
    come_late(comm, call);
    exchange_sparsely(comm, call, 20);
  }
}

TEST_CASE("a sparse exchange brings long messages whole", "[comm][parallel]")
{
  const Comm comm;
  for (std::uint64_t call = 300; call < 303; ++call) exchange_sparsely(comm, call, 1'000'000);
}

TEST_CASE("a sparse exchange ends with what was sent, whether nobody, one rank or everybody writes", "[comm][parallel]")
{
  const Comm comm;
  CHECK(sparse_exchange(comm, std::vector<Message>()).empty());
  std::vector<Message> to_all;
  for (Rank r = 0; r < comm.size(); ++r) to_all.push_back({r, packed({static_cast<std::uint64_t>(r)})});
  const auto one = sparse_exchange(comm, comm.rank() == comm.size() - 1 ? to_all : std::vector<Message>());
  REQUIRE(one.size() == 1);
  CHECK(one.front().peer == comm.size() - 1);
  CHECK(one.front().bytes == packed({static_cast<std::uint64_t>(comm.rank())}));
  const auto all = sparse_exchange(comm, to_all);
  REQUIRE(all.size() == static_cast<std::size_t>(comm.size()));
  CHECK(sparse_exchange(comm, std::vector<Message>()).empty());
}

TEST_CASE("an exchange and a sparse exchange in turn do not mix", "[comm][parallel]")
{
  const Comm comm;
  const auto peers = peers_of(comm, 1);
  for (std::uint64_t call = 0; call < 50; ++call) {
    exchange_sparsely(comm, call, 20);
    std::vector<Bytes> out;
    for (const Rank r : peers) out.push_back(packed(told(comm.rank(), r, call, 20)));
    const auto in = exchange(comm, peers, out);
    for (std::size_t k = 0; k < peers.size(); ++k) REQUIRE(in[k] == packed(told(peers[k], comm.rank(), call, 20)));
    const Bytes shifted = shift(comm, 2, packed({call, static_cast<std::uint64_t>(comm.rank())}));
    const Rank from = ((comm.rank() - 2) % comm.size() + comm.size()) % comm.size();
    REQUIRE(shifted == packed({call, static_cast<std::uint64_t>(from)}));
  }
}

TEST_CASE("a shift goes both ways, and around", "[comm][parallel]")
{
  const Comm comm;
  for (Rank distance = -2 * comm.size(); distance <= 2 * comm.size(); ++distance) {
    const Rank from = ((comm.rank() - distance) % comm.size() + comm.size()) % comm.size();
    const auto words = told(comm.rank(), 0, 1, 300);
    CHECK(shift(comm, distance, packed(words)) == packed(told(from, 0, 1, 300)));
  }
}
