#include "simulation/rebuild_bodies.hpp"

#include "core/memory.hpp"
#include "core/sort_unique.hpp"
#include "element/cohesion.hpp"
#include "simulation/model_records.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace sunder::simulation {

/// What is left of the old model goes before the new one is whole, so that there are never two.
void rebuild_bodies(partition::MigrationRecords& bodies, State& state)
{
  element::Model old = std::exchange(state.model, element::Model());
  auto materials = std::move(old.materials);
  auto interfaces = std::move(old.interfaces);
  const element::StepOptions step_options = old.step_options;
  const std::uint32_t rounds = old.rounds;
  std::vector<element::MaterialPoint> points = std::move(old.points);
  const mesh::FaceSets face_sets = old.mesh.face_sets();
  old = element::Model();
  return_freed();
  state.model = model_from(state.comm.rank(), bodies, std::move(materials), step_options, std::move(interfaces));
  state.model.rounds = rounds;
  state.model.points = std::move(points);
  element::find_slots(state.model.points, state.model.mesh);
  state.model.mesh.set_face_sets(face_sets);
  state.halo = std::make_unique<partition::Halo>(state.comm, state.model.mesh, element::cohesive(state.model));
  state.maximum_speed = state.comm.max(state.maximum_speed);
}

void remove_elements(std::span<const LocalIndex> elements, State& state)
{
  const element::Model& model = state.model;
  const mesh::TetMesh& mesh = model.mesh;
  partition::MigrationRecords kept;
  std::vector<LocalIndex> nodes;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e) || std::binary_search(elements.begin(), elements.end(), e)) continue;
    append_element(model, e, kept.elements);
    nodes.insert(nodes.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  }
  sort_unique(nodes);
  for (const LocalIndex n : nodes) kept.nodes.push_back(node_record(model, n));
  std::sort(kept.nodes.begin(), kept.nodes.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  rebuild_bodies(kept, state);
  std::int64_t left = 0;
  for (LocalIndex e = 0; e < state.model.mesh.num_slots(); ++e) left += state.model.mesh.primary(e);
  state.num_elements = state.comm.sum(left);
}

}  // namespace sunder::simulation
