#include "simulation/migration/migrate.hpp"

#include "element/cohesion.hpp"
#include "partition/halo/holders.hpp"
#include "partition/migration/export_lists.hpp"
#include "simulation/model_records.hpp"

#include <algorithm>

namespace sunder::simulation {
namespace {

using partition::Holders;

Holders holders_so_far(const mesh::TetMesh& mesh, LocalIndex e)
{
  std::array<Rank, 4> owners{};
  for (std::size_t a = 0; a < 4; ++a) owners[a] = mesh.node(mesh.tet(e)[a]).owner;
  return Holders(owners);
}

/// What this rank keeps, and what of the elements it counts others lack: of its holders so far one has to send it.
std::map<Rank, partition::ExportList> exports_of(const mesh::TetMesh& mesh, std::span<const Rank> owners)
{
  std::map<Rank, partition::ExportList> exports;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Holders before = holders_so_far(mesh, e);
    for (const Rank r : Holders(partition::owners_of(mesh.tet(e), owners)))
      if (r == mesh.me() || (*before.begin() == mesh.me() && !before.contains(r))) exports[r].elements.push_back(e);
  }
  add_corners(exports, mesh.tets());
  return exports;
}

/// Pair records go from the primary rank to every new holder.
std::map<Rank, std::vector<partition::PairRecord>> pairs_by_rank(const mesh::TetMesh& mesh,
                                                                 std::span<const Rank> owners,
                                                                 std::vector<partition::PairRecord> pairs)
{
  std::map<Rank, std::vector<partition::PairRecord>> to;
  if (pairs.empty()) return to;
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.element < b.element; });
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    const auto of_element = partition::pairs_of(pairs, mesh.element_id(e));
    if (of_element.empty()) continue;
    for (const Rank r : Holders(partition::owners_of(mesh.tet(e), owners)))
      to[r].insert(to[r].end(), of_element.begin(), of_element.end());
  }
  return to;
}

/// Both nodes of a link go to the same rank.
std::map<Rank, std::vector<partition::LinkRecord>> links_by_rank(const element::Model& model,
                                                                 std::span<const Rank> owners)
{
  std::map<Rank, std::vector<partition::LinkRecord>> to;
  for (const element::ModelLink& link : model.links)
    to[owners[static_cast<std::size_t>(link.plus)]].push_back(link_record(model, link));
  return to;
}

}  // namespace

partition::MigrationRecords migrate(const Comm& comm, const element::Model& model, std::span<const Rank> owners,
                                    std::vector<partition::PairRecord> pairs)
{
  partition::RecordSource contents;
  contents.node = [&](LocalIndex n) {
    partition::NodeRecord record = node_record(model, n);
    record.owner = owners[static_cast<std::size_t>(n)];
    return record;
  };
  contents.element = [&](LocalIndex e, partition::ElementTable& to) { append_element(model, e, to); };
  partition::MigrationRecords held = migrate_exports(comm, exports_of(model.mesh, owners), contents);
  held.pairs = exchange_pairs(comm, pairs_by_rank(model.mesh, owners, std::move(pairs)));
  if (element::cohesive(model)) held.links = exchange_links(comm, links_by_rank(model, owners));
  return held;
}

}  // namespace sunder::simulation
