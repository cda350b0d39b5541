#include "lattice/breaking.hpp"

#include "bond_graph.hpp"
#include "lattice/crack_growth.hpp"
#include "lattice/impact.hpp"
#include "lattice/strength.hpp"

#include <catch2/catch.hpp>

#include <bit>

using namespace sunder;
using namespace sunder::lattice;

namespace {

Options plank_options()
{
  Options options;
  options.strength.stress = 2.5e3, options.crack_growth = "moderate";
  options.impacts.resize(1);
  options.impacts[0].at = Vec3(0.25, 0.1, 0.1), options.impacts[0].radius = 0.08;
  options.impacts[0].force = Vec3(0, 0, -3000);
  return options;
}

struct Outcome {
  std::uint64_t hash = 0;  // of forces, strengths and impulses, by key
  GlobalIndex broken = 0, ties = 0;
  std::int64_t iterations = 0;
  bool operator==(const Outcome&) const = default;
};

/// Collective on comm. An impact on a plank in ten steps.
Outcome impact_on_plank(const Comm& comm, const test::Owners& owners, const Options& options)
{
  const auto problem = test::distributed(comm, test::box_mesh(5, 2, 1, 0.1, 0.3), {test::chalk()}, owners);
  const mesh::TetMesh& mesh = problem.model.mesh;
  Bonds bonds = make_bonds(mesh, *problem.halo);
  const auto volumes = test::element_volumes(problem);
  std::vector<double> masses;
  for (const double w : test::inverse_masses(problem)) masses.push_back(1 / w);
  auto strengths = bond_strengths(comm, bonds, volumes, test::counted_elements(problem), options.strength);
  Lattice lattice(std::move(bonds), test::inverse_masses(problem), {std::move(strengths), {}, {}}, options);
  const auto forces = impact_forces(comm, mesh, masses, options);
  Outcome outcome;
  for (int k = 0; k < 10; ++k) {
    auto loads = forces;
    for (Vec3& f : loads) f *= curve_value(options.schedule, (k + 0.5) / 10);
    const StepResult step = lattice.step(loads, 1e-5);
    CAPTURE(k, step.solve.iterations, step.solve.residual);
    REQUIRE(step.solve.converged);
    outcome.broken += step.broken, outcome.ties += step.ties;
    outcome.iterations += step.solve.iterations;
  }
  for (std::size_t b = 0; b < static_cast<std::size_t>(lattice.bonds().num_owned); ++b) {
    std::uint64_t h = combine(lattice.bonds().keys[b].a.low, lattice.bonds().keys[b].b.low);
    const BondValues& values = lattice.values();
    for (const double x : {values.forces[b], values.strengths[b], values.impulses[b]}) h = combine(h, x);
    outcome.hash += combine(h, std::uint64_t{static_cast<unsigned char>(lattice.broken()[b])});
  }
  outcome.hash = comm.sum(outcome.hash);
  return outcome;
}

/// Two points with one bond, pulled or pushed apart with 2 N each: the bond bears 2 N.
StepResult pulled_pair(double strength, double sign, bool& broke)
{
  const Comm alone(MPI_COMM_SELF);
  Options options;
  Lattice lattice(test::graph_bonds(alone, {{0, 0, 0}, {1, 0, 0}}, {{0, 1}}), {1, 1}, {{strength}, {}, {}}, options);
  const StepResult step = lattice.step(std::vector<Vec3>{Vec3(-2 * sign, 0, 0), Vec3(2 * sign, 0, 0)}, 0.5);
  CHECK(std::abs(lattice.values().impulses[0] + sign) < 1e-12);
  broke = lattice.broken()[0] != 0;
  return step;
}

}  // namespace

TEST_CASE("the same bonds break, with the same bits, on any number of ranks", "[lattice][parallel]")
{
  const Comm comm;
  const Options options = plank_options();
  const auto hilbert = test::by_method(partition::Method::hilbert);
  const Outcome alone = impact_on_plank(Comm(MPI_COMM_SELF), hilbert, options);
  CHECK(alone.broken > 5);
  CHECK(alone.iterations > 10);
  CHECK(impact_on_plank(comm, hilbert, options) == alone);
  CHECK(impact_on_plank(comm, test::scattered(9), options) == alone);
  Options none = options;
  none.crack_growth = "none";
  CHECK(impact_on_plank(comm, hilbert, none).broken < alone.broken);
}

