#include "partition/decompose/curve_partition.hpp"
#include "partition/decompose/decompose_parallel.hpp"
#include "support/allocated.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <string>

using namespace sunder;

namespace {

/// Two boxes that fly at each other, of 103 680 elements a rank. Plastic: they spin as well, which stretches every
/// element, and yield at once.
config::Scene two_boxes(Rank ranks, bool plastic, bool contact)
{
  const std::string yielding = plastic ? ", k1: 0, k2: 0.05" : "", spin = plastic ? ", spin: [0, 0, 10]" : "";
  const std::string box = test::mesh_file("memory_box", test::box_mesh(9, 5, 3 * ranks, 0.1));
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{force: 1.0e6}}{}}}
bodies:
  - {{name: left, mesh: {{file: {}, refine: 2}}, material: clay, velocity: [1, 0, 0]{}}}
  - {{name: right, mesh: {{file: {}, refine: 2}}, material: clay, position: [0.9001, 0, 0], velocity: [-1, 0, 0]{}}}
time: {{end: 1}}
collisions: {{enabled: {}}}
)",
                                 yielding, box, spin, box, spin, contact));
}

/// Beyond what the program needs [bytes].
struct Peak {
  double model = 0;     ///< What the run held before or holds after, whichever is more.
  double greatest = 0;  ///< Meanwhile.
};

/// The parts of nodes that all weigh the same: clocks, on which work depends, are not what is tested.
simulation::Partitioner even(const simulation::Partitioner& partitioner)
{
  return [partitioner](const Comm& comm, partition::NodeRows rows) {
    std::fill(rows.weights.begin(), rows.weights.end(), 1.0);
    return partitioner(comm, rows);
  };
}

LocalIndex num_yielded(const element::Model& model)
{
  LocalIndex yielded = 0;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    yielded += model.blocks.plastic_strain(e) != std::array<double, 6>{};
  return yielded;
}

/// Repartitions once and says what it took on this rank. program: what is held without a simulation.
Peak peak_of(const Comm& comm, double program, const config::Scene& scene, const simulation::Partitioner& partitioner)
{
  test::Simulation simulation(comm, scene);
  do {
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  } while (!simulation.at_sync_point() || simulation.state.steps < 2);
  const element::Model& model = simulation.model();
  CHECK(num_yielded(model) == (model.blocks.plastic() ? model.mesh.num_slots() : 0));
  Peak peak;
  peak.model = static_cast<double>(test::allocated()) - program;
  test::forget_peak();
  CHECK(simulation.repartition(partitioner));
  peak.greatest = static_cast<double>(test::peak_allocated()) - program;
  peak.model = std::max(peak.model, static_cast<double>(test::allocated()) - program);
  return peak;
}

}  // namespace

TEST_CASE("a rank never holds two models while parts change hands", "[partition][parallel]")
{
  const Comm world;
  {
    test::Simulation(world, two_boxes(world.size(), false, true)).compute_forces();
  }  // so that libraries have what they keep
  const auto program = static_cast<double>(test::allocated());
  struct Case {
    const char* name;
    bool plastic, contact;
    simulation::Partitioner partitioner;
  };
  const simulation::Partitioner halves = [](const Comm& comm, const partition::NodeRows& rows) {
    std::vector<Rank> owners(rows.weights.size(), comm.rank());
    std::fill(owners.begin() + static_cast<std::ptrdiff_t>(owners.size() / 2), owners.end(),
              (comm.rank() + 1) % comm.size());
    return owners;
  };
  for (const auto& [name, plastic, contact, partitioner] :
       {Case{"PT-Scotch", false, false, even(partition::decompose_rows)},
        Case{"PT-Scotch, contact", false, true, even(partition::decompose_rows)},
        Case{"the curve", false, false, even(partition::partition_along_curve)},
        Case{"half to the next rank", false, false, halves},
        Case{"PT-Scotch, yielded", true, false, even(partition::decompose_rows)},
        Case{"half to the next rank, yielded", true, false, halves}}) {
    const Peak peak = peak_of(world, program, two_boxes(world.size(), plastic, contact), partitioner);
    const double ratio = world.max(peak.greatest / peak.model);
    INFO(name << ": " << ratio << " times on some rank, " << peak.model / 1e6 << " MB on this one");
    CHECK(peak.model > 15e6);
    CHECK(ratio <= 1.4);
  }
}
