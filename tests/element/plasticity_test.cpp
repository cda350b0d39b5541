#include "random_element.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>

using namespace sunder;
using namespace sunder::element;
using namespace sunder::element::testing;

namespace {

Mat3 as_matrix(const std::array<double, 6>& t)
{
  Mat3 M;
  M << t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2];
  return M;
}

Mat3 deviator(const Mat3& t)
{
  return t - t.trace() / 3 * Mat3::Identity();
}

/// F with F^T F = I + eps.
Mat3 stretch_of(const Mat3& eps)
{
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(Mat3::Identity() + eps);
  return solver.operatorSqrt();
}

/// A point of the strain plane of T Fig. 3.2: two orthonormal deviators.
Mat3 on_plane(double x, double y)
{
  Mat3 a = Mat3::Zero(), b = Mat3::Zero();
  a(0, 0) = 1, a(1, 1) = -1;
  b(0, 1) = b(1, 0) = 1;
  return (x * a + y * b) / std::sqrt(2.0);
}

material::Material wax()
{
  material::Material m = jelly();
  m.phi = m.psi = 0, m.k1 = 0.1, m.k2 = 0.3;
  return m;
}

/// One element led through strains.
struct Sample {
  Bench bench{{wax()}, true};
  Mat34 X = regular_tet(0.1);
  double work = 0;
  Sample() { bench.add(X, X, Mat34::Zero()); }
  Mat3 lead_to(const Mat3& eps)
  {
    bench.move(0, stretch_of(eps) * X);
    work += bench.run().plastic_work;
    return as_matrix(bench.blocks.plastic_strain(0));
  }
};

std::vector<Mat3> strains(const Bench& bench)
{
  std::vector<Mat3> all;
  for (LocalIndex e = 0; e < bench.blocks.size(); ++e) all.push_back(as_matrix(bench.blocks.plastic_strain(e)));
  return all;
}

/// T 3.7 and 3.8 on matrices.
Mat3 flowed(const Mat3& old, const Mat3& eps, const material::Material& m)
{
  const Mat3 r = deviator(eps) - old;
  Mat3 now = old;
  if (r.norm() > m.k1) now += r * (r.norm() - m.k1) / r.norm();
  return now.norm() > m.k2 ? Mat3(now * m.k2 / now.norm()) : now;
}

}  // namespace

TEST_CASE("plastic strain is dragged on a rope of length k1 and held at k2", "[element][plasticity]")
{
  Sample sample;
  CHECK(sample.lead_to(on_plane(0.07, 0.07)).norm() == 0);  // a: inside the elastic circle
  CHECK(sample.lead_to(on_plane(0.0999, 0)).norm() == 0);
  CHECK(sample.work == 0);

  const Mat3 pulled = sample.lead_to(on_plane(0.25, 0));  // b: straight behind
  CHECK((pulled - on_plane(0.15, 0)).norm() < 1e-14);
  const Mat3 turned = sample.lead_to(on_plane(0.25, 0.1));  // c: dragged around a corner
  CHECK((on_plane(0.25, 0.1) - turned).norm() == Approx(0.1));
  CHECK(turned(0, 1) > 0);
  CHECK(std::abs(turned.trace()) < 1e-14);  // plastic flow keeps volume

  const Mat3 held = sample.lead_to(on_plane(0.7, 0.1));  // d: no farther than k2
  CHECK(held.norm() == Approx(0.3));
  CHECK(sample.work > 0);
  const double work = sample.work;
  CHECK(sample.lead_to(0.98 * held) == held);  // on the way back it is elastic again
  CHECK(sample.work == work);
}

TEST_CASE("pressure does not make plastic strain", "[element][plasticity]")
{
  Sample sample;
  CHECK(sample.lead_to(0.5 * Mat3::Identity()).norm() == 0);
  CHECK(sample.lead_to(-0.5 * Mat3::Identity()).norm() == 0);
}

TEST_CASE("the loop's flow is T 3.7 and 3.8 along random paths", "[element][plasticity]")
{
  Random random(21);
  std::vector<material::Material> materials(3, wax());
  materials[1].k1 = 0.02, materials[1].k2 = std::numeric_limits<double>::infinity();
  materials[2].k1 = std::numeric_limits<double>::infinity();
  Bench bench(materials, true);
  for (int i = 0; i < 12; ++i) {
    const Mat34 X = random_tet(random);
    bench.add(X, X, Mat34::Zero(), static_cast<MaterialIndex>(i % 3));
  }
  std::vector<Mat3> expected(12, Mat3::Zero());
  for (int step = 0; step < 30; ++step) {
    for (LocalIndex e = 0; e < 12; ++e) {
      const Mat34& X = bench.X[static_cast<std::size_t>(e)];
      Mat3 F = Mat3::Identity();
      for (int i = 0; i < 9; ++i) F(i / 3, i % 3) += random.uniform(-0.2, 0.2);
      bench.move(e, F * X);
      Mat3& strain = expected[static_cast<std::size_t>(e)];
      strain = flowed(strain, F.transpose() * F - Mat3::Identity(), materials[static_cast<std::size_t>(e % 3)]);
    }
    const auto energy = [&] { return elastic_energy(bench.blocks, bench.materials, bench.p); };
    const std::vector<Mat3> old = strains(bench);
    const double before = energy(), work = bench.run().plastic_work, after = energy();
    double beyond = 0;  // of the yield surface, that no force has met
    for (std::size_t e = 0; e < 12; ++e)
      beyond += bench.blocks.volume(static_cast<LocalIndex>(e)) / 4 * materials[e % 3].mu *
                (strains(bench)[e] - old[e]).squaredNorm();
    CHECK(work > 0);
    CHECK(before - after == Approx(work + beyond).epsilon(1e-9));
    for (LocalIndex e = 0; e < 12; ++e) {
      const Mat3 strain = as_matrix(bench.blocks.plastic_strain(e));
      CHECK((strain - expected[static_cast<std::size_t>(e)]).norm() < 1e-13);
      if (e % 3 == 2) CHECK(strain.norm() == 0);
    }
  }
}

TEST_CASE("elastic energy loses the plastic work, and the strain beyond the yield surface that no force has met",
          "[element][plasticity][energy]")
{
  Sample sample;
  sample.lead_to(on_plane(0.2, 0.05));
  for (const Mat3& eps : {on_plane(0.25, -0.1), on_plane(-0.1, -0.2), on_plane(-0.6, 0.3)}) {
    sample.bench.move(0, stretch_of(eps) * sample.X);
    const auto energy = [&] { return elastic_energy(sample.bench.blocks, sample.bench.materials, sample.bench.p); };
    const Mat3 old = as_matrix(sample.bench.blocks.plastic_strain(0));
    const double before = energy(), work = sample.bench.run().plastic_work, after = energy();
    const Mat3 change = as_matrix(sample.bench.blocks.plastic_strain(0)) - old;
    const double beyond = sample.bench.blocks.volume(0) / 4 * wax().mu * change.squaredNorm();
    CHECK(work > 0);
    CHECK(before - after == Approx(work + beyond).epsilon(1e-11));
  }
}
