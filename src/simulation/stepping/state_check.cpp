#include "simulation/stepping/state_check.hpp"

#include <fmt/format.h>

namespace sunder::simulation {

std::optional<Failure> find_not_a_number(const State& state)
{
  std::optional<Failure> problem;
  const element::Model& model = state.model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = model.mesh.node(n);
    if (!model.mesh.owned(n) || model.v[static_cast<std::size_t>(n)].xyz().allFinite()) continue;
    if (problem && problem->key < node.id.low) continue;
    note(problem, {fmt::format("step {}, t = {:.6g} s: node {} at material position ({:.4g}, {:.4g}, {:.4g}) m has a "
                               "velocity that is not a number, expected a finite one; the step is {:.3g} s",
                               state.steps, state.time, node.id.low, node.X.x(), node.X.y(), node.X.z(), state.dt),
                   node.id.low});
  }
  return problem;
}

LocalIndex first_inverted(const element::Model& model, LocalIndex found)
{
  const mesh::TetMesh& mesh = model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e) || mesh.element_id(e) >= mesh.element_id(found)) continue;
    const Mat3 F = model.positions(e) * model.blocks.gradients(e).transpose();
    if (!(F.determinant() > 0)) found = e;
  }
  return found;
}

Failure describe_inverted(const State& state, LocalIndex e)
{
  const std::uint64_t id = state.model.mesh.element_id(e).low;
  return {fmt::format("step {}, t = {:.6g} s: element {} is turned inside out, expected det F > 0", state.steps,
                      state.time, id),
          id};
}

}  // namespace sunder::simulation
