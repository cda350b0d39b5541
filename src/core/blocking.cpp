#include "core/blocking.hpp"

#include "core/mpi_check.hpp"

#include <chrono>
#include <thread>

namespace sunder::blocking {
namespace {

// A millisecond: longer than a step waits for its neighbours where nothing disturbs, so that what a sleep adds is small
// beside the wait. Counted, not timed: where Open MPI gives the core away after each question, as it does where there
// are more ranks than cores, others have had the core all the while, and sleep would only add to that.
constexpr int awake = 3000;
// From less, a rank that shares its core is not woken sooner than one that never slept.
constexpr auto asleep = std::chrono::microseconds(50);

void wait(MPI_Request& request, const char* call)
{
  Pause pause;
  for (int done = 0;;) {
    mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
    if (done) return;
    pause();
  }
}

}  // namespace

void Pause::operator()()
{
  if (questions_ < awake)
    ++questions_;
  else
    std::this_thread::sleep_for(asleep);
}

void wait(MPI_Request& request)
{
  wait(request, "MPI_Test");
}

void wait_all(std::span<MPI_Request> requests)
{
  Pause pause;
  for (int done = 0;;) {
    mpi_check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
    if (done) return;
    pause();
  }
}

void send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Isend(data, count, type, to, tag, comm, &request), "MPI_Isend");
  wait(request, "MPI_Isend");
}

void receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Irecv(data, count, type, from, tag, comm, &request), "MPI_Irecv");
  wait(request, "MPI_Irecv");
}

void swap(const void* mine, void* theirs, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
  MPI_Request requests[2];
  mpi_check(MPI_Irecv(theirs, count, type, peer, tag, comm, &requests[0]), "MPI_Irecv");
  mpi_check(MPI_Isend(mine, count, type, peer, tag, comm, &requests[1]), "MPI_Isend");
  wait_all(requests);
}

MPI_Message probe(int from, int tag, MPI_Comm comm, int& size)
{
  MPI_Message message;
  MPI_Status status;
  Pause pause;
  for (int arrived = 0;;) {
    mpi_check(MPI_Improbe(from, tag, comm, &arrived, &message, &status), "MPI_Improbe");
    if (arrived) break;
    pause();
  }
  mpi_check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
  return message;
}

void all_reduce(void* in_place, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Iallreduce(MPI_IN_PLACE, in_place, count, type, op, comm, &request), "MPI_Iallreduce");
  wait(request, "MPI_Iallreduce");
}

void exclusive_scan(const void* mine, void* before, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Iexscan(mine, before, 1, type, op, comm, &request), "MPI_Iexscan");
  wait(request, "MPI_Iexscan");
}

void all_gather(const void* mine, void* all, MPI_Datatype type, MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Iallgather(mine, 1, type, all, 1, type, comm, &request), "MPI_Iallgather");
  wait(request, "MPI_Iallgather");
}

void all_gather(const void* mine, int count, void* all, const int* counts, const int* begins, MPI_Datatype type,
                MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Iallgatherv(mine, count, type, all, counts, begins, type, comm, &request), "MPI_Iallgatherv");
  wait(request, "MPI_Iallgatherv");
}

void broadcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Ibcast(data, count, type, root, comm, &request), "MPI_Ibcast");
  wait(request, "MPI_Ibcast");
}

void barrier(MPI_Comm comm)
{
  MPI_Request request;
  mpi_check(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
  wait(request, "MPI_Ibarrier");
}

}  // namespace sunder::blocking
