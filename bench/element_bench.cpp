/// Nanoseconds an element of the explicit step's inner loop, and of the tangents that implicit solvers need, on a cube
/// of Kuhn tetrahedra ordered like a run's mesh.
///
///   element_bench --benchmark_repetitions=5 --benchmark_format=json
///
/// The counter ns_per_element is wall time of one call over the number of elements. Take the least of the repetitions.

#include "element/internal_forces.hpp"
#include "element/tangent.hpp"
#include "partition/decompose/hilbert.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sunder;

/// The unit cube in n^3 cells of six tetrahedra around the cell's diagonal (Kuhn), along the Hilbert curve.
mesh::MeshData kuhn_cube(GlobalIndex n)
{
  mesh::MeshData mesh;
  const GlobalIndex stride[3] = {1, n + 1, (n + 1) * (n + 1)};
  const double h = 1.0 / static_cast<double>(n);
  for (GlobalIndex k = 0; k <= n; ++k)
    for (GlobalIndex j = 0; j <= n; ++j)
      for (GlobalIndex i = 0; i <= n; ++i)
        mesh.nodes.push_back(h * Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
  const auto add_cell = [&mesh, &stride](GlobalIndex corner) {
    int axes[3] = {0, 1, 2};
    do {
      const GlobalIndex a = corner + stride[axes[0]], b = a + stride[axes[1]], c = b + stride[axes[2]];
      const bool even = (axes[1] - axes[0] + 3) % 3 == 1;
      mesh.tets.push_back(even ? std::array{corner, a, b, c} : std::array{corner, b, a, c});
    } while (std::next_permutation(axes, axes + 3));
  };
  for (GlobalIndex k = 0; k < n; ++k)
    for (GlobalIndex j = 0; j < n; ++j)
      for (GlobalIndex i = 0; i < n; ++i) add_cell(i * stride[0] + j * stride[1] + k * stride[2]);
  mesh.node_labels.resize(mesh.nodes.size());
  mesh.element_labels.resize(mesh.tets.size());
  partition::WholeMesh whole;
  whole.data = std::move(mesh);
  partition::order_along_hilbert(whole);
  return whole.data;
}

/// Glass as in T table 6.2; if plastic, with thresholds of no source: plastic from a strain that a good part of the
/// cube exceeds.
material::Material glass(bool plastic)
{
  material::Material m;
  m.lambda = 0.419e9, m.mu = 0.578e9, m.phi = 1.04e3, m.psi = 1.44e3, m.density = 2595;
  if (plastic) m.k1 = 0.005, m.k2 = 0.05;
  return m;
}

/// The same numbers as a general law, with all 21 constants in use.
material::Material general_glass(bool plastic)
{
  material::Material m = glass(plastic);
  const Mat3 axes = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  m.anisotropy.emplace(material::isotropic_stiffness(m.lambda, m.mu), material::isotropic_stiffness(m.phi, m.psi),
                       axes);
  return m;
}

material::Material neo_hookean_glass()
{
  material::Material m = glass(false);
  m.law = material::Law::neo_hookean;
  return m;
}

struct Cube {
  element::ElementBlocks blocks;
  std::vector<material::Material> materials;
  std::vector<Row4> p, v, f;
};

/// A cube in a smooth motion: stretched, twisted and on the move, so that no lane is idle.
Cube moving_cube(GlobalIndex n, bool plastic, const material::Material& material)
{
  const mesh::MeshData mesh = kuhn_cube(n);
  Cube cube{element::ElementBlocks(plastic), {material}, {}, {}, std::vector<Row4>(mesh.nodes.size())};
  for (const Vec3& X : mesh.nodes) {
    const Vec3 wave(std::sin(3 * X.y()), std::sin(2 * X.z() + 1), std::cos(4 * X.x()));
    cube.p.emplace_back().set_xyz(X + 0.004 * wave);
    cube.v.emplace_back().set_xyz(0.3 * wave);
  }
  cube.blocks.resize(static_cast<LocalIndex>(mesh.tets.size()));
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    Tet nodes{};
    std::array<Vec3, 4> X;
    for (std::size_t a = 0; a < 4; ++a) {
      nodes[a] = static_cast<LocalIndex>(mesh.tets[e][a]);
      X[a] = mesh.nodes[static_cast<std::size_t>(mesh.tets[e][a])];
    }
    if (!(cube.blocks.set(static_cast<LocalIndex>(e), nodes, X, 0, 1.0, true) > 0)) std::abort();
  }
  return cube;
}

void time_forces(benchmark::State& state, bool plastic, const material::Material& material, element::Bounds bounds)
{
  Cube cube = moving_cube(state.range(0), plastic, material);
  for (auto _ : state) {
    const auto sums = element::add_internal_forces(cube.blocks, cube.materials, cube.p, cube.v, cube.f, bounds);
    benchmark::DoNotOptimize(sums.min_stretch);
  }
  const double elements = cube.blocks.size();
  state.counters["elements"] = elements;
  state.counters["ns_per_element"] =
      benchmark::Counter(elements * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// visit() reads one number of each block: what assembly would cost is not in it.
void time_tangents(benchmark::State& state, bool plastic, const material::Material& material, TangentKind kind)
{
  const Cube cube = moving_cube(state.range(0), plastic, material);
  double read = 0;
  for (auto _ : state) {
    element::for_each_tangent(cube.blocks, cube.blocks.plastic_blocks(), cube.materials, cube.p, cube.v, {kind, 1e3},
                              [&read](std::size_t, const element::TangentBlock& K) { read += K.K[0][0][0][0]; });
    benchmark::DoNotOptimize(read);
  }
  const double elements = cube.blocks.size();
  state.counters["elements"] = elements;
  state.counters["ns_per_element"] =
      benchmark::Counter(elements * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void tangents(benchmark::State& state)
{
  const bool plastic = state.range(1) != 0, general = state.range(2) != 0;
  time_tangents(state, plastic, general ? general_glass(plastic) : glass(plastic),
                static_cast<TangentKind>(state.range(3)));
}

void neo_hookean_tangents(benchmark::State& state)
{
  time_tangents(state, false, neo_hookean_glass(), TangentKind::symmetric);
}

void internal_forces(benchmark::State& state)
{
  const bool plastic = state.range(1) != 0, general = state.range(2) != 0;
  time_forces(state, plastic, general ? general_glass(plastic) : glass(plastic),
              state.range(3) != 0 ? element::Bounds::summed : element::Bounds::left_out);
}

void neo_hookean_forces(benchmark::State& state)
{
  time_forces(state, false, neo_hookean_glass(), element::Bounds::left_out);
}

}  // namespace

// 6 n^3 elements: 5e4, 2e5 and 1e6; without and with plasticity; isotropic and general elasticity; in a step that looks
// for failing nodes, or in any other.
BENCHMARK(internal_forces)
    ->ArgNames({"n", "plastic", "general", "bounds"})
    ->ArgsProduct({{20, 32, 55}, {0, 1}, {0, 1}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(neo_hookean_forces)->ArgName("n")->Arg(20)->Arg(32)->Arg(55)->Unit(benchmark::kMillisecond);
// kind: of TangentKind, 0 exact, 1 symmetric, 2 positive definite.
BENCHMARK(tangents)
    ->ArgNames({"n", "plastic", "general", "kind"})
    ->ArgsProduct({{20}, {0, 1}, {0, 1}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(neo_hookean_tangents)->ArgName("n")->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
