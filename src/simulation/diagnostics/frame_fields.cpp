#include "simulation/diagnostics/frame_fields.hpp"

#include "element/stress.hpp"

#include <cmath>

namespace sunder::simulation {
namespace {

std::array<double, 6> components(const Mat3& s)
{
  return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(0, 2)};
}

double norm(const std::array<double, 6>& e)
{
  return std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
}

}  // namespace

FrameFields frame_fields(const element::Model& model, std::span<const std::int64_t> fragment_of_node)
{
  const mesh::TetMesh& mesh = model.mesh;
  FrameFields f;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const mesh::Node& node = mesh.node(n);
    f.node_id.push_back(node.id), f.node_owner.push_back(node.owner), f.X.push_back(node.X);
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    const element::Deformation d =
        element::deformation(model.blocks.gradients(e), model.positions(e), model.velocities(e));
    const Mat3 cauchy = element::cauchy_stress(d.F, element::element_stress(model, e));
    f.written.push_back(e);
    f.stress.push_back(components(cauchy));
    f.max_principal_stress.push_back(element::largest_principal(cauchy).value);
    f.plastic_strain.push_back(norm(model.blocks.plastic_strain(e)));
    f.fragment.push_back(fragment_of_node[static_cast<std::size_t>(mesh.tet(e)[0])]);
  }
  return f;
}

io::Frame frame_of(const element::Model& model, const FrameFields& f, std::int64_t step, double time)
{
  io::Frame frame;
  frame.step = step, frame.time = time;
  frame.node_id = f.node_id, frame.node_owner = f.node_owner, frame.X = f.X;
  frame.p = model.p, frame.v = model.v;
  frame.tets = model.mesh.tets(), frame.element_id = model.mesh.element_ids(), frame.material = model.mesh.materials();
  frame.written = f.written, frame.stress = f.stress, frame.max_principal_stress = f.max_principal_stress;
  frame.plastic_strain = f.plastic_strain, frame.fragment = f.fragment;
  return frame;
}

}  // namespace sunder::simulation
