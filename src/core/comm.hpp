#pragma once
/// The MPI communicator of a run, and the few collective patterns the rooms share.

#include "core/error.hpp"
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

/// A communicator that is not owned: MPI_COMM_WORLD, MPI_COMM_SELF or one the caller keeps alive. Copying is local.
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
  std::int64_t sum_before(std::int64_t x) const;  ///< Over the ranks below this one.
  void sum_in_place(std::span<std::int64_t> x) const;
  void broadcast(std::string& text, Rank root = 0) const;
  void barrier() const;

private:
  MPI_Comm comm_;
  Rank rank_ = 0, size_ = 1;
};

/// Collective on comm. The text of the problem with the smallest key, of the lowest rank that has it, on every rank;
/// nothing if there is none. One reduction, and a broadcast if there is one.
std::optional<std::string> first_of(const Comm& comm, const std::optional<Failure>& problem);

/// Collective on comm. If any rank has a problem, every rank throws the text of the one with the smallest key.
void throw_on_all(const Comm& comm, const std::optional<Failure>& problem, int status = 2);

/// Collective on comm. Rank 0 does it; an Error of it is thrown on every rank, with the status given.
void on_rank_0(const Comm& comm, const std::function<void()>& action, int status = 2);

/// Collective on comm. Every rank does it, which must not communicate; an Error of any is thrown on every rank, with
/// the status given.
void on_every_rank(const Comm& comm, const std::function<void()>& action, int status = 2);

/// Collective on the pairs named. Sends out[k] to peers[k] and returns what each peer sent, in the order of peers.
/// Symmetric: a lists b as peer if and only if b lists a, in the same call.
std::vector<std::vector<std::byte>> exchange(const Comm& comm, std::span<const Rank> peers,
                                             std::span<const std::vector<std::byte>> out);

/// Collective. Sends `out` to the rank `distance` above and returns what the one `distance` below sent; both modulo the
/// number of ranks. A negative distance is the other way.
std::vector<std::byte> shift(const Comm& comm, Rank distance, std::span<const std::byte> out);

/// What one rank sends another.
struct Message {
  Rank peer = 0;
  std::vector<std::byte> bytes;
};

/// Collective. Sends each message to its peer, at most one a peer; returns what came, ascending by sender. Nobody need
/// know who will write to it: receives until all messages of all ranks have been matched (Hoefler, Siebert, Lumsdaine
/// 2010), so that neither time nor memory grows with the number of ranks but by its logarithm.
std::vector<Message> sparse_exchange(const Comm& comm, const std::vector<Message>& out);
std::vector<Message> sparse_exchange(const Comm& comm, std::map<Rank, std::vector<std::byte>> out);

/// Aborts the job with the name of the call if an MPI call failed.
void mpi_check(int code, const char* call);

}  // namespace sunder
