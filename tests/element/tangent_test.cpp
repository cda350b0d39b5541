#include "element/tangent.hpp"
#include "random_element.hpp"
#include "support/random_stiffness.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cstring>
#include <string>

using namespace sunder;
using namespace sunder::element;
using namespace sunder::element::testing;

namespace {

using Mat12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;

material::Material rubber()
{
  material::Material m = jelly();
  m.law = material::Law::neo_hookean;
  return m;
}

material::Material aspic()
{
  material::Material m = jelly();
  m.axes = test::random_rotation(3);
  m.anisotropy.emplace(test::random_stiffness(5, 1e5), test::random_stiffness(6, 300), m.axes);
  return m;
}

material::Material plastic(material::Material m, double k1, double k2)
{
  m.k1 = k1, m.k2 = k2;
  return m;
}

/// The loop over blocks on the elements of a bench: one matrix for each lane, row 3 a + i, column 3 b + j.
std::vector<Mat12> tangents(const Bench& bench, const TangentOptions& options)
{
  std::vector<Mat12> all;
  for_each_tangent(bench.blocks, bench.blocks.plastic_blocks(), bench.materials, bench.p, bench.v, options,
                   [&](std::size_t block, const TangentBlock& tangent) {
                     REQUIRE(block * lanes == all.size());
                     for (int lane = 0; lane < lanes; ++lane) {
                       Mat12& K = all.emplace_back();
                       for (int a = 0; a < 4; ++a)
                         for (int b = 0; b < 4; ++b)
                           for (int k = 0; k < 9; ++k) K(3 * a + k / 3, 3 * b + k % 3) = tangent.K[a][b][k][lane];
                     }
                   });
  return all;
}

/// Elements of all the materials in turn, more than a block of them: turned, deformed by some 20 %, in motion if asked,
/// some with capped viscosity, with some plastic
/// strain from before.
Bench deformed_bench(unsigned seed, const std::vector<material::Material>& materials, double speed)
{
  Random random(seed);
  Bench bench(materials, materials.front().plastic());
  for (int e = 0; e < 11; ++e) {
    const Mat34 X = random_tet(random);
    Mat34 p = X + random.corners(0.02);
    while (volume(p) < 0.5 * volume(X)) p = X + random.corners(0.02);  // nearly flat: differences would be too coarse
    bench.add(X, random.rotation() * p, random.corners(speed),
              static_cast<MaterialIndex>(static_cast<std::size_t>(e) % materials.size()), e % 2 == 0 ? 1 : 0.7);
    if (!bench.blocks.plastic()) continue;
    std::array<double, 6> strain{};
    for (double& s : strain) s = random.uniform(-0.01, 0.01);
    strain[2] = -strain[0] - strain[1];
    bench.blocks.set_plastic_strain(e, strain);
  }
  return bench;
}

Vector12 flat(const Mat34& m)
{
  return Eigen::Map<const Vector12>(m.data());
}

/// Forces on element e, were its corners moved by s along d, and its velocities by s rate d: from the plastic strain of
/// the bench, which stays.
Vector12 force_along(Bench bench, LocalIndex e, const Mat34& d, double s, double rate)
{
  for (int a = 0; a < 4; ++a) {
    const auto n = static_cast<std::size_t>(4 * e + a);
    bench.p[n].set_xyz(bench.p[n].xyz() + s * d.col(a)), bench.v[n].set_xyz(bench.v[n].xyz() + s * rate * d.col(a));
  }
  bench.run();
  return flat(bench.force(e));
}

/// Second order: half the step, a quarter of the error.
void check_slopes(const Bench& bench, double rate)
{
  Random random(31);
  const std::vector<Mat12> K = tangents(bench, {TangentKind::exact, rate});
  for (LocalIndex e = 0; e < bench.blocks.size(); ++e) {
    const Mat34 d = random.corners(1);
    const Vector12 product = K[static_cast<std::size_t>(e)] * flat(d);
    const auto error = [&](double h) {
      const Vector12 slope = (force_along(bench, e, d, h, rate) - force_along(bench, e, d, -h, rate)) / (2 * h);
      return (slope + product).norm() / product.norm();
    };
    const double coarse = error(4e-4), fine = error(2e-4);
    CAPTURE(e, rate, coarse, fine);
    CHECK(coarse / fine == Approx(4).epsilon(0.05));
    CHECK(fine < 1e-3);
  }
}

double least_eigenvalue(const Mat12& K)
{
  return Eigen::SelfAdjointEigenSolver<Mat12>(0.5 * (K + K.transpose()), Eigen::EigenvaluesOnly).eigenvalues()[0];
}

/// Gradients of the shape functions, columns: from N_a(X_b) = delta_ab.
Mat34 shape_gradients(const Mat34& X)
{
  Eigen::Matrix4d rows;
  rows << Eigen::Vector4d::Ones(), X.transpose();
  return rows.inverse().bottomRows<3>();
}

/// vol B^T C B of linear elasticity, in Voigt's notation.
Mat12 linear_stiffness(const Mat34& X, const material::Mat6& C)
{
  const Mat34 g = shape_gradients(X);
  Eigen::Matrix<double, 6, 12> B = Eigen::Matrix<double, 6, 12>::Zero();
  for (int I = 0; I < 6; ++I)
    for (int b = 0; b < 4; ++b) {
      const auto& [i, j] = material::voigt[static_cast<std::size_t>(I)];
      B(I, 3 * b + i) += g(j, b);
      if (i != j) B(I, 3 * b + j) += g(i, b);
    }
  return volume(X) * B.transpose() * C * B;
}

/// Elements at rest, turned and shifted.
Bench bench_at_rest(const std::vector<material::Material>& materials)
{
  Random random(33);
  Bench bench(materials, materials.front().plastic());
  for (int e = 0; e < 11; ++e) {
    const Mat34 X = random_tet(random);
    bench.add(X, X, Mat34::Zero(), static_cast<MaterialIndex>(static_cast<std::size_t>(e) % materials.size()));
  }
  return bench;
}

struct Named {
  std::string name;
  std::vector<material::Material> materials;
};

/// One law for all lanes, and lanes that differ.
std::vector<Named> all_laws()
{
  return {{"St. Venant-Kirchhoff", {jelly()}},
          {"general", {aspic()}},
          {"neo-Hookean", {rubber()}},
          {"a law for each lane", {jelly(), aspic(), rubber()}}};
}

}  // namespace

