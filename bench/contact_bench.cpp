/// One state after the other of a field of debris: lists of pairs kept from state to state, the tree refitted when they
/// no longer hold, against a tree built and pairs listed in each state.
///
///   contact_bench --benchmark_repetitions=5 --benchmark_format=json
///
/// Counters are means over states. listed: pairs whose boxes meet, that share no node and that no face keeps apart;
/// touching: those that overlap; lists: how many were made.

#include "contact/collisions.hpp"
#include "geometry/corners.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace {

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;

constexpr double edge = 0.1;       // of a cube of six elements [m]
constexpr double spacing = 1.55;   // of their places, in edges
constexpr double interval = 1e-4;  // from state to state [s]: cubes move by some 1e-3 of an edge
const std::vector<double> moduli{1e7};

/// Rigid cubes that swing about their places, tumbling, and meet their neighbours.
class Debris {
public:
  explicit Debris(int elements)
  {
    const int cubes = elements / 6, row = static_cast<int>(std::ceil(std::cbrt(cubes)));
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
    std::vector<mesh::Node> nodes;
    std::vector<mesh::Element> tets;
    for (int k = 0; k < cubes; ++k) {
      cubes_.push_back({spacing * edge * Vec3(k % row, k / row % row, k / row / row), 0.3 * edge * vector(), vector(),
                        3 * number(random)});
      add_piece(nodes, tets);
    }
    p.resize(nodes.size()), v.resize(nodes.size());
    mesh = mesh::TetMesh(0, std::move(nodes), std::move(tets));
    advance();
  }

  void advance()
  {
    constexpr double rate = 20;  // [rad/s]
    time_ += interval;
    for (std::size_t n = 0; n < p.size(); ++n) {
      const Cube& cube = cubes_[n / 8];
      const double phase = rate * time_ + cube.phase, turn = rate / 2;
      const Vec3 axis = cube.axis.normalized();
      if (n % 8 == 0) turned_ = Eigen::AngleAxisd(turn * time_, axis).toRotationMatrix();
      const Vec3 arm = turned_ * mesh.node(static_cast<LocalIndex>(n)).X;
      p[n].set_xyz(cube.place + std::sin(phase) * cube.swing + arm);
      v[n].set_xyz(rate * std::cos(phase) * cube.swing + turn * axis.cross(arm));
    }
  }

  mesh::TetMesh mesh;
  std::vector<Row4> p, v;

private:
  struct Cube {
    Vec3 place, swing, axis;
    double phase;
  };

  static void add_piece(std::vector<mesh::Node>& nodes, std::vector<mesh::Element>& tets)
  {
    const auto first = static_cast<LocalIndex>(nodes.size());
    for (int k = 0; k < 8; ++k) {
      const Vec3 X = edge * (Vec3(k & 1, k >> 1 & 1, k >> 2) - Vec3::Constant(0.5));
      nodes.push_back({.id = nodes.size(), .X = X, .size = edge});
    }
    std::array<int, 3> axes{1, 2, 4};
    do {  // a path along the edges from one corner to the opposite one
      Tet tet{first, first + axes[0], first + axes[0] + axes[1], first + 7};
      const auto X = [&](std::size_t a) { return nodes[static_cast<std::size_t>(tet[a])].X; };
      if ((X(1) - X(0)).cross(X(2) - X(0)).dot(X(3) - X(0)) < 0) std::swap(tet[1], tet[2]);
      tets.push_back({.id = tets.size(), .nodes = tet});
    } while (std::next_permutation(axes.begin(), axes.end()));
  }

  std::vector<Cube> cubes_;
  Mat3 turned_;
  double time_ = 1;  // they have tumbled apart
};

std::vector<LocalIndex> all_elements(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> all;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) all.push_back(e);
  return all;
}

/// Adds to the mean over states.
void count(benchmark::State& state, const char* name, std::size_t n)
{
  state.counters[name].flags = benchmark::Counter::kAvgIterations;
  state.counters[name].value += static_cast<double>(n);
}

void kept(benchmark::State& state)
{
  Debris debris(static_cast<int>(state.range(0)));
  const Comm comm;
  Collisions collisions(comm, Response{}, moduli);
  partition::Halo halo(comm, debris.mesh);
  const Collisions::Bodies bodies{debris.mesh, halo, debris.p, debris.v, edge};
  collisions.reset(bodies);
  collisions.renew(bodies, interval);
  const auto before = collisions.renewals();
  for (auto _ : state) {
    state.PauseTiming();
    debris.advance();
    state.ResumeTiming();
    collisions.start_exchange(debris.p, debris.v);
    collisions.finish_exchange(interval);
    collisions.keep_up(bodies, collisions.list_state(debris.p, 0), interval);
    collisions.find_overlaps(debris.p, debris.v);
    count(state, "listed", collisions.num_listed());
    count(state, "touching", collisions.num_overlapping());
  }
  count(state, "lists", static_cast<std::size_t>(collisions.renewals() - before));
}

/// How many of the pairs overlap.
std::size_t num_overlapping(const PairList& near, std::span<const Row4> p)
{
  std::vector<Side> sides;
  for (const ListedElement& e : near.elements) {
    Tet nodes{};
    for (std::size_t a = 0; a < 4; ++a) nodes[a] = near.nodes[static_cast<std::size_t>(e.nodes[a])];
    sides.emplace_back(corners_of(nodes, p), e.free);
  }
  return static_cast<std::size_t>(std::count_if(near.pairs.begin(), near.pairs.end(), [&](const ListedPair& pair) {
    return overlap_of_elements(sides[static_cast<std::size_t>(pair.a)], sides[static_cast<std::size_t>(pair.b)])
               .volume > 0;
  }));
}

void anew(benchmark::State& state)
{
  Debris debris(static_cast<int>(state.range(0)));
  const Comm comm;
  ContactSurface surface;
  surface.update(debris.mesh, partition::Halo(comm, debris.mesh), all_elements(debris.mesh));
  const Origins origins;
  std::vector<NodeMotion> motions;
  PairSearch search(comm);
  for (auto _ : state) {
    state.PauseTiming();
    debris.advance();
    motions = motions_of(debris.p, debris.v, {});
    state.ResumeTiming();
    search.begin({debris.mesh, surface, motions, moduli, origins, edge}, {});
    const PairList& near = search.list();
    const std::size_t touching = num_overlapping(near, debris.p);
    state.PauseTiming();
    count(state, "listed", near.pairs.size());
    count(state, "touching", touching);
    count(state, "lists", 1);
    state.ResumeTiming();
  }
}

}  // namespace

// 5e3 and 5e4 elements, all at the surface.
BENCHMARK(kept)->Arg(5000)->Arg(50000)->Iterations(300)->Unit(benchmark::kMillisecond);
BENCHMARK(anew)->Arg(5000)->Arg(50000)->Iterations(50)->Unit(benchmark::kMillisecond);

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  MPI_Finalize();
}
