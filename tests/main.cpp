#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <mpi.h>

#include <iostream>
#include <sstream>

// Every rank runs every test; only the output of rank 0 and of failing ranks is shown.
int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::stringstream kept;
  auto* const terminal = std::cout.rdbuf();
  if (rank != 0) std::cout.rdbuf(kept.rdbuf());
  int result = Catch::Session().run(argc, argv);
  std::cout.rdbuf(terminal);
  if (rank != 0 && result != 0) std::cout << "rank " << rank << ":\n" << kept.str() << std::flush;
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return result;
}