TEST_CASE("the tangent is minus the slope of the force", "[element][tangent][derivative]")
{
  for (const auto& [name, materials] : all_laws()) {
    CAPTURE(name);
    check_slopes(deformed_bench(21, materials, 0), 0);
    check_slopes(deformed_bench(22, materials, 3), 0);    // in motion: viscous stress depends on positions, too
    check_slopes(deformed_bench(23, materials, 3), 200);  // velocities that change with positions
  }
}

TEST_CASE("the tangent of a plastic material knows how the flow changes", "[element][tangent][derivative]")
{
  struct Case {
    std::string name;
    double k1, k2;
    bool flows, clamped;
  };
  for (const auto& [name, k1, k2, flows, clamped] :
       {Case{"inside k1", 10, 20, false, false}, {"flows", 0.02, 20, true, false}, {"at k2", 0.02, 0.03, true, true}})
    for (const double rate : {0.0, 100.0})
      for (const bool general : {false, true}) {
        std::vector<material::Material> materials{plastic(jelly(), k1, k2)};
        if (general) materials.push_back(plastic(aspic(), k1, k2));
        const Bench bench = deformed_bench(24, materials, rate > 0 ? 3 : 0);
        CAPTURE(name, rate, general);
        Bench after = bench;
        after.run();
        for (LocalIndex e = 0; e < bench.blocks.size(); ++e) {
          const std::array<double, 6> strain = after.blocks.plastic_strain(e);
          const auto& [xx, yy, zz, xy, yz, xz] = strain;
          const double norm = std::sqrt(xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + xz * xz));
          CHECK((strain != bench.blocks.plastic_strain(e)) == flows);
          CHECK((std::abs(norm - k2) < 1e-12 * k2) == clamped);
        }
        check_slopes(bench, rate);
      }
}