TEST_CASE("a bond breaks above its strength, a tie holds and is counted", "[lattice]")
{
  bool broke = false;
  CHECK(pulled_pair(2.1, 1, broke).broken == 0);
  CHECK(!broke);
  CHECK(pulled_pair(1.9, 1, broke).broken == 1);
  CHECK(broke);
  const StepResult tie = pulled_pair(2, 1, broke);
  CHECK(tie.ties == 1);
  CHECK(!broke);
  CHECK(pulled_pair(0.26, -1, broke).broken == 0);  // eight times as strong under compression
  CHECK(pulled_pair(0.24, -1, broke).broken == 1);
}

TEST_CASE("what broke weakens bonds beside it alone", "[lattice][parallel]")
{
  const Comm comm;
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {3, 1, 0}};
  const Bonds bonds = test::graph_bonds(comm, points, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  std::vector<char> broken;
  for (const BondKey& key : bonds.keys) broken.push_back(key == BondKey{0, 1} || key == BondKey{3, 4});
  std::vector<double> strengths(static_cast<std::size_t>(bonds.num_owned), 1);
  weaken(bonds, broken, broken, CrackGrowth::moderate(), strengths);
  const std::vector<double> expected{1, 0.5, 1, 1};  // in line with it; at a right angle; those broken
  const Eigen::VectorXd all = test::gathered(comm, bonds, strengths);
  for (Eigen::Index b = 0; b < 4; ++b) CHECK(all[b] == Approx(expected[static_cast<std::size_t>(b)]));
}

TEST_CASE("impacts give all of their force, to the elements they meet", "[lattice][parallel]")
{
  const Comm comm;
  const auto problem = test::distributed(comm, test::box_mesh(5, 2, 1, 0.1, 0.3), {test::chalk()}, test::scattered(2));
  const mesh::TetMesh& mesh = problem.model.mesh;
  std::vector<double> masses;
  for (const double w : test::inverse_masses(problem)) masses.push_back(1 / w);
  Impact impact;
  impact.at = Vec3(0.25, 0.1, 0.1), impact.force = Vec3(1, 2, -3);
  const double radius = GENERATE(0.0, 0.12), depth = GENERATE(1.0, 0.05);
  impact.radius = radius, impact.depth = depth;
  Options options;
  options.impacts = {impact};
  const auto forces = impact_forces(comm, mesh, masses, options);
  Vec3 total = Vec3::Zero();
  std::int64_t elements = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e) || forces[static_cast<std::size_t>(e)].isZero()) continue;
    total += forces[static_cast<std::size_t>(e)], ++elements;
    if (radius > 0) CHECK((centroid(mesh, e) - impact.at).norm() <= radius);
  }
  for (double& x : total) x = comm.sum(x);
  CHECK((total - impact.force).norm() < 1e-12);
  CHECK((comm.sum(elements) == 1) == (radius == 0));
}

TEST_CASE("an impact that meets no element is refused by its key", "[lattice][parallel]")
{
  const Comm comm;
  const auto problem = test::distributed(comm, test::box_mesh(2, 1, 1, 0.1), {test::chalk()},
                                         test::by_method(partition::Method::hilbert));
  Impact impact;
  impact.at = Vec3(5, 0, 0), impact.radius = 0.1, impact.force = Vec3(1, 0, 0), impact.key = "s.yaml:3: impacts.0";
  Options options;
  options.impacts = {impact};
  CHECK_THROWS_WITH(
      impact_forces(comm, problem.model.mesh, test::element_volumes(problem), options),
      Catch::Contains("s.yaml:3: impacts.0: expected the centroid of an element within 0.1 m of (5, 0, 0)"));
}

TEST_CASE("all steps of an impact together give its momentum", "[lattice]")
{
  Impact impact;
  impact.momentum = Vec3(0, 0.5, 3);
  Options options;
  options.duration = 2e-4, options.steps = GENERATE(1, 7, 10);
  options.schedule =
      GENERATE(std::vector<CurvePoint>{{0, 0}, {0.5, 1}, {1, 0}}, std::vector<CurvePoint>{{0, 1}, {1, 1}});
  const double dt = options.duration / static_cast<double>(options.steps);
  Vec3 given = Vec3::Zero();
  for (std::int64_t k = 0; k < options.steps; ++k)
    given += dt * share_of_forces(options, static_cast<double>(k) * dt, dt) * force_of(impact, options);
  CHECK((given - impact.momentum).norm() < 1e-12);
}
