#include "simulation/model_records.hpp"

#include "core/fault_point.hpp"
#include "core/memory.hpp"
#include "element/make_model.hpp"
#include "mesh/union_find.hpp"
#include "partition/migration/migration.hpp"

#include <algorithm>
#include <unordered_map>

namespace sunder::simulation {
namespace {

using partition::MigrationRecords;
using partition::NodeRecord;

std::array<double, 3> numbers(const Vec3& v)
{
  return {v.x(), v.y(), v.z()};
}

}  // namespace

NodeRecord node_record(const element::Model& model, LocalIndex n)
{
  const mesh::Node& node = model.mesh.node(n);
  const auto i = static_cast<std::size_t>(n);
  const element::NodeHistory& history = model.history[i];
  return {node.id,
          node.owner,
          numbers(node.X),
          numbers(model.p[i].xyz()),
          numbers(model.v[i].xyz()),
          node.size,
          node.marks,
          history.fragment,
          history.parent_fragment,
          history.failure_time,
          history.dust_factor,
          model.a.empty() ? std::array<double, 3>{} : numbers(model.a[i].xyz())};
}

partition::LinkRecord link_record(const element::Model& model, const element::ModelLink& link)
{
  const mesh::TetMesh& mesh = model.mesh;
  return {mesh.node(link.plus).id, mesh.node(link.minus).id, numbers(link.normal), link.link.values()};
}

void append_element(const element::Model& model, LocalIndex e, partition::ElementTable& to)
{
  partition::ElementRecord record{.id = model.mesh.element_id(e),
                                  .material = model.mesh.material(e),
                                  .creation_key = to.creation_keys.add(model.mesh.creation_key(e)),
                                  .faces = to.faces.add(model.mesh.faces(e)),
                                  .plastic_strain = to.plastic_strains.add(model.blocks.plastic_strain(e))};
  if (!model.lattice.empty()) record.lattice = to.lattice.add(model.lattice[static_cast<std::size_t>(e)]);
  for (std::size_t a = 0; a < 4; ++a) record.nodes[a] = model.mesh.node(model.mesh.tet(e)[a]).id;
  to.rows.push_back(record);
}

namespace {

/// Links with the rows of their nodes, and of one node for all that hang together by links.
void append_links(const element::Model& model, std::span<const GlobalIndex> row, partition::RowSlice& slice)
{
  mesh::UnionFind sets(row.size());
  for (const element::ModelLink& link : model.links) sets.unite(link.plus, link.minus);
  const auto row_of = [&row](LocalIndex n) { return row[static_cast<std::size_t>(n)]; };
  for (const element::ModelLink& link : model.links) {
    slice.links.push_back(link_record(model, link));
    slice.link_nodes.push_back({row_of(link.plus), row_of(link.minus), row_of(sets.find(link.plus))});
  }
}

}  // namespace

partition::RowSlice rows_of(const element::Model& model, const partition::Halo& halo,
                            std::vector<partition::PairRecord> pairs)
{
  allocation_point("checkpoint: rows");
  const mesh::TetMesh& mesh = model.mesh;
  const Comm& comm = halo.comm();
  partition::RowSlice slice;
  std::vector<GlobalIndex> row(static_cast<std::size_t>(mesh.num_nodes()), -1);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n) || mesh.star(n).empty()) continue;
    row[static_cast<std::size_t>(n)] = static_cast<GlobalIndex>(slice.nodes.size());
    slice.nodes.push_back(node_record(model, n));
  }
  const GlobalIndex first = comm.sum_before(static_cast<GlobalIndex>(slice.nodes.size()));
  for (GlobalIndex& r : row)
    if (r >= 0) r += first;
  halo.owners_to_ghosts(std::span<GlobalIndex>(row));
  append_links(model, row, slice);

  std::unordered_map<ElementId, GlobalIndex> row_of_element;
  for (const auto& pair : pairs) row_of_element.emplace(pair.element, -1);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    if (const auto at = row_of_element.find(mesh.element_id(e)); at != row_of_element.end())
      at->second = static_cast<GlobalIndex>(slice.elements.size());
    append_element(model, e, slice.elements);
    auto& corners = slice.corners.emplace_back();
    for (std::size_t a = 0; a < 4; ++a) corners[a] = row[static_cast<std::size_t>(mesh.tet(e)[a])];
  }
  const GlobalIndex first_element = comm.sum_before(static_cast<GlobalIndex>(slice.elements.size()));
  std::erase_if(pairs, [&](const auto& pair) { return row_of_element.at(pair.element) < 0; });
  for (const auto& pair : pairs) slice.pair_elements.push_back(first_element + row_of_element.at(pair.element));
  slice.pairs = std::move(pairs);
  slice.all_nodes = comm.sum(static_cast<GlobalIndex>(slice.nodes.size()));
  slice.all_elements = comm.sum(static_cast<GlobalIndex>(slice.elements.size()));
  return slice;
}

element::Model model_from(Rank me, MigrationRecords& records, std::vector<material::Material> materials,
                          const element::StepOptions& step_options, std::vector<material::Interface> interfaces)
{
  const auto strains = std::move(records.elements.plastic_strains);
  std::vector<partition::Place> strain_of;  // (elements), if any has yielded
  if (!strains.values().empty()) {
    strain_of.reserve(records.elements.size());
    for (const auto& r : records.elements.rows) strain_of.push_back(r.plastic_strain);
  }
  std::vector<mesh::LatticeMemory> lattice;  // (elements), if there is one
  if (!records.elements.lattice.values().empty())
    for (std::size_t e = 0; e < records.elements.size(); ++e) lattice.push_back(records.elements.lattice_memory(e));
  constexpr std::size_t worth_returning = 1 << 16;  // elements: of few, it takes longer than making the model
  const bool many = records.elements.size() >= worth_returning;
  mesh::TetMesh mesh = partition::mesh_of(me, records);
  if (many) return_freed();
  element::Model model =
      element::make_model(std::move(mesh), std::move(materials), step_options, std::move(interfaces));
  model.lattice = std::move(lattice);
  for (std::size_t n = 0; n < records.nodes.size(); ++n) {
    model.p[n].set_xyz(vector(records.nodes[n].p));
    model.v[n].set_xyz(vector(records.nodes[n].v));
    const NodeRecord& record = records.nodes[n];
    model.history[n] = {record.fragment, record.parent_fragment, record.failure_time, record.dust_factor};
  }
  const auto accelerates = [](const partition::NodeRecord& node) { return node.a != std::array<double, 3>{}; };
  if (std::any_of(records.nodes.begin(), records.nodes.end(), accelerates))
    for (const partition::NodeRecord& node : records.nodes) model.a.emplace_back().set_xyz(vector(node.a));
  for (const partition::LinkRecord& record : records.links) {
    const auto link = element::CohesiveLink::from(record.values);
    model.links.add(
        {*model.mesh.find(record.plus), *model.mesh.find(record.minus), vector(record.normal), link, !link.broken()});
  }
  model.links.sort(model.mesh);
  release(records.nodes);
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (model.history[static_cast<std::size_t>(n)].dust_factor > 0) element::refresh_node(model, n);
  for (std::size_t e = 0; e < strain_of.size(); ++e)
    model.blocks.set_plastic_strain(static_cast<LocalIndex>(e), strains.at(strain_of[e]));
  return model;
}

}  // namespace sunder::simulation
