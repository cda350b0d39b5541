#include "element/internal_forces.hpp"
#include "element/toughness.hpp"
#include "fracture/failing_nodes.hpp"
#include "fracture/screen.hpp"
#include "support/problem.hpp"
#include "support/random_stiffness.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>

using namespace sunder;

namespace {

test::TestProblem cube(const material::Material& m, const Mat3& F)
{
  auto problem =
      test::distributed(Comm(), test::box_mesh(4, 4, 4, 0.25, 0.3), {m}, test::by_method(partition::Method::metis));
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n)
    problem.model.p[static_cast<std::size_t>(n)].set_xyz(F * problem.model.mesh.node(n).X);
  return problem;
}

/// Largest separation of an owned node in the inside of the cube. Collective.
double separation_inside(const material::Material& m, const Mat3& F)
{
  const auto problem = cube(m, F);
  fracture::SplitForces forces(problem.model);
  double greatest = 0;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n) {
    const Vec3 X = problem.model.mesh.node(n).X;
    if (!problem.model.mesh.owned(n) || X.minCoeff() < 0.1 || X.maxCoeff() > 0.9) continue;
    const Mat3 tensor =
        fracture::separation_tensor(problem.model.mesh, forces, n, element::SeparationCriterion::tensile);
    greatest = std::max(greatest, element::largest_principal(tensor).value);
  }
  return problem.halo->comm().max(greatest);
}

}  // namespace

TEST_CASE("stress along an axis counts by the square of its factor (T 4.8)", "[fracture][toughness]")
{
  material::Material m = test::chalk();
  m.lambda = 0;
  const Mat3 pulled = Vec3(1.001, 1, 1).asDiagonal();
  const double plain = separation_inside(m, pulled);
  m.toughness_scale = {0.5, 1, 1};
  CHECK(separation_inside(m, pulled) == Approx(plain / 4));
  m.toughness_axes = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()).toRotationMatrix();  // now along y
  CHECK(separation_inside(m, pulled) == Approx(plain));
  m.toughness_scale = {2, 2, 2};
  CHECK(separation_inside(m, pulled) == Approx(4 * plain));
  const Mat3 turn = Eigen::AngleAxisd(1, Vec3(3, 1, 2).normalized()).toRotationMatrix();
  m.toughness_scale = {0.5, 1, 0.7};
  CHECK(separation_inside(m, turn * pulled) == Approx(separation_inside(m, pulled)));  // a turned cube
}

/// v+/tau of the node, which fails where that exceeds 1. From its tensor, without any screen.
double ratio(const element::Model& model, fracture::SplitForces& forces, LocalIndex n,
             element::SeparationCriterion criterion)
{
  const auto principal = element::largest_principal(fracture::separation_tensor(model.mesh, forces, n, criterion));
  return principal.value / element::toughness_across(model, n, principal.direction);
}

TEST_CASE("each screen lets all nodes pass that fail, whatever the form of toughness", "[fracture][toughness]")
{
  using material::ToughnessForm;
  const auto trial = GENERATE(range(0, 12));
  const auto criterion = GENERATE(element::SeparationCriterion::tensile, element::SeparationCriterion::sources);
  const auto seed = static_cast<std::uint64_t>(trial);
  material::Material m = test::chalk();
  const double typical[] = {20, 3e3, 1e3, 0.3};
  m.toughness_form = static_cast<ToughnessForm>(trial % 4), m.toughness = typical[trial % 4];
  if (trial % 3 == 1) m.toughness_scale = {0.5, 1.5, 1}, m.toughness_axes = test::random_rotation(seed);
  if (trial % 3 == 2) m.weibull = material::Weibull{.modulus = 3, .volume = 1e-4, .seed = trial};
  if (m.toughness_form != ToughnessForm::G_c && trial % 2)
    m.anisotropy.emplace(test::random_stiffness(seed, 2e6), material::Mat6::Zero(), Mat3::Identity());
  if (trial % 4 == 0) m.k1 = 1e-3, m.k2 = 1;
  Mat3 F = test::random_rotation(seed) * (Mat3::Identity() + 2e-3 * test::random_symmetric(seed));
  if (trial == 3) {  // far from where it began, turned and stretched
    m.law = material::Law::neo_hookean, m.toughness = 6e4;
    F = F * Vec3(1.3, 1.1, 0.9).asDiagonal();
  }
  auto problem = cube(m, F);
  element::Model& model = problem.model;
  std::vector<LocalIndex> owned, screened;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    model.p[static_cast<std::size_t>(n)].set_xyz(model.p[static_cast<std::size_t>(n)].xyz() +
                                                 2e-4 * test::random_vector(seed, model.mesh.node(n).id.low));
    model.v[static_cast<std::size_t>(n)].set_xyz(0.1 * test::random_vector(seed + 100, model.mesh.node(n).id.low));
    if (model.mesh.owned(n)) owned.push_back(n);
  }
  element::add_internal_forces(model.blocks, model.materials, model.p, model.v, model.f);
  fracture::screen(model, criterion, screened);
  element::SeparationScreen second;
  for (int call = 0; call < 2; ++call) {  // nothing is left of the first
    const std::vector<element::Suspect> suspects = second.may_fail(model, criterion, owned);
    std::vector<LocalIndex> passed;
    fracture::FailingNodes all(criterion);
    all.evaluate(model, owned);
    fracture::SplitForces forces(model);
    std::int64_t failing = 0, missed = 0, others = 0, exceeding = 0;
    for (const element::Suspect& suspect : suspects) {
      passed.push_back(suspect.node);
      exceeding += ratio(model, forces, suspect.node, criterion) > suspect.most;
    }
    for (const LocalIndex n : owned) {
      const bool fail = ratio(model, forces, n, criterion) > 1;
      failing += fail, others += !fail && std::binary_search(passed.begin(), passed.end(), n);
      missed += fail && !std::binary_search(screened.begin(), screened.end(), n);
      missed += fail && !std::binary_search(passed.begin(), passed.end(), n);
      missed += fail != all.nodes().contains(n);
    }
    const Comm& comm = problem.halo->comm();
    CAPTURE(trial, comm.sum(static_cast<std::int64_t>(screened.size())));
    CHECK(comm.sum(missed) == 0);
    CHECK(comm.sum(exceeding) == 0);
    CHECK(comm.sum(failing) > 0);
    if (!m.directional_toughness()) CHECK(100 * comm.sum(others) <= comm.sum(static_cast<std::int64_t>(owned.size())));
  }
}

