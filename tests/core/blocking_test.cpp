#include "core/blocking.hpp"

#include "core/comm.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>

using namespace sunder;

namespace {

double processor_seconds()
{
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Rank 0 comes so many seconds late. Returns the processor time that this rank spent until the call had returned.
double spent_in(const std::function<void()>& call, double late)
{
  const Comm comm;
  comm.barrier();
  if (comm.rank() == 0) std::this_thread::sleep_for(std::chrono::duration<double>(late));
  const double before = processor_seconds();
  call();
  return processor_seconds() - before;
}

}  // namespace

TEST_CASE("whoever waits for long leaves the core to others", "[parallel]")
{
  const Comm comm;
  constexpr double late = 0.3;
  const std::vector<Rank> all_others = [&] {
    std::vector<Rank> ranks;
    for (Rank r = 0; r < comm.size(); ++r)
      if (r != comm.rank()) ranks.push_back(r);
    return ranks;
  }();
  const std::vector<std::vector<std::byte>> out(all_others.size(), std::vector<std::byte>(8));
  CHECK(spent_in([&] { comm.barrier(); }, late) < late / 2);
  CHECK(spent_in([&] { comm.sum(1.0); }, late) < late / 2);
  CHECK(spent_in([&] { exchange(comm, all_others, out); }, late) < late / 2);
  CHECK(spent_in([&] { sparse_exchange(comm, std::vector<Message>{}); }, late) < late / 2);
}

TEST_CASE("blocking calls pass on what MPI passes on", "[parallel]")
{
  const Comm comm;
  const int n = comm.size(), r = comm.rank();
  constexpr int tag = 1;

  int sum = r + 1;
  blocking::all_reduce(&sum, 1, MPI_INT, MPI_SUM, comm.mpi());
  CHECK(sum == n * (n + 1) / 2);

  const int mine = r + 1;
  int before = -1;
  blocking::exclusive_scan(&mine, &before, MPI_INT, MPI_SUM, comm.mpi());
  if (r > 0) CHECK(before == r * (r + 1) / 2);

  int told = r == n - 1 ? 17 : 0;
  blocking::broadcast(&told, 1, MPI_INT, n - 1, comm.mpi());
  CHECK(told == 17);

  const int peer = n - 1 - r;  // its own one in the middle
  int theirs = -1;
  blocking::swap(&r, &theirs, 1, MPI_INT, peer, tag, comm.mpi());
  CHECK(theirs == peer);

  if (r > 0) {
    int from_below = -1, size = 0;
    MPI_Message message = blocking::probe(r - 1, tag, comm.mpi(), size);
    CHECK(size == sizeof(int));
    MPI_Mrecv(&from_below, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK(from_below == r - 1);
  }
  if (r + 1 < n) blocking::send(&r, 1, MPI_INT, r + 1, tag, comm.mpi());
}
