#include "block_cases.hpp"
#include "element/stable_step.hpp"
#include "element_laws.hpp"
#include "support/random_stiffness.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <cstring>

using namespace sunder;
using namespace sunder::element;
using namespace sunder::element::testing;

namespace {

/// jelly() with a law of no symmetry in its place.
material::Material aspic(std::uint64_t seed, const Mat3& axes = Mat3::Identity())
{
  material::Material m = jelly();
  m.axes = axes;
  m.anisotropy.emplace(test::random_stiffness(seed, 1e5), test::random_stiffness(seed + 100, 300), axes);
  return m;
}

material::Material as_general(material::Material m)
{
  m.axes = test::random_rotation(8);
  m.anisotropy.emplace(material::isotropic_stiffness(m.lambda, m.mu), material::isotropic_stiffness(m.phi, m.psi),
                       m.axes);
  m.lambda = m.mu = m.phi = m.psi = std::nan("");  // not to be used
  return m;
}

}  // namespace

TEST_CASE("the general elastic force is minus the slope of the energy", "[element][anisotropy][derivative]")
{
  Random random(107);
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    const material::Material m = aspic(trial, test::random_rotation(trial + 1));
    const Mat34 X = random_tet(random), p = deformed(random, X), d = random.corners(1);
    const double exact = -force_on(X, p, Mat34::Zero(), m).cwiseProduct(d).sum();
    const auto slope = [&](double h) { return (energy_of(X, p + h * d, m) - energy_of(X, p - h * d, m)) / (2 * h); };
    const double coarse = std::abs(slope(2e-3) - exact), fine = std::abs(slope(1e-3) - exact);
    CAPTURE(exact, coarse, fine);
    CHECK(coarse / fine == Approx(4.0).epsilon(0.02));  // second order: half the step, a quarter of the error
    CHECK(fine < 1e-2 * std::abs(exact) + 5);
  }
}

TEST_CASE("the general viscous force is minus half the slope of the power", "[element][anisotropy][derivative]")
{
  Random random(108);
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    material::Material m = aspic(trial);
    m.anisotropy.emplace(1e-200 * material::Mat6::Identity(), material::Mat6(m.anisotropy->D()),
                         m.axes);  // viscous alone
    const Mat34 X = random_tet(random), p = deformed(random, X), v = random.corners(1), d = random.corners(1);
    const auto power = [&](double h) {
      Bench bench({m});
      bench.add(X, p, v + h * d);
      return bench.run().viscous_power;
    };
    const Mat34 f = force_on(X, p, v, m);
    CHECK(f.cwiseProduct(d).sum() == Approx(-(power(0.5) - power(-0.5)) / 2).epsilon(1e-10));
    CHECK(f.cwiseProduct(v).sum() == Approx(-power(0)).epsilon(1e-11));
    CHECK(power(0) > 0);  // D is positive definite
  }
}

TEST_CASE("a general element neither pushes nor turns itself, and rests under a rigid motion", "[element][anisotropy]")
{
  Random random(109);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const material::Material m = aspic(trial);
    const Mat34 X = random_tet(random), p = deformed(random, X);
    const Mat34 f = force_on(X, p, random.corners(1), m);
    check_balance(p, f);
    check_rigid_motion(random, X, m, m.anisotropy->C().norm());
  }
}

TEST_CASE("turning body, axes and motion together turns the forces", "[element][anisotropy]")
{
  Random random(110);
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    const material::Material m = aspic(trial, test::random_rotation(trial + 20));
    const Mat3 R = random.rotation();
    const Mat34 X = random_tet(random), p = deformed(random, X), v = random.corners(1);
    const Mat34 here = force_on(X, p, v, m), there = force_on(R * X, R * p, R * v, material::turned(m, R));
    CHECK((there - R * here).norm() <= 1e-12 * here.norm());
    CHECK((force_on(R * X, R * p, R * v, m) - R * here).norm() > 0.01 * here.norm());  // the axes matter
  }
}