TEST_CASE("both screens let nodes of an interface pass that shear parts, whatever presses", "[fracture][toughness]")
{
  const auto criterion = GENERATE(element::SeparationCriterion::tensile, element::SeparationCriterion::sources);
  const double pressure = GENERATE(0.0, 3e3);
  material::Material m = test::chalk(std::numeric_limits<double>::infinity());
  partition::WholeMesh whole;
  whole.data = test::box_mesh(4, 4, 4, 0.25, 0.3);
  for (const auto& tet : whole.data.tets) {
    double x = 0;
    for (const GlobalIndex n : tet) x += whole.data.nodes[static_cast<std::size_t>(n)].x() / 4;
    whole.element_materials.push_back(x > 0.5);
  }
  whole.element_levels.resize(whole.data.tets.size(), 0);
  auto problem = test::distributed(Comm(), std::move(whole), {m, m}, test::by_method(partition::Method::metis));
  element::Model& model = problem.model;
  model.interfaces = {{0, 1, material::ToughnessForm::stress, 1e3, {}, {.energy = 1, .shear_ratio = 0.8}}};
  // Shear of 0.7 to 0.9 of the strength: with the scatter of nodes part of them fail.
  Mat3 F = Vec3(1 - pressure / (m.lambda + 2 * m.mu), 1, 1).asDiagonal();
  F(1, 0) = 0.8e3 / m.mu;
  std::vector<LocalIndex> owned, screened;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (model.mesh.owned(n)) owned.push_back(n), element::refresh_node(model, n);
    model.p[static_cast<std::size_t>(n)].set_xyz(F * model.mesh.node(n).X +
                                                 1e-5 * test::random_vector(7, model.mesh.node(n).id.low));
  }
  element::add_internal_forces(model.blocks, model.materials, model.p, model.v, model.f);
  fracture::screen(model, criterion, screened);
  element::SeparationScreen second;
  std::vector<LocalIndex> passed;
  std::int64_t failing = 0, held = 0, missed = 0;
  fracture::SplitForces forces(model);
  const auto ratio = [&](LocalIndex n) {
    return element::weakest_plane(model, n, fracture::separation_tensor(model.mesh, forces, n, criterion)).ratio();
  };
  for (const element::Suspect& suspect : second.may_fail(model, criterion, owned)) {
    passed.push_back(suspect.node);
    CHECK(ratio(suspect.node) <= suspect.most);
  }
  fracture::FailingNodes all(criterion);
  all.evaluate(model, owned);
  for (const LocalIndex n : owned) {
    if (model.strength[static_cast<std::size_t>(n)].sliding == 0) continue;
    const bool fail = ratio(n) > 1;
    failing += fail, held += !fail;
    missed += fail && !std::binary_search(screened.begin(), screened.end(), n);
    missed += fail && !std::binary_search(passed.begin(), passed.end(), n);
    missed += fail != all.nodes().contains(n);
  }
  const Comm& comm = problem.halo->comm();
  CHECK(comm.sum(missed) == 0);
  CHECK(comm.sum(failing) > 0);
  CHECK(comm.sum(held) > 0);
}
