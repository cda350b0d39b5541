#include "simulation/hybrid/rigid_bodies.hpp"

#include "simulation/hybrid/struck_bodies.hpp"
#include "simulation/stepping/record_splits.hpp"
#include "support/all_gather.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace sunder;
using simulation::RigidBody;

namespace {

config::Scene spinning_bar()
{
  return test::scene(fmt::format(R"(
materials:
  china: {{E: 1.0e9, nu: 0.2, density: 2400, phi: 0, psi: 0, toughness: {{stress: 1.0e7}}}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: china, rotation: {{axis: [1, 2, 0], angle: 0.8}}, velocity: [1, -2, 3],
      spin: [5, 2, -7]}}
solver: hybrid
time: {{end: 1}}
)",
                                 test::mesh_file("spinning_bar", test::box_mesh(7, 3, 2, 0.1, 0.2, 5))));
}

Vec3 centroid(const mesh::TetMesh& mesh, LocalIndex e)
{
  const auto X = mesh.corners(e);
  return (X[0] + X[1] + X[2] + X[3]) / 4;
}

/// Collective. All faces between elements with their centroids on different sides of a plane across the bar.
simulation::PlaneCut plane_at(const Comm& comm, const mesh::TetMesh& mesh, double x)
{
  std::vector<simulation::PartedFace> mine;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    for (const LocalIndex e : mesh.star(n))
      for (const LocalIndex f : mesh.star(n)) {
        if (!mesh.owned(n) || centroid(mesh, e).x() >= x || centroid(mesh, f).x() < x) continue;
        std::vector<NodeId> common;
        for (const LocalIndex corner : mesh.tet(e))
          if (std::count(mesh.tet(f).begin(), mesh.tet(f).end(), corner)) common.push_back(mesh.node(corner).id);
        if (common.size() != 3) continue;
        const auto [a, b] = std::minmax<ElementId>({mesh.element_id(e), mesh.element_id(f)});
        mine.push_back({a, b, {common[0], common[1], common[2]}});
      }
  std::vector<simulation::PartedFace> all = test::all_gather(comm, mine);
  const auto by_pair = [](const auto& p, const auto& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); };
  std::sort(all.begin(), all.end(), by_pair);
  all.erase(std::unique(all.begin(), all.end(), [](const auto& p, const auto& q) { return p.a == q.a && p.b == q.b; }),
            all.end());
  return {{}, all};
}

Vec3 momentum(const std::vector<RigidBody>& bodies)
{
  Vec3 sum = Vec3::Zero();
  for (const RigidBody& b : bodies) sum += b.inertia.mass * b.motion.velocity;
  return sum;
}

Vec3 angular_momentum(const std::vector<RigidBody>& bodies)
{
  Vec3 sum = Vec3::Zero();
  for (const RigidBody& b : bodies)
    sum += b.motion.angular_momentum + b.motion.position.cross(b.inertia.mass * b.motion.velocity);
  return sum;
}

double kinetic_energy(const std::vector<RigidBody>& bodies)
{
  double sum = 0;
  for (const RigidBody& b : bodies) sum += rigid::kinetic_energy(b.inertia, b.motion);
  return sum;
}

}  // namespace

TEST_CASE("the pieces of a body move on as its parts did: equation 22 of Mueller et al.", "[hybrid][parallel]")
{
  const Comm comm;
  test::Simulation simulation(comm, spinning_bar());
  simulation::State& state = simulation.state;
  simulation::RigidBodies bodies(state);
  bodies.make({});
  REQUIRE(bodies.all().size() == 1);
  const std::vector<RigidBody> whole = bodies.all();
  const rigid::Motion& motion = whole[0].motion;

  const std::vector<simulation::PlaneCut> planes{plane_at(comm, state.model.mesh, 0.29)};
  REQUIRE(planes[0].parted.size() > 10);
  const auto done = simulation::carry_out(state, planes);
  simulation::record_splits(state, done.splits, done.elements_more);
  const std::vector<std::size_t> struck{0};
  CHECK(bodies.follow(struck, {}, 0).size() == 2);

  const std::vector<RigidBody>& parts = bodies.all();
  REQUIRE(parts.size() == 2);
  for (const RigidBody& part : parts) {
    CHECK(part.inertia.mass > 0.2 * whole[0].inertia.mass);
    const Vec3 arm = part.motion.position - motion.position;
    CHECK(arm.norm() > 0.1);
    CHECK((part.motion.velocity - motion.velocity - motion.spin.cross(arm)).norm() < 1e-12 * motion.velocity.norm());
    CHECK((part.motion.spin - motion.spin).norm() < 1e-12 * motion.spin.norm());
  }
  // So nothing is lost. That holds for moments of inertia of the parts as well as for the motions.
  CHECK((momentum(parts) - momentum(whole)).norm() < 1e-12 * momentum(whole).norm());
  CHECK((angular_momentum(parts) - angular_momentum(whole)).norm() < 1e-12 * angular_momentum(whole).norm());
  CHECK(kinetic_energy(parts) == Approx(kinetic_energy(whole)).epsilon(1e-12));
}
