#include "core/comm.hpp"

#include "core/activity.hpp"
#include "core/blocking.hpp"
#include "core/error.hpp"
#include "core/mpi_session.hpp"
#include "core/tags.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sunder {
namespace {

template <class T>
T reduce(MPI_Comm comm, T x, MPI_Datatype type, MPI_Op op)
{
  const WaitingForOthers waiting;
  blocking::all_reduce(&x, 1, type, op, comm);
  return x;
}

int checked_count(std::size_t n)
{
  if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    end_job("a message of " + std::to_string(n) + " bytes is larger than MPI counts", ExitStatus::simulation_failed);
  return static_cast<int>(n);
}

/// Receives the next message from this rank, of any length.
std::vector<std::byte> receive(const Comm& comm, Rank from, int tag)
{
  int size = 0;
  MPI_Message message = blocking::probe(from, tag, comm.mpi(), size);
  std::vector<std::byte> in(static_cast<std::size_t>(size));
  mpi_check(MPI_Mrecv(in.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
  return in;
}

}  // namespace

Comm::Comm(MPI_Comm comm) : comm_(comm)
{
  mpi_check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
  mpi_check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
}

Rank Comm::ranks_on_node() const
{
  MPI_Comm node = MPI_COMM_NULL;
  mpi_check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  Rank ranks = 1;
  mpi_check(MPI_Comm_size(node, &ranks), "MPI_Comm_size");
  mpi_check(MPI_Comm_free(&node), "MPI_Comm_free");
  return ranks;
}

double Comm::min(double x) const
{
  return reduce(comm_, x, MPI_DOUBLE, MPI_MIN);
}
double Comm::max(double x) const
{
  return reduce(comm_, x, MPI_DOUBLE, MPI_MAX);
}
double Comm::sum(double x) const
{
  return reduce(comm_, x, MPI_DOUBLE, MPI_SUM);
}
std::int64_t Comm::sum(std::int64_t x) const
{
  return reduce(comm_, x, MPI_INT64_T, MPI_SUM);
}
std::int64_t Comm::max(std::int64_t x) const
{
  return reduce(comm_, x, MPI_INT64_T, MPI_MAX);
}
std::uint64_t Comm::sum(std::uint64_t x) const
{
  return reduce(comm_, x, MPI_UINT64_T, MPI_SUM);
}

std::int64_t Comm::sum_before(std::int64_t x) const
{
  const WaitingForOthers waiting;
  std::int64_t sum = 0;
  blocking::exclusive_scan(&x, &sum, MPI_INT64_T, MPI_SUM, comm_);
  return rank_ == 0 ? 0 : sum;
}

void Comm::sum_in_place(std::span<std::int64_t> x) const
{
  const WaitingForOthers waiting;
  blocking::all_reduce(x.data(), checked_count(x.size()), MPI_INT64_T, MPI_SUM, comm_);
}

void Comm::broadcast(std::string& text, Rank root) const
{
  const WaitingForOthers waiting;
  std::uint64_t size = text.size();
  blocking::broadcast(&size, 1, MPI_UINT64_T, root, comm_);
  text.resize(size);
  blocking::broadcast(text.data(), checked_count(size), MPI_CHAR, root, comm_);
}

void Comm::barrier() const
{
  const WaitingForOthers waiting;
  blocking::barrier(comm_);
}

std::optional<std::string> first_of(const Comm& comm, const std::optional<Failure>& problem)
{
  const WaitingForOthers waiting;
  struct {
    std::int64_t key;
    int rank;
  } first{problem ? static_cast<std::int64_t>(problem->key) : std::numeric_limits<std::int64_t>::max(), comm.rank()};
  static_assert(sizeof(long) == sizeof(std::int64_t), "MPI_LONG_INT holds a key");
  blocking::all_reduce(&first, 1, MPI_LONG_INT, MPI_MINLOC, comm.mpi());
  if (first.key == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  std::string text = comm.rank() == first.rank ? problem->text : std::string();
  comm.broadcast(text, first.rank);
  return text;
}

void throw_on_all(const Comm& comm, const std::optional<Failure>& problem, ExitStatus status)
{
  const auto text = first_of(comm, problem);
  if (!text) return;
  // An agreement among some ranks of the job is not known to the others.
  if (comm.size() == Comm().size()) throw AgreedError(*text, status);
  throw Error(*text, status);
}

namespace {

std::optional<Failure> problem_of(const std::function<void()>& action)
{
  try {
    action();
  } catch (const Error& error) {
    return Failure(error.what());
  }
  return {};
}

}  // namespace

void on_rank_0(const Comm& comm, const std::function<void()>& action, ExitStatus status)
{
  throw_on_all(comm, comm.rank() == 0 ? problem_of(action) : std::nullopt, status);
}

void on_every_rank(const Comm& comm, const std::function<void()>& action, ExitStatus status)
{
  throw_on_all(comm, problem_of(action), status);
}

std::vector<std::vector<std::byte>> exchange(const Comm& comm, std::span<const Rank> peers,
                                             std::span<const std::vector<std::byte>> out)
{
  const WaitingForOthers waiting;
  SUNDER_ASSERT(peers.size() == out.size());
  std::vector<MPI_Request> sends(peers.size());
  for (std::size_t k = 0; k < peers.size(); ++k)
    mpi_check(MPI_Isend(out[k].data(), checked_count(out[k].size()), MPI_BYTE, peers[k], tags::exchange, comm.mpi(),
                        &sends[k]),
              "MPI_Isend");
  // Messages of one pair never overtake each other, so one receive a peer and call matches without a barrier.
  std::vector<std::vector<std::byte>> in;
  for (const Rank peer : peers) in.push_back(receive(comm, peer, tags::exchange));
  blocking::wait_all(sends);
  return in;
}

std::vector<std::byte> shift(const Comm& comm, Rank distance, std::span<const std::byte> out)
{
  const WaitingForOthers waiting;
  const Rank forward = (distance % comm.size() + comm.size()) % comm.size();
  const Rank to = (comm.rank() + forward) % comm.size(), from = (comm.rank() - forward + comm.size()) % comm.size();
  MPI_Request sent;
  mpi_check(MPI_Isend(out.data(), checked_count(out.size()), MPI_BYTE, to, tags::shift, comm.mpi(), &sent),
            "MPI_Isend");
  auto in = receive(comm, from, tags::shift);
  blocking::wait(sent);
  return in;
}

std::vector<Message> sparse_exchange(const Comm& comm, std::map<Rank, std::vector<std::byte>> out)
{
  std::vector<Message> messages;
  for (auto& [rank, bytes] : out) messages.push_back({rank, std::move(bytes)});
  return sparse_exchange(comm, messages);
}

std::vector<Message> sparse_exchange(const Comm& comm, const std::vector<Message>& out)
{
  const WaitingForOthers waiting;
  std::vector<MPI_Request> sends(out.size());
  for (std::size_t k = 0; k < out.size(); ++k)
    mpi_check(MPI_Issend(out[k].bytes.data(), checked_count(out[k].bytes.size()), MPI_BYTE, out[k].peer,
                         tags::sparse_exchange, comm.mpi(), &sends[k]),
              "MPI_Issend");
  std::vector<Message> in;
  MPI_Request all_sent = MPI_REQUEST_NULL;
  blocking::Pause pause;
  for (int done = 0; !done; pause()) {
    int arrived = 0;
    MPI_Message message;
    MPI_Status status;
    mpi_check(MPI_Improbe(MPI_ANY_SOURCE, tags::sparse_exchange, comm.mpi(), &arrived, &message, &status),
              "MPI_Improbe");
    if (arrived) {
      int size = 0;
      mpi_check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
      in.push_back({status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(size))});
      mpi_check(MPI_Mrecv(in.back().bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
      pause = {};
    }
    if (all_sent != MPI_REQUEST_NULL) {
      mpi_check(MPI_Test(&all_sent, &done, MPI_STATUS_IGNORE), "MPI_Test");
    } else {
      int mine_matched = 0;
      mpi_check(MPI_Testall(static_cast<int>(sends.size()), sends.data(), &mine_matched, MPI_STATUSES_IGNORE),
                "MPI_Testall");
      if (mine_matched) mpi_check(MPI_Ibarrier(comm.mpi(), &all_sent), "MPI_Ibarrier");
    }
  }
  comm.barrier();  // otherwise messages of a fast rank's next call could be received in this one
  std::sort(in.begin(), in.end(), [](const Message& a, const Message& b) { return a.peer < b.peer; });
  return in;
}

std::vector<std::byte> gather_on_all(const Comm& comm, std::span<const std::byte> mine)
{
  const WaitingForOthers waiting;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const int own = checked_count(mine.size());
  std::vector<int> sizes(ranks), begins(ranks);
  blocking::all_gather(&own, sizes.data(), MPI_INT, comm.mpi());
  std::size_t total = 0;
  for (std::size_t r = 0; r < ranks; ++r)
    begins[r] = checked_count(std::exchange(total, total + static_cast<std::size_t>(sizes[r])));
  std::vector<std::byte> all(total);
  blocking::all_gather(mine.data(), own, all.data(), sizes.data(), begins.data(), MPI_BYTE, comm.mpi());
  return all;
}

}  // namespace sunder
