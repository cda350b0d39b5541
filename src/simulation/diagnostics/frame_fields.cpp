#include "simulation/diagnostics/frame_fields.hpp"

#include "fracture/failing_nodes.hpp"
#include "io/frames/piece.hpp"
#include "simulation/diagnostics/field_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder::simulation {
namespace {

using Column = std::vector<double>;

bool wants(const FrameOptions& options, const char* name)
{
  return std::find(options.fields.begin(), options.fields.end(), name) != options.fields.end();
}

/// All elements held: a piece shows some of them as ghosts.
void add_elements(const element::Model& model, const FrameOptions& options, io::Frame& frame)
{
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<const ElementField*> chosen;
  std::vector<Column> columns;
  for (const ElementField& field : element_fields())
    if (wants(options, field.name)) chosen.push_back(&field), columns.emplace_back();
  std::vector<std::int64_t> fragment, parent_fragment;
  std::vector<std::int32_t> material, rank;
  const auto most = static_cast<std::size_t>(mesh.num_slots());
  frame.element_id.reserve(most), frame.corners.reserve(most);
  fragment.reserve(most), parent_fragment.reserve(most), material.reserve(most), rank.reserve(most);
  for (std::size_t k = 0; k < chosen.size(); ++k)
    columns[k].reserve(most * static_cast<std::size_t>(chosen[k]->components));
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    frame.element_id.push_back(mesh.element_id(e)), frame.corners.push_back(mesh.tet(e));
    const element::NodeHistory& history = model.history[at(mesh.tet(e)[0])];
    fragment.push_back(history.fragment), parent_fragment.push_back(history.parent_fragment);
    material.push_back(mesh.material(e)), rank.push_back(mesh.primary_rank(e));
    if (chosen.empty()) continue;
    const ElementView view = view_of(model, e);
    for (std::size_t k = 0; k < chosen.size(); ++k) chosen[k]->append(view, columns[k]);
  }
  for (std::size_t k = 0; k < chosen.size(); ++k)
    frame.element_fields.push_back({chosen[k]->name, chosen[k]->unit, chosen[k]->components, std::move(columns[k])});
  frame.element_fields.push_back({"Fragment", "", 1, std::move(fragment)});
  frame.element_fields.push_back({"Parent", "", 1, std::move(parent_fragment)});
  frame.element_fields.push_back({"Material", "", 1, std::move(material)});
  frame.element_fields.push_back({"Rank", "", 1, std::move(rank)});
}

// ---- nodes ----

/// Three numbers for each node.
Column vectors(const element::Model& model, const auto& vector_of)
{
  Column column;
  column.reserve(3 * model.p.size());
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const Vec3 v = vector_of(n);
    column.insert(column.end(), v.data(), v.data() + 3);
  }
  return column;
}

Column displacements(const State& state, const FrameOptions&)
{
  const element::Model& model = state.model;
  return vectors(model, [&](LocalIndex n) -> Vec3 { return model.p[at(n)].xyz() - model.mesh.node(n).X; });
}

Column material_positions(const State& state, const FrameOptions&)
{
  return vectors(state.model, [&](LocalIndex n) { return state.model.mesh.node(n).X; });
}

Column velocities(const State& state, const FrameOptions&)
{
  return vectors(state.model, [&](LocalIndex n) { return state.model.v[at(n)].xyz(); });
}

Column speeds(const State& state, const FrameOptions&)
{
  Column column;
  for (const Row4& v : state.model.v) column.push_back(v.xyz().norm());
  return column;
}

/// Collective on neighbours.
Column failure_times(const State& state, const FrameOptions&)
{
  Column column;
  for (const element::NodeHistory& history : state.model.history) column.push_back(history.failure_time);
  state.halo->owners_to_ghosts(std::span<double>(column));
  return column;
}

/// Collective on neighbours. v+ / tau of each node: it fails above 1. As the cracks of the last step left it, without
/// residuals.
Column damage(const State& state, const FrameOptions& options)
{
  const element::Model& model = state.model;
  fracture::SplitForces forces(model);
  Column ratio(model.p.size(), 0);
  constexpr LocalIndex at_once = 1 << 14;  // forces of all elements at once would be as large as the frame
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (n % at_once == 0) forces.forget();
    if (model.mesh.owned(n)) ratio[at(n)] = damage_of(model, forces, n, options.criterion);
  }
  state.halo->owners_to_ghosts(std::span<double>(ratio));
  return ratio;
}

/// Collective on neighbours. Mean of the elements around each node, weighted by their volumes at rest.
Column smoothed_stress(const State& state, const FrameOptions&)
{
  const element::Model& model = state.model;
  std::vector<Tensor> means(model.p.size(), Tensor{});
  Column weights(means.size(), 0);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.alive(e)) continue;
    const Tensor s = tensor_of(view_of(model, e).cauchy);
    const double volume = model.blocks.volume(e);
    for (const LocalIndex n : model.mesh.tet(e)) {
      for (std::size_t k = 0; k < s.size(); ++k) means[at(n)][k] += volume * s[k];
      weights[at(n)] += volume;
    }
  }
  for (std::size_t n = 0; n < means.size(); ++n)
    for (double& s : means[n]) s = weights[n] > 0 ? s / weights[n] : 0;
  state.halo->owners_to_ghosts(std::span<Tensor>(means));
  Column column;
  for (const Tensor& s : means) column.insert(column.end(), s.begin(), s.end());
  return column;
}

struct NodeField {
  const char* name;
  const char* unit;
  int components;
  Column (*column)(const State&, const FrameOptions&);
};

const std::array<NodeField, 2> nodes_always{
    {{"Displacement", "m", 3, displacements}, {"MaterialPosition", "m", 3, material_positions}}};
const std::array<NodeField, 5> nodes_chosen{{{"Velocity", "m/s", 3, velocities},
                                             {"Speed", "m/s", 1, speeds},
                                             {"Damage", "", 1, damage},
                                             {"FailureTime", "s", 1, failure_times},
                                             {"SmoothedStress", "Pa", 6, smoothed_stress}}};

std::vector<NodeField> node_fields(const FrameOptions& options)
{
  std::vector<NodeField> fields(nodes_always.begin(), nodes_always.end());
  for (const NodeField& field : nodes_chosen)
    if (wants(options, field.name)) fields.push_back(field);
  return fields;
}

}  // namespace

void add_nodes(const State& state, const FrameOptions& options, io::Frame& frame)
{
  for (LocalIndex n = 0; n < state.model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = state.model.mesh.node(n);
    frame.node_id.push_back(node.id), frame.node_owner.push_back(node.owner);
    frame.points.push_back(options.reference_geometry ? node.X : Vec3(state.model.p[at(n)].xyz()));
  }
  for (const NodeField& field : node_fields(options))
    frame.node_fields.push_back({field.name, field.unit, field.components, field.column(state, options)});
}

io::Frame frame_of(const State& state, const FrameOptions& options)
{
  io::Frame frame;
  frame.time = state.time;
  add_elements(state.model, options, frame);
  add_nodes(state, options, frame);
  return frame;
}

std::int64_t frame_bytes(const FrameOptions& options, GlobalIndex nodes, GlobalIndex elements)
{
  io::Frame frame;
  add_elements(element::Model(), options, frame);
  for (const NodeField& field : node_fields(options))
    frame.node_fields.push_back({field.name, field.unit, field.components, Column()});
  return io::file_bytes(io::piece_of(frame, {}, false), nodes, elements);
}

}  // namespace sunder::simulation
