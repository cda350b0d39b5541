/* Times each step, from one reduction to the next: on a machine shared with others the fastest steps are those nobody disturbed.
 *
 *   mpicc -O2 -shared -fPIC bench/scaling/step_times.c -o step_times.so
 *   mpirun -n 2 -x LD_PRELOAD=$PWD/step_times.so build/bin/sunder run bench/scaling/block.yaml --steps 1000 -o out/block
 *
 * Rank 0 prints the time that one step in fifty stays below, and the median [s].
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_steps = 1 << 20 };
static double begins[most_steps];
static int steps;

int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request)
{
  if (steps < most_steps) begins[steps++] = PMPI_Wtime();
  return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
}

static int compare(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int MPI_Finalize(void)
{
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int times = steps - 1;
  for (int k = 0; k < times; ++k) begins[k] = begins[k + 1] - begins[k];
  if (times > 0) qsort(begins, (size_t)times, sizeof *begins, compare);
  if (rank == 0 && times > 0) fprintf(stderr, "step: %.9g s, median %.9g s\n", begins[times / 50], begins[times / 2]);
  return PMPI_Finalize();
}
