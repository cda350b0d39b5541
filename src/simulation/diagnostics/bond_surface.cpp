#include "simulation/diagnostics/bond_surface.hpp"

#include "simulation/diagnostics/frame_fields.hpp"

namespace sunder::simulation {

io::Frame bond_surface(const State& state, const lattice::Lattice& lattice, bool reference_geometry)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  const lattice::Bonds& bonds = lattice.bonds();
  io::Frame frame;
  frame.time = state.time;
  add_nodes(state, {.reference_geometry = reference_geometry}, frame);
  const auto count = static_cast<std::size_t>(bonds.num_owned);
  std::vector<std::int32_t> broken;
  for (std::size_t b = 0; b < count; ++b) {
    const Tet& tet = mesh.tet(bonds.elements[b][0]);
    const auto& [i, j, k] = mesh::face_corners[bonds.opposite[b]];
    frame.element_id.push_back(bonds.keys[b].a);
    frame.corners.push_back({tet[i], tet[j], tet[k], io::no_corner});
    broken.push_back(lattice.broken()[b]);
  }
  const auto own = [count](std::span<const double> values) {
    return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  frame.element_fields.push_back({"BondForce", "N", 1, own(lattice.forces())});
  frame.element_fields.push_back({"BondStrength", "N", 1, own(lattice.strengths())});
  frame.element_fields.push_back({"Broken", "", 1, std::move(broken)});
  return frame;
}

}  // namespace sunder::simulation
