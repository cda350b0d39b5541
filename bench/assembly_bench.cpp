/// The stiffness matrix of a cube of 6 n^3 elements, assembled anew: what one of Newton's iterations pays before it
/// solves.
///
///   assembly_bench --benchmark_repetitions=5
///
/// plastic: 1 with the algorithmic tangent of the plastic return.

#include "core/mpi_session.hpp"
#include "simulation/equilibrium/stiffness_matrix.hpp"
#include "support/cube_mesh.hpp"
#include "support/problem.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace sunder;

void assembly(benchmark::State& state)
{
  material::Material m = test::chalk();
  if (state.range(1) != 0) m.k1 = 1e-3, m.k2 = 0.05;
  const int n = static_cast<int>(state.range(0));
  auto problem = test::distributed(Comm(), test::box_mesh(n, n, n, 1.0 / n, 0.2), {m},
                                   test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  for (std::size_t k = 0; k < model.p.size(); ++k)
    model.p[k].set_xyz(Vec3(model.p[k].xyz().cwiseProduct(Vec3(1.01, 0.99, 1.0))));
  const simulation::NodeNumbering numbering(model, *problem.halo);
  simulation::StiffnessMatrix matrix(model.mesh, numbering);
  for (auto _ : state) {
    matrix.clear();
    matrix.add_elements(model, model.blocks.plastic_blocks(), {element::TangentKind::symmetric, 0});
    benchmark::DoNotOptimize(matrix.matrix().values.data());
  }
  const double elements = model.mesh.num_slots();
  state.counters["unknowns"] = 3.0 * numbering.num_owned();
  state.counters["elements"] = elements;
  state.counters["ns_per_element"] =
      benchmark::Counter(elements * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK(assembly)->ArgNames({"n", "plastic"})->ArgsProduct({{20, 32, 55}, {0, 1}})->Unit(benchmark::kMillisecond);

int main(int argc, char** argv)
{
  const MpiSession session(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
