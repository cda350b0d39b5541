#include "simulation/fragments/find_fragments.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <optional>

using namespace sunder;

namespace {

constexpr double loads_end = 0.0025;  // [s]

/// A free bar, pulled at both ends and then pushed. Nothing else acts on it: the pulls meet in its middle and crack it,
/// the pushes come after them and press the faces together, and both run up and down what is left. By the sources'
/// criterion it is still one fragment while it is pushed, and its faces are pressed a little. By the tensile one it is
/// in two, whose faces take the whole push, 8 % of strain: more than contact gives back as it took it.
std::string scene()
{
  const auto waves = [](double sign) {
    return fmt::format(
        "[{{time: 0, traction: [0, 0, 0]}}, {{time: 0.0005, traction: [{}, 0, 0]}}, {{time: 0.001, traction: [0, 0, "
        "0]}}, "
        "{{time: 0.0015, traction: [{}, 0, 0]}}, {{time: {}, traction: [0, 0, 0]}}]",
        sign * 4e5, -sign * 8e5, loads_end);
  };
  return fmt::format(R"(
materials:
  brittle: {{E: 1.0e7, nu: 0.3, density: 1000, toughness: {{stress: 4.5e5}}}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: brittle}}
loads:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1, 1]}}}}, traction: {}}}
  - {{name: right, where: {{box: {{min: [0.59999, -1, -1], max: [1, 1, 1]}}}}, traction: {}}}
collisions: {{damping: 0}}
fracture: {{criterion: sources}}
time: {{end: 1, safety: 0.4}}
)",
                     test::mesh_file("crack_faces_bar", test::box_mesh(24, 2, 2, 0.025, 0.2, 3)), waves(-1), waves(1));
}

/// Collective. Of each fragment [kg m/s].
std::vector<Vec3> momenta(const test::Simulation& simulation, const Comm& comm)
{
  const element::Model& model = simulation.model();
  const auto fragments = simulation::find_fragments(model, simulation.halo());
  std::vector<Vec3> momenta(static_cast<std::size_t>(fragments.count), Vec3::Zero());
  const auto of_node = simulation::fragment_of_nodes(comm, fragments);
  for (std::size_t n = 0; n < of_node.size(); ++n)
    if (of_node[n] >= 0 && model.mesh.owned(static_cast<LocalIndex>(n)))
      momenta[static_cast<std::size_t>(of_node[n])] += model.mass[n] * model.v[n].xyz();
  for (Vec3& momentum : momenta)
    for (double& component : momentum) component = comm.sum(component);
  return momenta;
}

/// What fragments that have just parted give each other in the ten steps that follow, if no crack grows meanwhile.
class Partings {
public:
  /// Collective. After each step.
  void look(const test::Simulation& simulation, const Comm& comm)
  {
    if (simulation.state.events != events_) {
      events_ = simulation.state.events;
      before_ = momenta(simulation, comm);  // to part a node changes no velocity
      steps_left_ = before_.size() > fragments_ ? 10 : 0;
      fragments_ = before_.size();
    } else if (steps_left_ > 0 && --steps_left_ == 0) {
      double given = 0;
      const std::vector<Vec3> after = momenta(simulation, comm);
      for (std::size_t k = 0; k < after.size(); ++k) given += (after[k] - before_[k]).norm() / 2;
      greatest = std::max(greatest, given), ++count;
    }
  }

  int count = 0;
  double greatest = 0;  ///< [kg m/s]

private:
  std::int64_t events_ = 0;
  std::size_t fragments_ = 1;
  std::vector<Vec3> before_;
  int steps_left_ = 0;
};

struct Life {
  double first_crack = 0;                      // [s]
  double energy = 0, most_energy = 0;          // kinetic and elastic, at the first crack and later [J]
  double least_contact = 0, most_contact = 0;  // [J]
  double external = 0;                         // since the first crack [J]
  Partings partings;
  std::uint64_t hash = 0;
};

Life live(const Comm& comm)
{
  test::Simulation simulation(comm, test::scene(scene()));
  simulation.compute_forces();
  simulation.history_row();
  Life life;
  std::optional<simulation::Energy> at_crack;
  while (simulation.state.time < 0.012) {
    simulation.advance(simulation.step_size());
    simulation.compute_forces();
    life.partings.look(simulation, comm);
    if (simulation.state.events == 0) continue;
    const simulation::Energy energy = simulation.history_row().energy;
    if (!at_crack)
      at_crack = energy, life.first_crack = simulation.state.time, life.energy = energy.kinetic + energy.elastic;
    life.most_energy = std::max(life.most_energy, energy.kinetic + energy.elastic);
    life.least_contact = std::min(life.least_contact, energy.contact);
    life.most_contact = std::max(life.most_contact, energy.contact);
    life.external = energy.external - at_crack->external;
  }
  life.hash = simulation::state_hash(simulation.model(), comm);
  return life;
}

}  // namespace

TEST_CASE("faces of a crack that are pressed together give back no more energy than they took, and part without a kick",
          "[physics][contact][parallel]")
{
  const Comm world;
  const Life life = live(world);
  CHECK(life.first_crack > loads_end);
  CHECK(life.external == 0);
  CHECK(life.most_contact > 0.02 * life.energy);  // they are pressed
  CHECK(life.least_contact > -1e-3 * life.energy);
  CHECK(life.most_energy < (1 + 1e-3) * life.energy);

  CHECK(life.partings.count > 1);
  const double wave = 0.6 * 0.05 * 0.05 * 1000 * 4;  // the bar's mass at the speed of what pulls it apart [kg m/s]
  CHECK(life.partings.greatest < 2e-4 * wave);

  if (world.size() > 1) CHECK(live(Comm(MPI_COMM_SELF)).hash == life.hash);
}
