#include "core/memory.hpp"
#include "partition/curve_cut.hpp"
#include "partition/decompose_parallel.hpp"
#include "physics/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>

using namespace sunder;

namespace {

/// Two boxes that fly at each other, of 103 680 elements a rank.
config::Scene two_boxes(Rank ranks, const std::string& yielding)
{
  const std::string box = test::mesh_file("memory_box", test::box_mesh(9, 5, 3 * ranks, 0.1));
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{force: 1.0e6}}{}}}
bodies:
  - {{name: left, mesh: {{file: {}, refine: 2}}, material: clay, velocity: [1, 0, 0]}}
  - {{name: right, mesh: {{file: {}, refine: 2}}, material: clay, position: [0.9001, 0, 0], velocity: [-1, 0, 0]}}
time: {{end: 1}}
)",
                                 yielding, box, box));
}

/// So that the next peak is of what comes, not of what was.
void forget_peak()
{
  std::ofstream("/proc/self/clear_refs") << "5";
}

std::int64_t peak_since()
{
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      std::int64_t kilobytes = 0;
      status >> kilobytes;
      return 1024 * kilobytes;
    }
  return 0;
}

/// Beyond what the program needs [bytes].
struct Peak {
  double model = 0;     ///< What the run held before or holds after, whichever is more.
  double greatest = 0;  ///< Meanwhile.
};

/// With nothing that has been freed already, or there would be room for more.
double resident()
{
  malloc_trim(0);
  return static_cast<double>(resident_bytes());
}

/// The cut of nodes that all weigh the same: clocks, on which work depends, are not what is tested.
simulation::Cut even(const simulation::Cut& cut)
{
  return [cut](const Comm& comm, partition::NodeRows rows) {
    std::fill(rows.weights.begin(), rows.weights.end(), 1.0);
    return cut(comm, rows);
  };
}

/// Shares out once by the cut and says what it took on this rank. program: what is held without a simulation.
Peak peak_of(const Comm& comm, double program, const std::string& yielding, const simulation::Cut& cut)
{
  simulation::Simulation simulation(comm, two_boxes(comm.size(), yielding));
  do {
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  } while (!simulation.at_rest_point());
  Peak peak;
  peak.model = resident() - program;
  forget_peak();
  CHECK(simulation.share_out(cut));
  peak.greatest = static_cast<double>(peak_since()) - program;
  peak.model = std::max(peak.model, resident() - program);
  return peak;
}

}  // namespace

TEST_CASE("a rank needs half its share more, at most, while shares change hands", "[partition][parallel]")
{
  const Comm world;
  {
    simulation::Simulation(world, two_boxes(world.size(), "")).compute_forces();
  }  // so that libraries have what they keep
  const double program = resident();
  struct Case {
    const char *name, *yielding;
    simulation::Cut cut;
  };
  const simulation::Cut dealt_out = [](const Comm& comm, const partition::NodeRows& rows) {
    std::vector<Rank> owners(rows.weights.size());
    for (std::size_t n = 0; n < owners.size(); ++n)
      owners[n] = static_cast<Rank>(n * static_cast<std::size_t>(comm.size()) / owners.size());
    return owners;
  };
  for (const auto& [name, yielding, cut] :
       {Case{"PT-Scotch", "", even(partition::decompose_rows)}, Case{"the curve", "", even(partition::cut_along_curve)},
        Case{"each to all ranks", "", dealt_out},
        Case{"each to all ranks, plastic", ", k1: 0.002, k2: 0.05", dealt_out}}) {
    const Peak peak = peak_of(world, program, yielding, cut);
    const double ratio = world.max(peak.greatest / peak.model);
    INFO(name << ": " << ratio << " times on some rank, " << peak.model / 1e6 << " MB on this one");
    CHECK(peak.model > 20e6);
    CHECK(ratio <= 1.5);
  }
}
