#include "bond_graph.hpp"

#include "core/sort_unique.hpp"
#include "support/all_gather.hpp"

#include <algorithm>
#include <map>

namespace sunder::test {
namespace {

struct BondRow {
  lattice::BondKey key;
  std::array<double, 3> direction;
  double value = 0;
};
struct ElementRow {
  ElementId id;
  double inverse_mass = 0;
  bool operator<(const ElementRow& other) const { return id < other.id; }
};

std::vector<BondRow> sorted_rows(const Comm& comm, const lattice::Bonds& bonds, std::span<const double> values)
{
  std::vector<BondRow> rows;
  for (std::size_t b = 0; b < static_cast<std::size_t>(bonds.num_owned); ++b) {
    const Vec3& n = bonds.directions[b];
    rows.push_back({bonds.keys[b], {n.x(), n.y(), n.z()}, values.empty() ? 0 : values[b]});
  }
  rows = all_gather(comm, rows);
  std::sort(rows.begin(), rows.end(), [](const BondRow& x, const BondRow& y) { return x.key < y.key; });
  return rows;
}

}  // namespace

lattice::Bonds graph_bonds(const Comm& comm, const std::vector<Vec3>& points,
                           const std::vector<std::pair<std::uint64_t, std::uint64_t>>& edges)
{
  std::vector<lattice::BondKey> keys;
  for (const auto& [a, b] : edges) keys.push_back({std::min(a, b), std::max(a, b)});
  sort_unique(keys);
  std::map<lattice::BondKey, Rank> owner;
  for (std::size_t k = 0; k < keys.size(); ++k) owner[keys[k]] = static_cast<Rank>(k) % comm.size();
  const auto meet = [](const lattice::BondKey& x, const lattice::BondKey& y) {
    return x != y && (x.a == y.a || x.a == y.b || x.b == y.a || x.b == y.b);
  };
  std::vector<lattice::BondKey> owned;
  std::vector<lattice::GhostBond> ghosts;
  for (const auto& key : keys)
    if (owner[key] == comm.rank()) owned.push_back(key);
  for (const auto& mine : owned)
    for (const auto& key : keys)
      if (owner[key] != comm.rank() && meet(mine, key)) ghosts.push_back({owner[key], key});
  sort_unique(ghosts);
  lattice::Bonds bonds(lattice::BondHalo(comm, owned, ghosts));
  bonds.num_owned = static_cast<LocalIndex>(owned.size());
  bonds.count = static_cast<GlobalIndex>(keys.size());
  bonds.keys = owned;
  for (const auto& ghost : ghosts) bonds.keys.push_back(ghost.key);
  for (const auto& key : bonds.keys) bonds.directions.push_back((points[key.a.low] - points[key.b.low]).normalized());
  for (const auto& mine : owned) {
    bonds.elements.push_back({static_cast<LocalIndex>(mine.a.low), static_cast<LocalIndex>(mine.b.low)});
    bonds.areas.push_back(1), bonds.places.emplace_back((points[mine.a.low] + points[mine.b.low]) / 2);
    bonds.first_adjacent.push_back(bonds.adjacent.size());
    for (const auto& key : keys)
      if (meet(mine, key))
        bonds.adjacent.push_back(
            static_cast<LocalIndex>(std::find(bonds.keys.begin(), bonds.keys.end(), key) - bonds.keys.begin()));
  }
  bonds.first_adjacent.push_back(bonds.adjacent.size());
  return bonds;
}

lattice::Bonds overbraced(const Comm& comm)
{
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  for (std::uint64_t a = 0; a < 5; ++a)
    for (std::uint64_t b = a + 1; b < 5; ++b) edges.emplace_back(a, b);
  return graph_bonds(comm, {{0, 0, 0}, {1, 0, 0.1}, {0.2, 1.1, 0}, {0.1, 0.3, 0.9}, {0.7, 0.8, 1.2}}, edges);
}

std::vector<double> inverse_masses(const TestProblem& problem)
{
  std::vector<double> inverse(static_cast<std::size_t>(problem.model.mesh.num_slots()), 0);
  for (LocalIndex e = 0; e < problem.model.mesh.num_slots(); ++e)
    inverse[static_cast<std::size_t>(e)] = 1 / (problem.model.blocks.volume(e) * problem.model.material_of(e).density);
  return inverse;
}

std::vector<double> element_volumes(const TestProblem& problem)
{
  std::vector<double> volumes;
  for (LocalIndex e = 0; e < problem.model.mesh.num_slots(); ++e) volumes.push_back(problem.model.blocks.volume(e));
  return volumes;
}

std::vector<char> counted_elements(const TestProblem& problem)
{
  std::vector<char> counted;
  for (LocalIndex e = 0; e < problem.model.mesh.num_slots(); ++e) counted.push_back(problem.model.mesh.primary(e));
  return counted;
}

DenseLattice dense(const Comm& comm, const lattice::Bonds& bonds, std::span<const ElementId> elements,
                   std::span<const double> inverse_mass)
{
  std::vector<ElementRow> rows;
  for (std::size_t e = 0; e < elements.size(); ++e)
    if (elements[e] != mesh::no_element) rows.push_back({elements[e], inverse_mass[e]});
  rows = all_gather(comm, rows);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x.id == y.id; }),
             rows.end());
  const auto column = [&rows](const ElementId& id) {
    return 3 * (std::lower_bound(rows.begin(), rows.end(), ElementRow{id}) - rows.begin());
  };
  const std::vector<BondRow> all = sorted_rows(comm, bonds, {});
  DenseLattice lattice;
  lattice.J.setZero(std::ssize(all), 3 * std::ssize(rows)), lattice.W.resize(3 * std::ssize(rows));
  for (std::size_t e = 0; e < rows.size(); ++e) {
    lattice.elements.push_back(rows[e].id);
    lattice.W.segment<3>(static_cast<Eigen::Index>(3 * e)).setConstant(rows[e].inverse_mass);
  }
  for (std::size_t b = 0; b < all.size(); ++b) {
    const auto row = static_cast<Eigen::Index>(b);
    const Eigen::RowVector3d n = Vec3(all[b].direction.data()).transpose();
    lattice.keys.push_back(all[b].key);
    lattice.J.block<1, 3>(row, column(all[b].key.a)) = n, lattice.J.block<1, 3>(row, column(all[b].key.b)) = -n;
  }
  return lattice;
}

Eigen::VectorXd gathered(const Comm& comm, const lattice::Bonds& bonds, std::span<const double> values)
{
  const std::vector<BondRow> rows = sorted_rows(comm, bonds, values);
  Eigen::VectorXd all(std::ssize(rows));
  for (std::size_t b = 0; b < rows.size(); ++b) all[static_cast<Eigen::Index>(b)] = rows[b].value;
  return all;
}

}  // namespace sunder::test