TEST_CASE("a linear field has the stress of the general law, and interior forces cancel",
          "[element][anisotropy][patch]")
{
  Random random(111);
  const material::Material m = aspic(5, test::random_rotation(3));
  Mat3 F = Mat3::Identity(), Fdot;
  for (int i = 0; i < 9; ++i) F(i / 3, i % 3) += random.uniform(-0.2, 0.2), Fdot(i / 3, i % 3) = random.uniform(-1, 1);
  const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity()),
             Edot = 0.5 * (F.transpose() * Fdot + Fdot.transpose() * F);
  Mat3 S = Mat3::Zero();
  const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          S(i, j) += m.anisotropy->C()(place[i][j], place[k][l]) * E(k, l) +
                     m.anisotropy->D()(place[i][j], place[k][l]) * Edot(k, l);
  CHECK((stress({F, Fdot}, {}, m, 1) - 2 * S).norm() <= 1e-13 * S.norm());
  const Mat3 P = F * S;
  check_linear_field(F, Fdot, P, m, 1e-13);
}

TEST_CASE("isotropic constants as a general law give the isotropic numbers", "[element][anisotropy][kernel]")
{
  Random random(112);
  const bool plastic = GENERATE(false, true);
  material::Material m = jelly();
  if (plastic) m.k1 = 0.02, m.k2 = 0.15;
  Bench plain({m}, plastic), general({as_general(m)}, plastic);
  for (int e = 0; e < 21; ++e) {
    const Mat34 X = random_tet(random), p = deformed(random, X), v = random.corners(1);
    plain.add(X, p, v, 0, 0.6), general.add(X, p, v, 0, 0.6);
    const ElementRates a = element_rates(plain.blocks.gradients(e), plain.materials[0]),
                       b = element_rates(plain.blocks.gradients(e), general.materials[0]);
    CHECK(b.omega == Approx(a.omega).epsilon(1e-12));
    CHECK(b.viscous_rate == Approx(a.viscous_rate).epsilon(1e-12));
  }
  const InternalForceSums a = plain.run(), b = general.run();
  for (LocalIndex e = 0; e < 21; ++e) {
    CHECK((general.force(e) - plain.force(e)).norm() <= 1e-13 * plain.force(e).norm());
    for (int c = 0; c < 4; ++c) CHECK(general.row(e, c).w == Approx(plain.row(e, c).w).epsilon(1e-12).margin(1e-12));
  }
  CHECK(b.viscous_power == Approx(a.viscous_power).epsilon(1e-13));
  CHECK(b.plastic_work == Approx(a.plastic_work).epsilon(1e-12));
  CHECK((a.plastic_work > 0) == plastic);
  CHECK(elastic_energy(general.blocks, general.materials, general.p) ==
        Approx(elastic_energy(plain.blocks, plain.materials, plain.p)).epsilon(1e-13));
}

TEST_CASE(
    "general elastic energy loses the plastic work, and the strain beyond the yield surface that no force has met",
    "[element][anisotropy][plasticity]")
{
  Random random(113);
  material::Material m = aspic(9);
  m.k1 = 0.05;
  for (int trial = 0; trial < 10; ++trial) {
    const Mat34 X = random_tet(random), p = deformed(random, X);
    Bench bench({m}, true);
    bench.add(X, p, Mat34::Zero());
    const double before = elastic_energy(bench.blocks, bench.materials, bench.p);
    const double work = bench.run().plastic_work;
    const std::array<double, 6> t = bench.blocks.plastic_strain(0);  // 11 22 33 12 23 13
    Eigen::Matrix<double, 6, 1> change;                              // as Voigt has it
    change << t[0], t[1], t[2], 2 * t[4], 2 * t[5], 2 * t[3];
    const double beyond = bench.blocks.volume(0) / 8 * change.dot(m.anisotropy->C() * change);
    const double after = elastic_energy(bench.blocks, bench.materials, bench.p);
    CHECK(before - after == Approx(work + beyond).epsilon(1e-11));
    CHECK(work != 0);
  }
}

