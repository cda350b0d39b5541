#pragma once
/// A state of a problem, and that of a box with cracks.

#include "fracture/crack.hpp"
#include "simulation/fragments/fragment_history.hpp"
#include "simulation/state.hpp"
#include "support/problem.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace sunder::test {

inline simulation::State state_of(const Comm& comm, TestProblem problem)
{
  simulation::State state;
  state.comm = comm, state.model = std::move(problem.model), state.halo = std::move(problem.halo);
  state.mesh_size = 0.1;
  simulation::number_fragments(state);
  return state;
}

/// 0.5 x 0.4 x 0.4 m, torn in the middle: elements are cut, some cracks end within it, and the rest is deformed.
inline simulation::State torn_box(const Comm& comm, const Owners& owners)
{
  auto problem = distributed(comm, box_mesh(5, 4, 4, 0.1, 0.25, 3), {chalk(400)}, owners);
  std::vector<LocalIndex> owned;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n) {
    Row4& p = problem.model.p[static_cast<std::size_t>(n)];
    p.z += 0.004 * std::tanh((p.z - 0.19) / 0.05);
    if (problem.model.mesh.owned(n)) owned.push_back(n);
  }
  fracture::FractureOptions options;
  options.max_rounds = 1000;
  fracture::crack(problem.model, *problem.halo, owned, options, 0.25);
  return state_of(comm, std::move(problem));
}

}  // namespace sunder::test
