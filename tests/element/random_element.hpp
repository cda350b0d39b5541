#pragma once
/// Elements, motions and materials for the tests of this folder, from fixed seeds.

#include "element/internal_forces.hpp"
#include "element/stress.hpp"

#include <Eigen/Geometry>

#include <array>
#include <random>
#include <vector>

namespace sunder::element::testing {

class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967295.0; }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Mat34 corners(double size)
  {
    Mat34 x;
    for (int a = 0; a < 4; ++a) x.col(a) = vector(size);
    return x;
  }
  Mat3 rotation()
  {
    return Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 1.5).normalized().toRotationMatrix();
  }

private:
  std::mt19937 engine_;
};

/// The element turned, each corner moved by up to 0.02 m.
inline Mat34 deformed(Random& random, const Mat34& X)
{
  return random.rotation() * (X + random.corners(0.02));
}

inline double volume(const Mat34& X)
{
  return (X.col(1) - X.col(0)).cross(X.col(2) - X.col(0)).dot(X.col(3) - X.col(0)) / 6;
}

inline std::array<Vec3, 4> as_array(const Mat34& X)
{
  return {X.col(0), X.col(1), X.col(2), X.col(3)};
}

/// Edges about 0.1 m, no sliver worse than a height of a few mm.
inline Mat34 random_tet(Random& random)
{
  for (;;) {
    const Mat34 X = random.corners(0.1);
    if (volume(X) > 1e-4) return X;
  }
}

inline Mat34 regular_tet(double edge)
{
  Mat34 X;
  X << 1, 1, -1, -1, 1, -1, -1, 1, 1, -1, 1, -1;
  return X * (edge / std::sqrt(8.0));
}

/// Soft enough that all four terms matter at 1 m/s.
inline material::Material jelly()
{
  material::Material m;
  m.lambda = 3e5, m.mu = 1e5, m.phi = 400, m.psi = 900, m.density = 1200;
  return m;
}

/// The loop on hand-made elements, four nodes of its own for each.
struct Bench {
  ElementBlocks blocks;
  std::vector<material::Material> materials;
  std::vector<Row4> p, v, f;
  std::vector<Mat34> X;

  explicit Bench(std::vector<material::Material> m, bool plastic = false) : blocks(plastic), materials(std::move(m)) {}

  LocalIndex add(const Mat34& corners, const Mat34& position, const Mat34& velocity, MaterialIndex material = 0,
                 double viscosity = 1, bool primary = true)
  {
    const LocalIndex e = blocks.size();
    blocks.resize(e + 1);
    Tet nodes{};
    for (int a = 0; a < 4; ++a) {
      nodes[static_cast<std::size_t>(a)] = static_cast<LocalIndex>(p.size());
      p.emplace_back().set_xyz(position.col(a));
      v.emplace_back().set_xyz(velocity.col(a));
    }
    blocks.set(e, nodes, as_array(corners), material, viscosity, primary);
    X.push_back(corners);
    return e;
  }

  InternalForceSums run(Bounds bounds = Bounds::summed)
  {
    f.assign(p.size(), Row4{});
    return add_internal_forces(blocks, materials, p, v, f, bounds);
  }

  Row4 row(LocalIndex e, int a) const { return f[static_cast<std::size_t>(4 * e + a)]; }
  Mat34 force(LocalIndex e) const
  {
    Mat34 columns;
    for (int a = 0; a < 4; ++a) columns.col(a) = row(e, a).xyz();
    return columns;
  }
  void move(LocalIndex e, const Mat34& position)
  {
    for (int a = 0; a < 4; ++a) p[static_cast<std::size_t>(4 * e + a)].set_xyz(position.col(a));
  }
};

/// The loop's forces on one element.
inline Mat34 force_on(const Mat34& X, const Mat34& p, const Mat34& v, const material::Material& m)
{
  Bench bench({m}, m.plastic());
  bench.add(X, p, v);
  bench.run();
  return bench.force(0);
}

inline double energy_of(const Mat34& X, const Mat34& p, const material::Material& m)
{
  Bench bench({m});
  bench.add(X, p, Mat34::Zero());
  return elastic_energy(bench.blocks, bench.materials, bench.p);
}

}  // namespace sunder::element::testing
