#pragma once
/// The MPI communicator of a run, and the few collective patterns the rooms share.

#include "core/error.hpp"
#include "core/mpi_check.hpp"
#include "core/types.hpp"

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// A communicator that the caller keeps alive: MPI_COMM_WORLD, MPI_COMM_SELF or another. Copying is local.
class Comm {
public:
  explicit Comm(MPI_Comm comm = MPI_COMM_WORLD);

  Rank rank() const noexcept { return rank_; }
  Rank size() const noexcept { return size_; }
  MPI_Comm mpi() const noexcept { return comm_; }

  // Collective, all of them.
  double min(double x) const;
  double max(double x) const;
  double sum(double x) const;
  std::int64_t sum(std::int64_t x) const;
  std::int64_t max(std::int64_t x) const;
  std::uint64_t sum(std::uint64_t x) const;       ///< Modulo 2^64.
  std::int64_t sum_before(std::int64_t x) const;  ///< Sum over the ranks below this one.
  void sum_in_place(std::span<std::int64_t> x) const;
  void broadcast(std::string& text, Rank root = 0) const;
  void barrier() const;
  Rank ranks_on_node() const;  ///< Those that share memory with this one, itself included.

private:
  MPI_Comm comm_;
  Rank rank_ = 0, size_ = 1;
};

/// Collective on comm: one reduction, and a broadcast if any rank has a problem. Returns on every rank the text of the
/// problem with the smallest key (of the lowest rank that has it); nothing if no rank has one.
std::optional<std::string> first_of(const Comm& comm, const std::optional<Failure>& problem);

/// Collective on comm. If any rank has a problem, every rank throws the text of the one with the smallest key.
void throw_on_all(const Comm& comm, const std::optional<Failure>& problem, ExitStatus status = ExitStatus::bad_input);

/// Collective on comm. Rank 0 calls action(). If it throws Error, every rank throws AgreedError with that text and the
/// status given.
void on_rank_0(const Comm& comm, const std::function<void()>& action, ExitStatus status = ExitStatus::bad_input);

/// Collective on comm. Every rank calls action(), which must not communicate. If it throws Error on any rank, every
/// rank throws AgreedError with that text and the status given.
void on_every_rank(const Comm& comm, const std::function<void()>& action, ExitStatus status = ExitStatus::bad_input);

/// Collective on this rank and its peers. Sends out[k] to peers[k] and returns what each peer sent, in the order of
/// peers. a must list b as a peer if and only if b lists a, in the same call.
std::vector<std::vector<std::byte>> exchange(const Comm& comm, std::span<const Rank> peers,
                                             std::span<const std::vector<std::byte>> out);

/// Collective. Sends `out` to rank() + distance and returns what rank() - distance sent, both modulo the number of
/// ranks. distance may be negative.
std::vector<std::byte> shift(const Comm& comm, Rank distance, std::span<const std::byte> out);

/// A message: what is sent to peer, or what peer sent.
struct Message {
  Rank peer = 0;
  std::vector<std::byte> bytes;
};

/// Collective. Sends each message to its peer, at most one a peer; returns the messages that came, ascending by sender.
/// A rank need not know who will write to it. It receives until all messages of all ranks have arrived (Hoefler,
/// Siebert, Lumsdaine 2010), and ends with a barrier. Time grows with the logarithm of the number of ranks, memory not
/// at all.
std::vector<Message> sparse_exchange(const Comm& comm, const std::vector<Message>& out);
std::vector<Message> sparse_exchange(const Comm& comm, std::map<Rank, std::vector<std::byte>> out);

/// Unsigned ids as signed numbers in descending order, and back: the greatest of these numbers is that of the least id.
constexpr std::int64_t descending(std::uint64_t id)
{
  return static_cast<std::int64_t>(~id ^ std::uint64_t{1} << 63);
}
constexpr std::uint64_t from_descending(std::int64_t number)
{
  return ~(static_cast<std::uint64_t>(number) ^ std::uint64_t{1} << 63);
}

/// Collective. What all ranks gave, rank after rank. For what every rank has to know whole: memory and time grow with
/// the number of ranks and the sum of all, so it must not grow with the mesh. Beyond 2 GB the job ends with a message.
std::vector<std::byte> gather_on_all(const Comm& comm, std::span<const std::byte> mine);

}  // namespace sunder