TEST_CASE("in blocks of several laws the loop agrees with the one-element path, with the same bits in any lane",
          "[element][anisotropy][kernel][reproducible]")
{
  const bool plastic = GENERATE(false, true);
  std::vector<material::Material> materials{jelly(), aspic(1), aspic(2, test::random_rotation(5)),
                                            jelly(), jelly(),  jelly()};
  materials[5].law = material::Law::neo_hookean;
  materials[3].toughness_scale = {1, 0.5, 2}, materials[3].toughness_axes = test::random_rotation(6);
  materials[4].mu *= 3;
  if (plastic) materials[0].k1 = 0.05, materials[2].k1 = 0.03, materials[2].k2 = 0.1;
  Random random(114);
  std::vector<BlockCase> cases;
  for (int i = 0; i < 40; ++i) {
    const Mat34 X = random_tet(random);
    // Runs of one material and mixtures of all.
    const int material = i < 20 ? i / 4 : random.below(static_cast<int>(materials.size()));
    cases.push_back({X, deformed(random, X), random.corners(1), static_cast<MaterialIndex>(material)});
  }
  const std::vector<Row4> expected =
      rows_of(cases, materials, plastic, {}, [&](const Bench& bench, LocalIndex e, std::size_t at) {
        const Mat34 g = bench.blocks.gradients(e);
        const Deformation d = deformation(g, cases[at].p, cases[at].v);
        const Mat3 sigma = stress(d, bench.blocks.plastic_strain(e), materials[cases[at].material], 0.7);
        const Mat34 f = corner_forces(bench.blocks.volume(e), d.F, sigma, g);
        CHECK((bench.force(e) - f).norm() <= 1e-13 * f.norm());
      });
  for (std::size_t shift = 0; shift < 11; ++shift)
    for (const bool alone : {false, true}) {
      const std::vector<Row4> rows = rows_of(cases, materials, plastic, {shift, alone});
      CAPTURE(shift, alone, plastic);
      CHECK(std::memcmp(rows.data(), expected.data(), rows.size() * sizeof(Row4)) == 0);
    }
}

TEST_CASE("where toughness has directions, the bound covers the weighted forces too", "[element][anisotropy][tension]")
{
  Random random(115);
  double ratio = 0;
  int counted = 0;
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    material::Material m = trial % 2 ? jelly() : aspic(trial);
    m.toughness_scale = (random.vector(1).array() + 1.2).matrix();
    m.toughness_axes = random.rotation();
    const Mat34 X = random_tet(random), p = X * random.uniform(0.9, 1.1) + random.corners(0.02), v = random.corners(1);
    Bench bench({m});
    bench.add(X, p, v);
    bench.run();
    const Mat34 g = bench.blocks.gradients(0);
    const Deformation d = deformation(g, p, v);
    const Mat3 sigma = stress(d, {}, m, 1), M = material::weakness(m), star = M * sigma * M;
    Mat34 sum = Mat34::Zero();
    for (const Mat3& s : {sigma, Mat3(0.5 * (star + star.transpose()))}) {
      const StressSplit split = split_by_sign(s);
      for (const Mat3& part : {split.tensile, split.compressive})
        sum.row(0) += 0.5 * corner_forces(bench.blocks.volume(0), d.F, part, g).colwise().norm();
    }
    for (int a = 0; a < 4; ++a) {
      if (!(bench.row(0, a).w >= sum(0, a) * (1 - 1e-12)))
        FAIL_CHECK("trial " << trial << ": bound " << bench.row(0, a).w << " below " << sum(0, a));
      ratio += bench.row(0, a).w / sum(0, a), ++counted;
    }
  }
  CHECK(ratio / counted < 6);
}

TEST_CASE("frequency and viscous rate of a general element are its own, measured from its forces",
          "[element][anisotropy][step]")
{
  using Mat12 = Eigen::Matrix<double, 12, 12>;
  Random random(116);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const Mat34 X = random_tet(random), zero = Mat34::Zero();
    const material::Material m = aspic(trial, random.rotation());
    const double node_mass = m.density * volume(X) / 4;
    Mat12 K, D;
    for (int i = 0; i < 12; ++i) {
      Mat34 d = Mat34::Zero();
      d(i % 3, i / 3) = 1e-7;
      const Mat34 f = force_on(X, X - d, zero, m) - force_on(X, X + d, zero, m);
      const Mat34 g = force_on(X, X, -d, m) - force_on(X, X, d, m);
      K.col(i) = Eigen::Map<const Eigen::Matrix<double, 12, 1>>(f.data()) / (2e-7 * node_mass);
      D.col(i) = Eigen::Map<const Eigen::Matrix<double, 12, 1>>(g.data()) / (2e-7 * node_mass);
    }
    const auto greatest = [](const Mat12& A) {
      return Eigen::SelfAdjointEigenSolver<Mat12>(Mat12(0.5 * (A + A.transpose()))).eigenvalues()[11];
    };
    Bench bench({m});
    bench.add(X, X, zero);
    const ElementRates rates = element_rates(bench.blocks.gradients(0), m);
    CHECK(rates.omega * rates.omega == Approx(greatest(K)).epsilon(1e-6));
    CHECK(rates.viscous_rate == Approx(greatest(D)).epsilon(1e-6));
  }
}
