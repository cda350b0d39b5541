#include "simulation/setup/setup.hpp"

#include "contact/law/penalty.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"
#include "element/make_model.hpp"
#include "partition/refine/refine.hpp"
#include "simulation/crack_fronts.hpp"
#include "simulation/fragments/fragment_history.hpp"
#include "simulation/probes.hpp"
#include "simulation/sections.hpp"
#include "simulation/setup/coarse_mesh_source.hpp"
#include "simulation/setup/fast_motions.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/selection.hpp"
#include "simulation/setup/small_obstacles.hpp"
#include "simulation/setup/unloaded_scene.hpp"

#include <algorithm>

namespace sunder::simulation {

std::vector<contact::Obstacle> completed_obstacles(const config::Scene& scene, double mesh_size)
{
  double modulus = 0;
  for (const auto& m : scene.materials) modulus = std::max(modulus, m.p_wave_modulus());
  auto obstacles = scene.obstacles;
  for (contact::Obstacle& o : obstacles) {
    SUNDER_ASSERT(o.shape != rigid::Shape::mesh || o.surface);
    if (o.response.stiffness == 0) o.response.stiffness = contact::default_stiffness(modulus, mesh_size);
  }
  return obstacles;
}

/// Links of a solver whose steps they do not shorten are stiffer: docs/cohesion.md.
element::StepOptions step_options(const config::Scene& scene)
{
  using config::Method;
  constexpr double with_long_steps = 40;
  element::StepOptions options{scene.time.viscosity_cap, scene.time.mass_scaling_step};
  if (scene.solver.method == Method::static_equilibrium || scene.solver.method == Method::implicit_dynamics)
    options.link_stiffness = with_long_steps;
  return options;
}

namespace {

/// The model of what this rank is to hold, with its halo and its marks.
void make_bodies(const config::Scene& scene, partition::Part part, State& state)
{
  element::Model& model = state.model;
  PlacedMaterials materials = place_materials(scene);
  model = element::make_model(std::move(part.mesh), std::move(materials.all), step_options(scene),
                              std::move(materials.interfaces));
  if (fault_point(FaultKind::check, "set-up: elements"))
    note(model.problem, std::string("an element of the mesh: material volume 0 m^3, expected > 0"));
  throw_on_all(state.comm, model.problem);
  for (std::size_t n = 0; n < part.velocities.size(); ++n) model.v[n].set_xyz(part.velocities[n]);
  state.halo = std::make_unique<partition::Halo>(state.comm, model.mesh, element::cohesive(model));
  select_by_place(selections(scene), *state.halo, model.mesh);
  mark_face_sets(part.marked_faces, *state.halo, model.mesh);
  select_loaded_faces(scene, part.surface_marks, *state.halo, model.mesh);
  find_face_sets(scene, state.comm, model.mesh);
  GlobalIndex owned = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) owned += model.mesh.owned(n);
  state.initial_nodes = state.comm.sum(owned);
}

}  // namespace

State set_up(const Comm& comm, const config::Scene& scene)
{
  State state;
  state.comm = comm;
  state.measured.memory_at_start = resident_bytes();
  {
    const PhaseStopwatch watch(state.measured.wall.setup);
    const ReleaseAsFreed frugal;
    CoarseMesh coarse = coarse_mesh(comm, scene);
    state.warnings = std::move(coarse.warnings);
    for (std::string& note : notes_on_forces(scene)) state.warnings.push_back(std::move(note));
    for (std::string& note : notes_on_small_obstacles(scene, coarse.size)) state.warnings.push_back(std::move(note));
    for (std::string& note : notes_on_fast_motions(scene, comm.max(greatest_speed(coarse.part.velocities))))
      state.warnings.push_back(std::move(note));
    for (std::string& note : notes_on_unloaded_scene(scene)) state.warnings.push_back(std::move(note));
    state.initial_elements = state.num_elements = coarse.elements, state.mesh_size = coarse.size;
    state.obstacles = completed_obstacles(scene, coarse.size);
    for (const auto& obstacle : state.obstacles) state.obstacle_motions.push_back(rigid::motion_at(obstacle, 0));
    state.reactions = Reactions(scene.boundary.size(), scene.loads.size(), scene.obstacles.size());
    make_bodies(scene, partition::refine(comm, std::move(coarse.part)), state);
    for (std::string& note :
         notes_on_cohesion(state.model.materials, state.model.interfaces, state.mesh_size, scene.fracture.exclusion))
      state.warnings.push_back(std::move(note));
    for (std::string& note : notes_on_crack_fronts(scene.output.crack_fronts, state.mesh_size))
      state.warnings.push_back(std::move(note));
    number_fragments(state);
    place_probes(scene, state);
    check_sections(scene.output.sections, state.model, comm);
    check_crack_fronts(scene.output.crack_fronts, state.model, comm);
  }
  return state;
}

}  // namespace sunder::simulation