TEST_CASE("tangents are symmetric where forces have a potential, and by option everywhere", "[element][tangent]")
{
  const auto asymmetry = [](const Mat12& K) { return (K - K.transpose()).norm() / K.norm(); };
  std::vector<Named> cases = all_laws();
  cases.push_back({"flows", {plastic(jelly(), 0.02, 20)}});
  for (const auto& [name, materials] : cases) {
    CAPTURE(name);
    const Bench bench = deformed_bench(25, materials, 0);
    for (LocalIndex e = 0; e < bench.blocks.size(); ++e)
      CHECK(asymmetry(tangents(bench, {})[static_cast<std::size_t>(e)]) < 1e-13);
  }
  struct Moving : Named {
    double speed;
  };
  for (const Moving& c :
       {Moving{{"in motion", {jelly(), rubber()}}, 3}, {{"at k2", {plastic(jelly(), 0.02, 0.03)}}, 0}}) {
    CAPTURE(c.name);
    const Bench bench = deformed_bench(26, c.materials, c.speed);
    const auto exact = tangents(bench, {TangentKind::exact, 50}), half = tangents(bench, {TangentKind::symmetric, 50});
    for (std::size_t e = 0; e < 11; ++e) {
      CHECK(asymmetry(exact[e]) > 1e-9);
      CHECK(asymmetry(half[e]) < 1e-14);
      CHECK((half[e] - 0.5 * (exact[e] + exact[e].transpose())).norm() < 1e-14 * exact[e].norm());
    }
  }
}

TEST_CASE("the positive definite tangent has no negative eigenvalue, however an element is pressed",
          "[element][tangent]")
{
  Random random(27);
  for (const auto& [name, materials] : all_laws()) {
    CAPTURE(name);
    Bench bench(materials);
    for (int e = 0; e < 11; ++e) {
      const Mat34 X = random_tet(random);
      const Vec3 squeezed(0.5, random.uniform(0.6, 1), random.uniform(0.6, 1));
      bench.add(X, random.rotation() * squeezed.asDiagonal() * random.rotation() * X, Mat34::Zero(),
                static_cast<MaterialIndex>(static_cast<std::size_t>(e) % materials.size()));
    }
    const auto exact = tangents(bench, {}), positive = tangents(bench, {TangentKind::positive_definite});
    for (std::size_t e = 0; e < 11; ++e) {
      CHECK(least_eigenvalue(exact[e]) < -1e-3 * exact[e].norm());
      CHECK(least_eigenvalue(positive[e]) > -1e-13 * positive[e].norm());
      CHECK((positive[e] - positive[e].transpose()).norm() < 1e-14 * positive[e].norm());
    }
  }
}

TEST_CASE("rigid motions: no force comes of a shift ever, nor of a small turn at rest", "[element][tangent][rigid]")
{
  Random random(28);
  const Vec3 shift = random.vector(1), spin = random.vector(1);
  for (const auto& [name, materials] : all_laws()) {
    CAPTURE(name);
    for (const TangentKind kind : {TangentKind::exact, TangentKind::symmetric, TangentKind::positive_definite}) {
      const auto K = tangents(deformed_bench(29, materials, 3), {kind, 50});
      for (std::size_t e = 0; e < 11; ++e) {
        CHECK((K[e] * shift.replicate<4, 1>()).norm() < 1e-14 * K[e].norm());
        CHECK((K[e].transpose() * shift.replicate<4, 1>()).norm() < 1e-14 * K[e].norm());  // forces add up to nothing
      }
    }
    const Bench bench = bench_at_rest(materials);
    const auto K = tangents(bench, {TangentKind::exact, 50});
    for (std::size_t e = 0; e < 11; ++e) {
      Mat34 turn;
      for (int a = 0; a < 4; ++a) turn.col(a) = spin.cross(Vec3(bench.X[e].col(a)));
      CHECK((K[e] * flat(turn)).norm() < 1e-14 * K[e].norm());
    }
  }
}

