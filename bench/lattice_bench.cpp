/// The product J W J^T x over the bonds of a cube of 6 n^3 elements: with rows that are stored, and from J and W alone.
///
///   lattice_bench --benchmark_repetitions=5
///
/// stored: 1 with lattice::BondOperator, 0 without a matrix.

#include "core/mpi_session.hpp"
#include "lattice/bond_operator.hpp"
#include "support/cube_mesh.hpp"
#include "support/problem.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sunder;

/// Forces of bonds on elements, what they accelerate, and differences of that along bonds.
class MatrixFree {
public:
  MatrixFree(const lattice::Bonds& bonds, std::span<const double> inverse_mass)
    : bonds_(bonds), inverse_mass_(inverse_mass), accelerations_(inverse_mass.size())
  {
  }

  void apply(std::span<const double> x, std::span<double> y)
  {
    for (std::size_t e = 0; e < accelerations_.size(); ++e) {
      Vec3 force = Vec3::Zero();
      for (const LocalIndex b : bonds_.of_faces[e]) {
        if (b == lattice::no_bond) continue;
        const double sign = at(bonds_.elements[at(b)][0]) == e ? 1 : -1;
        force += sign * x[at(b)] * bonds_.directions[at(b)];
      }
      accelerations_[e] = inverse_mass_[e] * force;
    }
    for (std::size_t b = 0; b < y.size(); ++b) {
      const auto& [i, j] = bonds_.elements[b];
      y[b] = bonds_.directions[b].dot(accelerations_[at(i)] - accelerations_[at(j)]);
    }
  }

private:
  const lattice::Bonds& bonds_;
  std::span<const double> inverse_mass_;
  std::vector<Vec3> accelerations_;  // (slots)
};

double distance(std::span<const double> a, std::span<const double> b)
{
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

void product(benchmark::State& state)
{
  const int n = static_cast<int>(state.range(0));
  const auto problem = test::distributed(Comm(), test::box_mesh(n, n, n, 1.0 / n, 0.2), {test::chalk()},
                                         test::by_method(partition::Method::hilbert));
  const lattice::Bonds bonds = lattice::make_bonds(problem.model.mesh, *problem.halo);
  std::vector<double> inverse_mass;
  for (LocalIndex e = 0; e < problem.model.mesh.num_slots(); ++e)
    inverse_mass.push_back(1 / (1000 * problem.model.blocks.volume(e)));
  const lattice::BondOperator stored(bonds, inverse_mass);
  MatrixFree free(bonds, inverse_mass);
  std::vector<double> x(bonds.num_local()), y(at(bonds.num_owned)), z(y.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<double>(k));
  stored.apply(x, y), free.apply(x, z);
  const double largest = distance(y, std::vector<double>(y.size(), 0));
  if (distance(y, z) > 1e-12 * largest) state.SkipWithError("the two products differ");
  for (auto _ : state) {
    if (state.range(1) != 0)
      stored.apply(x, y);
    else
      free.apply(x, y);
    benchmark::DoNotOptimize(y.data());
  }
  state.counters["bonds"] = static_cast<double>(y.size());
  state.counters["ns_per_bond"] =
      benchmark::Counter(static_cast<double>(y.size()) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK(product)->ArgNames({"n", "stored"})->ArgsProduct({{8, 20, 55}, {0, 1}})->Unit(benchmark::kMicrosecond);

int main(int argc, char** argv)
{
  const MpiSession session(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
