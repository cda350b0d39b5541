#include "support/mpi_counts.hpp"

#include <mpi.h>

namespace {

sunder::test::MpiCounts counts;

}  // namespace

// The profiling layer: MPI_X is ours, PMPI_X the library's.
#define COUNTED(what, name, parameters, arguments) \
  extern "C" int MPI_##name parameters             \
  {                                                \
    ++counts.what;                                 \
    return PMPI_##name arguments;                  \
  }

COUNTED(reductions, Allreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
        (a, b, n, t, o, c))
COUNTED(reductions, Iallreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request* r),
        (a, b, n, t, o, c, r))
COUNTED(reductions, Reduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
        (a, b, n, t, o, root, c))
COUNTED(reductions, Exscan, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
COUNTED(reductions, Iexscan, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request* r),
        (a, b, n, t, o, c, r))
COUNTED(reductions, Scan, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
COUNTED(others, Bcast, (void* a, int n, MPI_Datatype t, int root, MPI_Comm c), (a, n, t, root, c))
COUNTED(others, Ibcast, (void* a, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request* r), (a, n, t, root, c, r))
COUNTED(others, Barrier, (MPI_Comm c), (c))
COUNTED(others, Ibarrier, (MPI_Comm c, MPI_Request* r), (c, r))
COUNTED(longer_with_ranks, Allgather,
        (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c), (a, n, t, b, m, u, c))
COUNTED(longer_with_ranks, Allgatherv,
        (const void* a, int n, MPI_Datatype t, void* b, const int* m, const int* d, MPI_Datatype u, MPI_Comm c),
        (a, n, t, b, m, d, u, c))
COUNTED(longer_with_ranks, Iallgather,
        (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c, MPI_Request* r),
        (a, n, t, b, m, u, c, r))
COUNTED(longer_with_ranks, Iallgatherv,
        (const void* a, int n, MPI_Datatype t, void* b, const int* m, const int* d, MPI_Datatype u, MPI_Comm c,
         MPI_Request* r),
        (a, n, t, b, m, d, u, c, r))
COUNTED(longer_with_ranks, Gather,
        (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int root, MPI_Comm c),
        (a, n, t, b, m, u, root, c))
COUNTED(longer_with_ranks, Gatherv,
        (const void* a, int n, MPI_Datatype t, void* b, const int* m, const int* d, MPI_Datatype u, int root,
         MPI_Comm c),
        (a, n, t, b, m, d, u, root, c))
COUNTED(longer_with_ranks, Scatter,
        (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int root, MPI_Comm c),
        (a, n, t, b, m, u, root, c))
COUNTED(longer_with_ranks, Scatterv,
        (const void* a, const int* n, const int* d, MPI_Datatype t, void* b, int m, MPI_Datatype u, int root,
         MPI_Comm c),
        (a, n, d, t, b, m, u, root, c))
COUNTED(longer_with_ranks, Alltoall, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c),
        (a, n, t, b, m, u, c))
COUNTED(longer_with_ranks, Alltoallv,
        (const void* a, const int* n, const int* d, MPI_Datatype t, void* b, const int* m, const int* e, MPI_Datatype u,
         MPI_Comm c),
        (a, n, d, t, b, m, e, u, c))
COUNTED(communicators, Comm_dup, (MPI_Comm c, MPI_Comm* made), (c, made))
COUNTED(communicators, Comm_split, (MPI_Comm c, int color, int key, MPI_Comm* made), (c, color, key, made))
COUNTED(communicators, Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm* made), (c, g, made))
// Sends: counted with their bytes.
#define COUNTED_SEND(name, parameters, arguments)              \
  extern "C" int MPI_##name parameters                         \
  {                                                            \
    int size = 0;                                              \
    PMPI_Type_size(t, &size);                                  \
    ++counts.messages, counts.bytes += std::int64_t{n} * size; \
    return PMPI_##name arguments;                              \
  }

COUNTED_SEND(Send, (const void* a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (a, n, t, to, tag, c))
COUNTED_SEND(Ssend, (const void* a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (a, n, t, to, tag, c))
COUNTED_SEND(Isend, (const void* a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* r),
             (a, n, t, to, tag, c, r))
COUNTED_SEND(Issend, (const void* a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* r),
             (a, n, t, to, tag, c, r))

namespace sunder::test {

MpiCounts mpi_counts()
{
  return counts;
}

MpiCounts operator-(const MpiCounts& later, const MpiCounts& earlier)
{
  return {later.reductions - earlier.reductions,
          later.others - earlier.others,
          later.longer_with_ranks - earlier.longer_with_ranks,
          later.communicators - earlier.communicators,
          later.messages - earlier.messages,
          later.bytes - earlier.bytes};
}

std::string MpiCounts::text() const
{
  return std::to_string(reductions) + " reductions, " + std::to_string(others) + " broadcasts and barriers, " +
         std::to_string(longer_with_ranks) + " gathers, " + std::to_string(communicators) + " communicators made, " +
         std::to_string(messages) + " messages of " + std::to_string(bytes) + " bytes";
}

}  // namespace sunder::test
