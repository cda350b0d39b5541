/* The messages of an explicit step, for SimGrid: each rank is a brick, computes, exchanges with up to 26 neighbours, and all
 * take part in one reduction that moves on while they wait. bench/scaling/simulate compiles and runs it.
 *
 *   pattern SIDE_X SIDE_Y SIDE_Z NODES COMPUTING NOISE STEPS
 *
 * NODES: along an edge of a brick; COMPUTING: seconds of a step; NOISE: their standard deviation, relative. Prints the seconds
 * of a step. SimGrid's own MPI_Iallreduce sends P (P - 1) messages, so the reduction is by hand: down a
 * binomial tree and up again, as Open MPI does it.
 */
#include <math.h>
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { bytes_of_node = 48, bytes_of_flags = 120, most_neighbours = 26, most_hops = 128, halo_tag = 1, tree_tag = 2 };

typedef struct {
  int peer, sends;
} Hop;

/* What a rank does in the reduction, one hop after the other. Returns their number. */
static int plan_reduction(int rank, int ranks, Hop* hops)
{
  int count = 0, mask = 1;
  for (; mask < ranks && !(rank & mask); mask *= 2)
    if (rank + mask < ranks) hops[count++] = (Hop){rank + mask, 0};
  if (rank > 0) {
    hops[count++] = (Hop){rank - mask, 1};
    hops[count++] = (Hop){rank - mask, 0};
  }
  for (mask /= 2; mask > 0; mask /= 2)
    if (rank + mask < ranks) hops[count++] = (Hop){rank + mask, 1};
  return count;
}

typedef struct {
  int rank, bytes;
} Neighbour;

/* Of a face, an edge or a corner of the brick. */
static int find_neighbours(const int* sides, int rank, double nodes, Neighbour* found)
{
  const int at[3] = {rank % sides[0], rank / sides[0] % sides[1], rank / sides[0] / sides[1]};
  int count = 0;
  for (int k = 0; k < 27; ++k) {
    const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    double border = 1;
    int to[3], inside = k != 13;
    for (int d = 0; d < 3; ++d) {
      to[d] = at[d] + step[d];
      inside = inside && to[d] >= 0 && to[d] < sides[d];
      if (step[d] == 0) border *= nodes;
    }
    if (inside) found[count++] = (Neighbour){to[0] + sides[0] * (to[1] + sides[1] * to[2]), (int)(bytes_of_node * border)};
  }
  return count;
}

static MPI_Request take(const Hop* hop, char* flags)
{
  MPI_Request request;
  if (hop->sends) MPI_Isend(flags, bytes_of_flags, MPI_CHAR, hop->peer, tree_tag, MPI_COMM_WORLD, &request);
  else MPI_Irecv(flags, bytes_of_flags, MPI_CHAR, hop->peer, tree_tag, MPI_COMM_WORLD, &request);
  return request;
}

/* Box and Muller's; each rank has its own sequence, the same in every run. */
static double normal(unsigned short* seed)
{
  const double radius = sqrt(-2 * log(1 - erand48(seed)));
  return radius * cos(2 * M_PI * erand48(seed));
}

static void step(const Neighbour* neighbours, int num_neighbours, const Hop* hops, int num_hops, double computing,
                 char* out, char* in)
{
  char flags[bytes_of_flags] = {0};
  MPI_Request requests[2 * most_neighbours + 1];
  int next = 0, done;
  if (computing > 0) smpi_execute_flops(computing * 1e9); /* hosts of 1 Gflop/s */
  requests[0] = num_hops > 0 ? take(&hops[next++], flags) : MPI_REQUEST_NULL;
  for (int k = 0; k < num_neighbours; ++k)
    MPI_Irecv(in, neighbours[k].bytes, MPI_CHAR, neighbours[k].rank, halo_tag, MPI_COMM_WORLD, &requests[1 + 2 * k]);
  for (int k = 0; k < num_neighbours; ++k)
    MPI_Isend(out, neighbours[k].bytes, MPI_CHAR, neighbours[k].rank, halo_tag, MPI_COMM_WORLD, &requests[2 + 2 * k]);
  for (;;) {
    MPI_Waitany(1 + 2 * num_neighbours, requests, &done, MPI_STATUS_IGNORE);
    if (done == MPI_UNDEFINED) return;
    if (done == 0 && next < num_hops) requests[0] = take(&hops[next++], flags);
  }
}

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int sides[3] = {argc == 8 ? atoi(argv[1]) : 0, argc == 8 ? atoi(argv[2]) : 0, argc == 8 ? atoi(argv[3]) : 0};
  if (sides[0] * sides[1] * sides[2] != ranks) {
    if (rank == 0) fprintf(stderr, "pattern: expected SIDE_X SIDE_Y SIDE_Z NODES COMPUTING NOISE STEPS, a rank a brick\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const double nodes = atof(argv[4]), computing = atof(argv[5]), noise = atof(argv[6]);
  const int steps = atoi(argv[7]);
  unsigned short seed[3] = {1, 2, (unsigned short)rank};

  Neighbour neighbours[most_neighbours];
  Hop hops[most_hops];
  const int num_neighbours = find_neighbours(sides, rank, nodes, neighbours);
  const int num_hops = plan_reduction(rank, ranks, hops);
  const size_t most_bytes = (size_t)(bytes_of_node * (nodes * nodes + 1));
  char *out = calloc(most_bytes, 1), *in = calloc(most_bytes, 1); /* what arrives is not looked at */

  double begin = 0; /* the first step brings ranks into step with each other */
  for (int k = 0; k <= steps; ++k) {
    if (k == 1) begin = MPI_Wtime();
    step(neighbours, num_neighbours, hops, num_hops, computing * (1 + noise * normal(seed)), out, in);
  }
  if (rank == 0) printf("%.9g\n", (MPI_Wtime() - begin) / steps);
  free(out), free(in);
  MPI_Finalize();
  return 0;
}