TEST_CASE("at rest the tangent is the stiffness of linear elasticity, and what viscosity adds to it",
          "[element][tangent]")
{
  const auto C = [](const material::Material& m) {
    return m.anisotropy ? m.anisotropy->C() : material::isotropic_stiffness(m.lambda, m.mu);
  };
  const auto D = [](const material::Material& m) {
    return m.anisotropy ? m.anisotropy->D() : material::isotropic_stiffness(m.phi, m.psi);
  };
  for (const auto& [name, materials] : all_laws()) {
    CAPTURE(name);
    const Bench bench = bench_at_rest(materials);
    for (const double rate : {0.0, 300.0})
      for (const TangentKind kind : {TangentKind::exact, TangentKind::symmetric, TangentKind::positive_definite}) {
        const auto K = tangents(bench, {kind, rate});
        for (std::size_t e = 0; e < 11; ++e) {
          const material::Material& m = materials[e % materials.size()];
          const Mat12 expected = linear_stiffness(bench.X[e], C(m) + rate * D(m));
          CHECK((K[e] - expected).norm() < 1e-12 * expected.norm());
        }
      }
  }
}

TEST_CASE("an element's tangent has the same bits in any lane of any block", "[element][tangent][reproducible]")
{
  std::vector<Named> cases = all_laws();
  cases.push_back({"flows", {plastic(jelly(), 0.02, 20)}});
  cases.push_back({"some flow", {plastic(jelly(), 0.25, 0.3), plastic(aspic(), 0.1, 0.15)}});
  for (const auto& [name, materials] : cases) {
    CAPTURE(name);
    const Bench all = deformed_bench(30, materials, 3);
    for (const TangentKind kind : {TangentKind::exact, TangentKind::symmetric, TangentKind::positive_definite}) {
      const auto together = tangents(all, {kind, 50});
      for (LocalIndex e = 0; e < 11; ++e)
        for (int before = 0; before < lanes; ++before) {
          // The same element behind some others, in another order.
          Bench bench(materials, all.blocks.plastic());
          const auto take = [&](LocalIndex k) {
            Mat34 p, v;
            for (int a = 0; a < 4; ++a) {
              const auto n = static_cast<std::size_t>(4 * k + a);
              p.col(a) = all.p[n].xyz(), v.col(a) = all.v[n].xyz();
            }
            const LocalIndex at = bench.add(all.X[static_cast<std::size_t>(k)], p, v,
                                            static_cast<MaterialIndex>(static_cast<std::size_t>(k) % materials.size()),
                                            all.blocks.viscosity(k));
            if (bench.blocks.plastic()) bench.blocks.set_plastic_strain(at, all.blocks.plastic_strain(k));
            return static_cast<std::size_t>(at);
          };
          for (int k = 0; k < before; ++k) take((e + 5 * k + 1) % 11);
          const std::size_t at = take(e);
          const Mat12 alone = tangents(bench, {kind, 50})[at];
          CHECK(std::memcmp(alone.data(), together[static_cast<std::size_t>(e)].data(), sizeof(double) * 144) == 0);
        }
    }
  }
}

TEST_CASE("lanes without an element have no tangent", "[element][tangent]")
{
  for (const auto& [name, materials] : all_laws()) {
    CAPTURE(name);
    Bench bench = deformed_bench(31, materials, 3);
    bench.blocks.clear(2), bench.blocks.clear(9);
    for (const TangentKind kind : {TangentKind::exact, TangentKind::symmetric, TangentKind::positive_definite}) {
      const auto K = tangents(bench, {kind, 50});
      REQUIRE(K.size() == (11 + lanes - 1) / lanes * lanes);
      for (std::size_t e = 0; e < K.size(); ++e) {
        const bool empty = e == 2 || e == 9 || e >= 11;
        CHECK((K[e].array() == 0).all() == empty);
      }
    }
  }
  int blocks = 0;
  for_each_tangent(ElementBlocks(true), {}, {}, {}, {}, {}, [&](std::size_t, const TangentBlock&) { ++blocks; });
  CHECK(blocks == 0);
}
