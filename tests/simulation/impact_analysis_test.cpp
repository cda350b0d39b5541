#include "simulation/hybrid/impact_analysis.hpp"

#include "mesh/lineage.hpp"
#include "simulation/model_records.hpp"
#include "support/all_gather.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <tuple>

using namespace sunder;
using simulation::ImpactForce;
using simulation::ImpactOptions;
using simulation::ImpactResult;

namespace {

/// A beam that is hit near one end.
test::TestProblem beam(const Comm& comm, std::uint64_t seed)
{
  return test::distributed(comm, test::box_mesh(10, 3, 3, 0.1, 0.2, 7), {test::chalk()}, test::scattered(seed));
}

/// Local. What this rank holds of all.
partition::MigrationRecords records(const element::Model& model)
{
  partition::MigrationRecords all;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) all.nodes.push_back(simulation::node_record(model, n));
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) simulation::append_element(model, e, all.elements);
  return all;
}

/// Collective. On the element nearest to a place; that with the smallest id, if there are several.
ImpactForce force_at(const Comm& comm, const element::Model& model, const Vec3& place, const Vec3& force)
{
  struct Near {
    double distance;
    ElementId id;
  };
  std::vector<Near> mine;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const auto X = model.mesh.corners(e);
    mine.push_back({((X[0] + X[1] + X[2] + X[3]) / 4 - place).norm(), model.mesh.element_id(e)});
  }
  const auto all = test::all_gather(comm, mine);
  const Near nearest = *std::min_element(all.begin(), all.end(), [](const Near& a, const Near& b) {
    return std::tie(a.distance, a.id) < std::tie(b.distance, b.id);
  });
  return {nearest.id, {0.4, 0.3, 0.2, 0.1}, place, force};
}

/// Collective. The result with all that ranks have of it, in canonical order.
ImpactResult gathered(const Comm& comm, ImpactResult result)
{
  const auto by_pair = [](const auto& x, const auto& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); };
  for (simulation::PlaneCut& plane : result.planes) {
    plane.bisections = test::all_gather(comm, plane.bisections);
    plane.parted = test::all_gather(comm, plane.parted);
    std::sort(plane.bisections.begin(), plane.bisections.end(), by_pair);
    std::sort(plane.parted.begin(), plane.parted.end(), by_pair);
  }
  result.moved = test::all_gather(comm, result.moved);
  std::sort(result.moved.begin(), result.moved.end(), [](const auto& x, const auto& y) { return x.node < y.node; });
  return result;
}

ImpactResult analysed(const Comm& comm, std::uint64_t seed, const material::Material& material, double force,
                      const ImpactOptions& options)
{
  const test::TestProblem problem = beam(comm, seed);
  const std::vector<ImpactForce> forces{
      force_at(comm, problem.model, Vec3(0.05, 0.15, 0.28), Vec3(0.1, 0.2, -1) * force),
      force_at(comm, problem.model, Vec3(0.12, 0.1, 0.28), Vec3(0, 0, -1) * force / 2)};
  return gathered(comm, analyse_impact(comm, records(problem.model), {material}, forces, options));
}

void check_same(const ImpactResult& a, const ImpactResult& b)
{
  CHECK(a.analysed == b.analysed);
  CHECK(a.greatest_stress == b.greatest_stress);
  CHECK(a.solves == b.solves);
  CHECK(a.iterations == b.iterations);
  CHECK(a.problem == b.problem);
  REQUIRE(a.planes.size() == b.planes.size());
  for (std::size_t k = 0; k < a.planes.size(); ++k) {
    CAPTURE(k);
    REQUIRE(a.planes[k].bisections.size() == b.planes[k].bisections.size());
    for (std::size_t i = 0; i < a.planes[k].bisections.size(); ++i) {
      const auto &x = a.planes[k].bisections[i], &y = b.planes[k].bisections[i];
      CHECK(std::tie(x.a, x.b, x.t) == std::tie(y.a, y.b, y.t));
    }
    REQUIRE(a.planes[k].parted.size() == b.planes[k].parted.size());
    for (std::size_t i = 0; i < a.planes[k].parted.size(); ++i) {
      const auto &x = a.planes[k].parted[i], &y = b.planes[k].parted[i];
      CHECK(std::tie(x.a, x.b) == std::tie(y.a, y.b));
    }
  }
  REQUIRE(a.moved.size() == b.moved.size());
  for (std::size_t i = 0; i < a.moved.size(); ++i)
    CHECK(std::tie(a.moved[i].node, a.moved[i].X) == std::tie(b.moved[i].node, b.moved[i].X));
}

}  // namespace

TEST_CASE("an impact does the same to a body whether one rank has it or all", "[hybrid][impact][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  material::Material brittle = test::chalk(2e4);
  brittle.phi = brittle.psi = 0;
  for (const bool cut : {false, true}) {
    CAPTURE(cut);
    const ImpactOptions options{.r_coll = 0.6,
                                .r_frac = 0.3,
                                .max_planes = 5,
                                .absorb = 1e-3,
                                .cut_elements = cut,
                                .least_cut_edge = 0.4,
                                .snapping = {}};
    const ImpactResult expected = analysed(alone, 1, brittle, 300, options);
    CHECK(expected.problem.empty());
    REQUIRE(expected.planes.size() > 2);
    CHECK(expected.planes[0].parted.size() > 10);
    CHECK(expected.planes[0].bisections.empty() == !cut);
    for (const std::uint64_t seed : {1u, 2u}) check_same(analysed(world, seed, brittle, 300, options), expected);
  }
}

