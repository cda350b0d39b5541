#pragma once
/// Scenes of a few bodies, for the laws of contact.

#include "config/parser.hpp"
#include "io/mesh_files/gmsh_writer.hpp"
#include "simulation/diagnostics/totals.hpp"
#include "support/simulation.hpp"

#include <filesystem>

namespace sunder::test {

/// Collective on the world, whoever then reads it: the mesh as a file.
inline std::string mesh_file(const std::string& name, const mesh::MeshData& mesh)
{
  const Comm world;
  const auto file = std::filesystem::temp_directory_path() / ("sunder_" + name + ".msh");
  world.barrier();  // others may still read the one before
  if (world.rank() == 0) io::write_gmsh(mesh, file.string());
  world.barrier();
  return file.string();
}

inline config::Scene scene(const std::string& text)
{
  return config::parse_scene(text, "/tmp/scene.yaml", {});
}

/// A part of the nodes, taken by where they were in the undeformed material.
struct Body {
  double mass = 0;
  Vec3 momentum = Vec3::Zero();  ///< [kg m/s]
  Vec3 centre = Vec3::Zero();    ///< Of mass [m].

  Vec3 velocity() const { return momentum / mass; }
};

/// Collective. With velocities as the scheme has them: at half steps.
template <class Selected>
Body body_of(const test::Simulation& simulation, const Comm& comm, Selected&& selected)
{
  const element::Model& model = simulation.model();
  Body body;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    if (!model.mesh.owned(n) || !selected(model.mesh.node(n).X)) continue;
    body.mass += model.mass[k];
    body.momentum += model.mass[k] * model.v[k].xyz();
    body.centre += model.mass[k] * model.p[k].xyz();
  }
  body.mass = comm.sum(body.mass);
  for (int k = 0; k < 3; ++k)
    body.momentum[k] = comm.sum(body.momentum[k]), body.centre[k] = comm.sum(body.centre[k]) / body.mass;
  return body;
}

}  // namespace sunder::test
