#include "core/memory.hpp"
#include "partition/curve_cut.hpp"
#include "partition/decompose_parallel.hpp"
#include "physics/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <functional>
#include <string>

using namespace sunder;

namespace {

/// Two boxes that fly at each other, of 207 360 elements, at least one of which may yield.
config::Scene two_boxes(const std::string& yielding)
{
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{force: 1.0e6}}{}}}
bodies:
  - {{name: left, mesh: {{file: {}, refine: 2}}, material: clay, velocity: [1, 0, 0]}}
  - {{name: right, mesh: {{file: {}, refine: 2}}, material: clay, position: [1.2001, 0, 0], velocity: [-1, 0, 0]}}
time: {{end: 1}}
)",
                                 yielding, test::mesh_file("memory_box", test::box_mesh(12, 5, 9, 0.1)),
                                 test::mesh_file("memory_box", test::box_mesh(12, 5, 9, 0.1))));
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

struct Peak {
  double model = 0;     ///< What the run held before, beyond what the program needs [bytes].
  double greatest = 0;  ///< Of the same meanwhile.
};

/// Shares out once by the cut and says what it took on this rank.
Peak peak_of(const Comm& comm, const std::string& yielding, const simulation::Cut& cut)
{
  const auto program = static_cast<double>(resident_bytes());
  simulation::Simulation simulation(comm, two_boxes(yielding));
  do {
    simulation.compute_forces();
    simulation.advance(simulation.step_size());
  } while (!simulation.at_rest_point());
  Peak peak;
  peak.model = static_cast<double>(resident_bytes()) - program;
  forget_peak();
  CHECK(simulation.share_out(cut));
  peak.greatest = static_cast<double>(peak_since()) - program;
  return peak;
}

}  // namespace

TEST_CASE("a rank needs half its share more, at most, while shares change hands", "[partition][parallel]")
{
  const Comm world;
  struct Case {
    const char *name, *yielding;
    simulation::Cut cut;
  };
  const simulation::Cut to_the_next = [](const Comm& comm, const partition::NodeRows& rows) {
    return std::vector<Rank>(rows.weights.size(), (comm.rank() + 1) % comm.size());
  };
  for (const auto& [name, yielding, cut] :
       {Case{"PT-Scotch", "", partition::decompose_rows}, Case{"the curve", "", partition::cut_along_curve},
        Case{"all to the next rank", "", to_the_next},
        Case{"all to the next rank, plastic", ", k1: 0.002, k2: 0.05", to_the_next}}) {
    const Peak peak = peak_of(world, yielding, cut);
    const double ratio = world.max(peak.greatest / peak.model);
    INFO(name << ": " << ratio << " times " << peak.model / 1e6 << " MB");
    if (world.rank() == 0) WARN(name << ": " << ratio << " times " << peak.model / 1e6 << " MB");
    CHECK(peak.model > 20e6);
    CHECK(ratio <= 1.5);
  }
}
