#include "lattice/memory.hpp"

#include "core/bytes.hpp"
#include "partition/halo/holders.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace sunder::lattice {
namespace {

/// A bond as its owner has it.
struct BondRecord {
  BondKey bond;
  std::array<double, 3> direction{};
  double strength = 0, force = 0, impulse = 0;
  std::uint8_t face = 0;  // of bond.a
  bool broken = false;    // in this step
};

/// For a holder of the element, one of the bond's two.
struct ForElement {
  ElementId element;
  BondRecord record;
};

void set(std::uint8_t& bits, std::size_t face)
{
  bits = static_cast<std::uint8_t>(bits | 1u << face);
}

/// What the element with the smaller id remembers.
void set_values(const BondRecord& bond, mesh::LatticeMemory& memory)
{
  set(memory.bonded, bond.face);
  if (bond.broken) set(memory.broken, bond.face);
  memory.strengths[bond.face] = bond.strength, memory.forces[bond.face] = bond.force;
  memory.impulses[bond.face] = bond.impulse;
}

void take(const ForElement& news, mesh::LatticeMemory& memory)
{
  const BondRecord& bond = news.record;
  if (news.element == bond.bond.a) set_values(bond, memory);
  if (!bond.broken) return;
  const double given = news.element == bond.bond.a ? bond.impulse : -bond.impulse;
  for (std::size_t d = 0; d < 3; ++d) memory.received[d] += given * bond.direction[d];
}

BondRecord record_of(const Lattice& lattice, LocalIndex b)
{
  const Bonds& bonds = lattice.bonds();
  const BondValues& values = lattice.values();
  const Vec3& n = bonds.directions[at(b)];
  return {.bond = bonds.keys[at(b)],
          .direction = {n.x(), n.y(), n.z()},
          .strength = values.strengths[at(b)],
          .force = values.forces[at(b)],
          .impulse = values.impulses[at(b)],
          .face = bonds.opposite[at(b)],
          .broken = lattice.just_broken()[at(b)] != 0};
}

partition::Holders holders_of(const mesh::TetMesh& mesh, LocalIndex e)
{
  std::array<Rank, 4> owners{};
  for (std::size_t a = 0; a < 4; ++a) owners[a] = mesh.node(mesh.tet(e)[a]).owner;
  return partition::Holders(owners);
}

/// Collective on neighbours. Sets the values of this rank's bonds. Returns what there is beyond that: values of other
/// ranks' bonds, and bonds that broke. In the order of ids, so that sums have the same bits on all ranks.
std::vector<ForElement> exchange_records(const Lattice& lattice, const mesh::TetMesh& mesh, const partition::Halo& halo,
                                         std::span<mesh::LatticeMemory> memory)
{
  const Bonds& bonds = lattice.bonds();
  std::vector<std::vector<ForElement>> to(halo.peers().size());
  std::vector<ForElement> all;
  for (LocalIndex b = 0; b < bonds.num_owned; ++b) {
    const BondRecord record = record_of(lattice, b);
    set_values(record, memory[at(bonds.elements[at(b)][0])]);
    for (const LocalIndex e : bonds.elements[at(b)]) {
      const ForElement news{mesh.element_id(e), record};
      if (news.element != record.bond.a && !record.broken) continue;
      for (const Rank r : holders_of(mesh, e))
        if (r != mesh.me())
          to[halo.position_of(r)].push_back(news);
        else if (record.broken)
          all.push_back(news);
    }
  }
  std::vector<Bytes> out(to.size());
  for (std::size_t k = 0; k < out.size(); ++k) put(out[k], to[k]);
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out)) {
    const auto theirs = ByteReader(message).get_vector<ForElement>();
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  std::sort(all.begin(), all.end(), [](const ForElement& x, const ForElement& y) {
    return std::tie(x.element, x.record.bond) < std::tie(y.element, y.record.bond);
  });
  return all;
}

}  // namespace

void remember(const Lattice& lattice, const mesh::TetMesh& mesh, const partition::Halo& halo,
              std::span<mesh::LatticeMemory> memory)
{
  const std::vector<ForElement> all = exchange_records(lattice, mesh, halo, memory);
  std::unordered_map<ElementId, std::size_t> slots;
  for (const ForElement& news : all) slots[news.element] = 0;
  for (LocalIndex e = 0; e < mesh.num_slots() && !slots.empty(); ++e)
    if (const auto found = slots.find(mesh.element_id(e)); found != slots.end()) found->second = at(e);
  for (const ForElement& news : all) take(news, memory[slots.at(news.element)]);
}

BondValues recall(const Bonds& bonds, std::span<const mesh::LatticeMemory> memory)
{
  BondValues values;
  for (LocalIndex b = 0; b < bonds.num_owned; ++b) {
    const mesh::LatticeMemory& of = memory[at(bonds.elements[at(b)][0])];
    const std::size_t face = bonds.opposite[at(b)];
    values.strengths.push_back(of.strengths[face]), values.forces.push_back(of.forces[face]);
    values.impulses.push_back(of.impulses[face]);
  }
  values.forces.resize(bonds.num_local(), 0);
  bonds.halo.owners_to_ghosts(std::span<double>(values.forces));
  return values;
}

}  // namespace sunder::lattice
