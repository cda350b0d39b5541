#include "simulation/diagnostics/bond_surface.hpp"

#include "simulation/diagnostics/frame_fields.hpp"

namespace sunder::simulation {

io::Frame bond_surface(const State& state, bool reference_geometry)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  io::Frame frame;
  frame.time = state.time;
  add_nodes(state, {.reference_geometry = reference_geometry}, frame);
  std::vector<double> forces, strengths;
  std::vector<std::int32_t> broken;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;  // a face is written by the least owner of its own corners (io::writer_of)
    const mesh::LatticeMemory& memory = state.model.lattice[static_cast<std::size_t>(e)];
    for (std::size_t face = 0; face < 4; ++face) {
      if (!memory.has_bond(face)) continue;
      const auto& [i, j, k] = mesh::face_corners[face];
      frame.element_id.push_back(mesh.element_id(e));
      frame.corners.push_back({mesh.tet(e)[i], mesh.tet(e)[j], mesh.tet(e)[k], io::no_corner});
      forces.push_back(memory.forces[face]), strengths.push_back(memory.strengths[face]);
      broken.push_back(memory.has_broken(face));
    }
  }
  frame.element_fields.push_back({"BondForce", "N", 1, std::move(forces)});
  frame.element_fields.push_back({"BondStrength", "N", 1, std::move(strengths)});
  frame.element_fields.push_back({"Broken", "", 1, std::move(broken)});
  return frame;
}

}  // namespace sunder::simulation