TEST_CASE("an impact dents a body in the same way whether one rank has it or all", "[hybrid][impact][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  material::Material clay = test::chalk(3e4);
  clay.phi = clay.psi = 0, clay.k1 = 0.01, clay.k2 = 1;
  const ImpactOptions options{.r_coll = 0.6,
                              .r_frac = 0.15,
                              .max_planes = 2,
                              .absorb = 1e-4,
                              .cut_elements = true,
                              .least_cut_edge = 0.4,
                              .snapping = {}};
  const ImpactResult expected = analysed(alone, 1, clay, 300, options);
  CHECK(expected.moved.size() > 100);
  CHECK(!expected.planes.empty());
  for (const std::uint64_t seed : {1u, 2u}) check_same(analysed(world, seed, clay, 300, options), expected);
}

namespace {

/// A bar along x, of cubes of 0.1 m, that is pulled by its end at x = 1.6 m: what each corner of a face there gets is
/// what an even traction gives it.
struct PulledBar {
  static constexpr double area = 0.3 * 0.2, strength = 2e4;
  const Vec3 far_away{101.6, 0.15, 0.1};  // the ball around it that is not anchored ends in a plane at x = 0.8 m
  material::Material material = without_lateral_contraction();
  Comm alone{MPI_COMM_SELF};
  test::TestProblem problem;
  std::vector<ImpactForce> forces;

  explicit PulledBar(double tension)
    : problem(test::distributed(alone, test::box_mesh(16, 3, 2, 0.1), {material}, test::scattered(1)))
  {
    const mesh::TetMesh& mesh = problem.model.mesh;
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
      const auto X = mesh.corners(e);
      std::vector<std::size_t> at_end;
      for (std::size_t c = 0; c < 4; ++c)
        if (X[c].x() > 1.6 - 1e-9) at_end.push_back(c);
      if (at_end.size() != 3) continue;
      const Vec3 a = X[at_end[0]], b = X[at_end[1]], c = X[at_end[2]];
      ImpactForce force{mesh.element_id(e), {}, far_away, Vec3(tension * (b - a).cross(c - a).norm() / 2, 0, 0)};
      for (const std::size_t k : at_end) force.shares[k] = 1.0 / 3;
      forces.push_back(force);
    }
  }

  static material::Material without_lateral_contraction()
  {
    material::Material m = test::chalk(strength);
    m.phi = m.psi = 0, m.lambda = 0;
    return m;
  }

  ImpactResult analysed()
  {
    const ImpactOptions options{.r_coll = 100.8,
                                .r_frac = 1,
                                .max_planes = 1,
                                .absorb = 1,
                                .cut_elements = true,
                                .least_cut_edge = 0.1,
                                .snapping = {}};
    return analyse_impact(alone, records(problem.model), {material}, forces, options);
  }
};

}  // namespace

TEST_CASE("the stress of an evenly pulled bar is force over area", "[hybrid][impact]")
{
  const double tension = 1e4;
  PulledBar bar(tension);
  const ImpactResult result = bar.analysed();
  CHECK(result.problem.empty());
  CHECK(result.planes.empty());
  // The tangent at rest is 2 mu = 6 MPa: the stress is of a strain of 0.2 %, on an area that stays.
  CHECK(result.greatest_stress == Approx(tension).epsilon(0.005));
}

TEST_CASE("a bar pulled beyond its strength parts across the pull, all the way through", "[hybrid][impact]")
{
  PulledBar bar(1.5 * PulledBar::strength);
  const ImpactResult result = bar.analysed();
  REQUIRE(result.planes.size() == 1);
  const mesh::TetMesh& mesh = bar.problem.model.mesh;
  const auto& bisections = result.planes[0].bisections;
  REQUIRE(bisections.size() > 10);
  std::map<NodeId, Vec3> places;  // of what is on the plane
  for (const fracture::Bisection& cut : bisections) {
    const Vec3 a = mesh.node(*mesh.find(cut.a)).X, b = mesh.node(*mesh.find(cut.b)).X;
    places[mesh::edge_node_id(cut.a, cut.b)] = (1 - cut.t) * a + cut.t * b;
  }
  const double x = places.begin()->second.x();
  for (const auto& [node, place] : places) CHECK(place.x() == Approx(x).margin(2e-3));
  // The faces that come apart, put on the plane, cover the section.
  double area = 0;
  for (const simulation::PartedFace& face : result.planes[0].parted) {
    std::array<Vec3, 3> X;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto made = places.find(face.nodes[k]);
      X[k] = made != places.end() ? made->second : mesh.node(*mesh.find(face.nodes[k])).X;
      CHECK(X[k].x() == Approx(x).margin(0.05));
    }
    area += std::abs((X[1] - X[0]).cross(X[2] - X[0]).x()) / 2;
  }
  CHECK(area == Approx(PulledBar::area).epsilon(1e-9));
}
