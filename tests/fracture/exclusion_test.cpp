/// Law: in a field that is the same everywhere no node near a young crack fails unless it continues that crack, on any
/// number of ranks alike.
#include "fracture/exclusion.hpp"

#include "core/reduction.hpp"
#include "fracture/crack.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace sunder;

namespace {

constexpr double cell = 0.1, zone_share = 0.45;
constexpr double strength = 1e4;  // [Pa]
constexpr int cells = 3, high = 12;

/// Its zone is six cells long, so the share of it is less than three.
material::Material with_long_zone()
{
  material::Material m = test::chalk();
  m.toughness_form = material::ToughnessForm::stress, m.toughness = strength, m.cohesion.energy = 1;
  m.cohesion.energy = 6 * cell / material::process_zone(m);
  return m;
}

/// A long box that is stretched along z, the same everywhere, to so many times its strength.
test::TestProblem stretched(double times = 1.4)
{
  test::TestProblem problem = test::distributed(Comm(MPI_COMM_WORLD), test::box_mesh(cells, cells, high, cell),
                                                {with_long_zone()}, test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  for (Row4& p : model.p) p.z *= 1 + times * strength / model.materials[0].p_wave_modulus();
  return problem;
}

LocalIndex owned_node_at(const mesh::TetMesh& mesh, const Vec3& X)
{
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n) && (mesh.node(n).X - X).norm() < 1e-9) return n;
  return -1;
}

}  // namespace

TEST_CASE("the exclusion around a young crack is as long as its share of the zone, and no longer",
          "[fracture][exclusion][parallel]")
{
  test::TestProblem problem = stretched();
  element::Model& model = problem.model;
  const Vec3 middle(cell, cell, 6 * cell);
  const LocalIndex n = owned_node_at(model.mesh, middle);
  std::vector<LocalIndex> failed;
  if (n >= 0) failed.push_back(n);
  fracture::FractureOptions options;
  options.exclusion = zone_share, options.max_rounds = 1;
  const fracture::CrackResult result = fracture::crack(model, *problem.halo, failed, options);
  REQUIRE(result.events_of_all == 1);

  std::vector<LocalIndex> all_nodes;
  for (LocalIndex q = 0; q < model.mesh.num_nodes(); ++q)
    if (model.mesh.owned(q)) all_nodes.push_back(q);
  fracture::Exclusion exclusion;
  exclusion.look(model, *problem.halo, zone_share, all_nodes);
  const double reach = zone_share * material::process_zone(model.materials[0]);
  REQUIRE(reach == Approx(2.7 * cell));
  std::int64_t inside = 0, along = 0, wrong = 0;
  for (LocalIndex q = 0; q < model.mesh.num_nodes(); ++q) {
    if (!model.mesh.owned(q)) continue;
    const Vec3 d = model.mesh.node(q).X - middle;
    inside += exclusion.contains(q);
    if (exclusion.contains(q) && d.norm() >= reach) ++wrong;  // no way along edges is shorter than the straight one
    if (d.head<2>().norm() < 1e-9 && std::abs(std::abs(d.z()) - 2 * cell) < 1e-9) along += exclusion.contains(q);
    if (d.norm() < 1e-9 && !exclusion.contains(q)) ++wrong;
  }
  Reduction all;
  all.sum(inside), all.sum(along), all.sum(wrong);
  all.over(problem.halo->comm());
  CHECK(wrong == 0);
  CHECK(along == 2);   // two cells above and below, straight along edges
  CHECK(inside > 27);  // beyond the neighbours
  fracture::Exclusion none;
  none.look(model, *problem.halo, 0, all_nodes);
  for (LocalIndex q = 0; q < model.mesh.num_nodes(); ++q) CHECK_FALSE(none.contains(q));

  // Asked for alone, each node hears the same.
  std::int64_t other = 0, excluded = 0;
  for (int cells = 0; cells <= 12; ++cells) {
    const LocalIndex q = owned_node_at(model.mesh, {cell, 0, cells * cell});
    fracture::Exclusion of_one;
    of_one.look(model, *problem.halo, zone_share, q >= 0 ? std::vector<LocalIndex>{q} : std::vector<LocalIndex>{});
    other += q >= 0 && of_one.contains(q) != exclusion.contains(q);
    excluded += q >= 0 && of_one.contains(q);
  }
  CHECK(problem.halo->comm().sum(other) == 0);
  CHECK(problem.halo->comm().sum(excluded) > 0);
}

TEST_CASE("a node that continues no crack bears twice its toughness near a young one",
          "[fracture][exclusion][parallel]")
{
  // One node is parted; then, in the same state, the one two cells above it is asked.
  const auto events = [](double share, double times) {
    test::TestProblem problem = stretched(times);
    element::Model& model = problem.model;
    fracture::FractureOptions options;
    options.exclusion = share, options.max_rounds = 1;
    const auto ask = [&](const Vec3& X) {
      std::vector<LocalIndex> failed;
      if (const LocalIndex n = owned_node_at(model.mesh, X); n >= 0) failed.push_back(n);
      return fracture::crack(model, *problem.halo, failed, options).events_of_all;
    };
    REQUIRE(ask({cell, cell, 6 * cell}) == 1);
    return ask({cell, cell, 8 * cell});
  };
  CHECK(events(0, 1.4) == 1);
  CHECK(events(zone_share, 1.4) == 0);
  CHECK(events(zone_share, 2.8) == 1);
}
