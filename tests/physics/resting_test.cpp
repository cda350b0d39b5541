#include "contact/law/obstacle_force.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

constexpr double edge = 0.1, g = 9.81;

/// Collective. What the floor gives, from the law of one element alone [N].
Vec3 force_of_floor(const test::Simulation& simulation, const Comm& comm)
{
  const element::Model& model = simulation.model();
  Vec3 force = Vec3::Zero();
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.primary(e))
      force += contact::element_contact(simulation.state.obstacles[0], simulation.state.obstacle_motions[0],
                                        model.positions(e), model.velocities(e))
                   .forces.rowwise()
                   .sum();
  for (int k = 0; k < 3; ++k) force[k] = comm.sum(force[k]);
  return force;
}

struct Rest {
  double weight = 0, borne = 0;  // [N]
  double drift = 0;              // farthest that either block's centre has been from where it began [m]
  double sideways = 0;           // what the floor holds them back with in the end [N]
  std::uint64_t hash = 0;
};

/// Two blocks with meshes that do not match, the upper one over the edge of the lower one on two sides.
Rest stand(const Comm& comm, double time)
{
  const std::string lower = test::mesh_file("resting_lower", test::box_mesh(4, 4, 4, edge / 4, 0.2, 3)),
                    upper = test::mesh_file("resting_upper", test::box_mesh(3, 3, 3, edge / 3, 0.2, 5));
  test::Simulation simulation(comm, test::scene(fmt::format(R"(
materials:
  rubber: {{E: 1.0e8, nu: 0.3, density: 1000}}
bodies:
  - {{name: lower, mesh: {{file: {}}}, material: rubber}}
  - {{name: upper, mesh: {{file: {}}}, material: rubber, position: [0.01, -0.02, {}]}}
obstacles:
  - {{name: floor, half_space: {{normal: [0, 0, 1]}}, friction: 0.3}}
gravity: [0, 0, -{}]
collisions: {{damping: 0, friction: 0.3}}
fracture: {{enabled: false}}
time: {{end: 1}}
)",
                                                            lower, upper, edge, g)));
  const auto place = [&](bool of_upper) {  // by the nodes that only one of the two can have
    const auto selected = [=](const Vec3& X) { return of_upper ? X.z() > 1.01 * edge : X.z() < 0.99 * edge; };
    return test::body_of(simulation, comm, selected).centre;
  };
  const Vec3 upper_before = place(true), lower_before = place(false);
  Rest rest;
  rest.weight = simulation::totals(simulation.model(), comm).mass * g;
  double impulse = 0;
  while (simulation.state.time < time) {
    simulation.compute_forces();
    const double dt = simulation.step_size();
    const Vec3 force = force_of_floor(simulation, comm);
    impulse += force.z() * dt;
    rest.sideways = force.head<2>().norm();
    simulation.advance(dt);
    rest.drift = std::max({rest.drift, (place(true) - upper_before).norm(), (place(false) - lower_before).norm()});
  }
  rest.borne = impulse / simulation.state.time;
  rest.hash = simulation::state_hash(simulation.model(), comm);
  return rest;
}

}  // namespace

TEST_CASE("blocks stacked on a floor stay, and the floor bears their weight", "[physics][contact]")
{
  const Rest rest = stand(Comm(), 0.2);  // fifty swings of the blocks on their contacts
  CHECK(rest.borne == Approx(rest.weight).epsilon(1e-3));
  CHECK(rest.drift < 1e-3 * edge);
  CHECK(rest.sideways < 1e-3 * rest.weight);
}

TEST_CASE("a stack stands the same on any number of ranks", "[physics][contact][parallel]")
{
  CHECK(stand(Comm(), 0.01).hash == stand(Comm(MPI_COMM_SELF), 0.01).hash);
}
