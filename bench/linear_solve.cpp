// Iterations, seconds and bytes of the reproducible solver on blocks of tetrahedra, for docs/linear-solvers.md.
//   mpirun -n 2 bin/linear_solve CUBES_X CUBES_Y CUBES_Z POISSON [degree ratio cells_per_root]
// The cubes have edges of 1 m; the block is clamped at x = 0.
#include "core/memory.hpp"
#include "core/mpi_session.hpp"
#include "solvers/elastic_block.hpp"
#include "solvers/reproducible_solver.hpp"

#include <fmt/format.h>

#include <cstdlib>

using namespace sunder;

int main(int argc, char** argv)
{
  const MpiSession session(argc, argv);
  if (argc < 5)
    return fmt::print(stderr, "usage: linear_solve CUBES_X CUBES_Y CUBES_Z POISSON [degree ratio cells_per_root]\n"), 2;
  const Comm comm;
  test::ElasticBlock block;
  for (std::size_t a = 0; a < 3; ++a) {
    block.cubes[a] = std::atoll(argv[a + 1]);
    block.size[static_cast<Eigen::Index>(a)] = static_cast<double>(block.cubes[a]);
  }
  block.poisson = std::atof(argv[4]);
  solvers::ReproducibleSolver::Options options;
  if (argc > 5) options.preconditioner.degree = std::atoi(argv[5]);
  if (argc > 6) options.preconditioner.ratio = std::atof(argv[6]);
  if (argc > 7) options.preconditioner.cells_per_root = std::atof(argv[7]);

  const std::span blocks(&block, 1);
  const auto system = test::assemble(comm, blocks, test::slabs(comm, test::num_nodes(blocks)));
  solvers::ReproducibleSolver solver(options);
  comm.barrier();
  const double start = MPI_Wtime();
  solver.set_matrix(*system.layout, system.A, false);
  const double ready = MPI_Wtime();
  std::vector<double> x(system.b.size());
  const auto result = solver.solve(system.b, x, 1e-8);
  const double done = MPI_Wtime();
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  largest = comm.max(largest);
  const auto unknowns = 3 * comm.sum(static_cast<std::int64_t>(system.layout->num_owned));
  const auto& coarse = solver.preconditioner().coarse_space();
  if (comm.rank() == 0)
    fmt::print(
        "{} unknowns, {} ranks: {} iterations, residual {:.2e}, setup {:.2f} s, solve {:.2f} s, {} cells, "
        "coarse space {:.1f} B an unknown of this rank, largest eigenvalue {:.3f}, |x| {:.6e} {}\n",
        unknowns, comm.size(), result.iterations, result.residual, ready - start, done - ready, coarse.num_cells(),
        static_cast<double>(coarse.bytes()) / static_cast<double>(system.b.size()),
        solver.preconditioner().polynomial().largest_eigenvalue(), largest, result.reason);
  return result.converged ? 0 : 3;
}
