#pragma once
/// MPI's blocking calls, which sleep where they have to wait for long.
///
/// A rank that waits asks again and again whether what it waits for has come. After some thousand questions, which take
/// a millisecond, it sleeps between two. Another program on its core can run then, and the rank gets its core back as
/// soon as it has work: the system prefers who has slept to who has used up its share of time by asking. What that is
/// worth beside a busy neighbour: docs/clusters.md.

#include <mpi.h>

#include <cstddef>
#include <span>

namespace sunder::blocking {

/// What a rank does between two questions while nothing happens. Make a new one when something has happened.
class Pause {
public:
  void operator()();  ///< Local. Returns at once for the first thousands of times, later after a sleep.

private:
  int questions_ = 0;
};

// Arguments are MPI's. Where MPI fails, the job ends with the name of the call.

void wait(MPI_Request& request);                                                            ///< Local.
void wait_all(std::span<MPI_Request> requests);                                             ///< Local.
void send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);  ///< Local.
void receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm);   ///< Local.
/// Local. Sends to a rank and receives as much from it, which must do the same.
void swap(const void* mine, void* theirs, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm);
/// Local. The next message of that rank, and its length in bytes.
MPI_Message probe(int from, int tag, MPI_Comm comm, int& size);

void all_reduce(void* in_place, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);  ///< Collective on comm.
/// Collective on comm. One value, over the ranks before this one. On the first rank `before` is undefined.
void exclusive_scan(const void* mine, void* before, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/// Collective on comm. A value of each rank, in their order.
void all_gather(const void* mine, void* all, MPI_Datatype type, MPI_Comm comm);
/// Collective on comm. counts, begins: of what each rank gives, in `all`.
void all_gather(const void* mine, int count, void* all, const int* counts, const int* begins, MPI_Datatype type,
                MPI_Comm comm);
void broadcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);  ///< Collective on comm.
void barrier(MPI_Comm comm);                                                        ///< Collective on comm.

}  // namespace sunder::blocking
