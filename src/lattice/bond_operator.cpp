#include "lattice/bond_operator.hpp"

namespace sunder::lattice {
namespace {

/// +1 if the element is the bond's a, -1 if it is its b, 0 if neither.
int sign_at(const BondKey& bond, const ElementId& element)
{
  return bond.a == element ? 1 : bond.b == element ? -1 : 0;
}

}  // namespace

BondOperator::BondOperator(const Bonds& bonds, std::span<const double> inverse_mass)
  : bonds_(bonds), rows_(at(bonds.num_owned))
{
  for (LocalIndex b = 0; b < bonds.num_owned; ++b) {
    Row& row = rows_[at(b)];
    const auto& [slot_a, slot_b] = bonds.elements[at(b)];
    const double w_a = inverse_mass[at(slot_a)], w_b = inverse_mass[at(slot_b)];
    row.diagonal = w_a + w_b;
    std::size_t used = 0;
    for (const LocalIndex c : bonds.adjacent_to(b)) {
      const BondKey &mine = bonds.keys[at(b)], &other = bonds.keys[at(c)];
      const double coupling = w_a * sign_at(other, mine.a) - w_b * sign_at(other, mine.b);
      if (sign_at(other, mine.a) == 0 && sign_at(other, mine.b) == 0) continue;
      SUNDER_ASSERT(used < row.columns.size());
      row.columns[used] = c;
      row.values[used++] = coupling * bonds.directions[at(b)].dot(bonds.directions[at(c)]);
    }
  }
}

void BondOperator::apply(std::span<double> x, std::span<double> y) const
{
  bonds_.halo.owners_to_ghosts(x);
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    const Row& row = rows_[b];
    double sum = row.diagonal * x[b];
    for (std::size_t k = 0; k < row.values.size(); ++k) sum += row.values[k] * x[at(row.columns[k])];
    y[b] = sum;
  }
}

std::vector<double> relative_accelerations(const Bonds& bonds, std::span<const double> inverse_mass,
                                           std::span<const Vec3> g, std::span<const char> broken)
{
  std::vector<double> values(at(bonds.num_owned), 0);
  for (std::size_t b = 0; b < values.size(); ++b) {
    if (broken[b] != 0) continue;
    const auto& [a, c] = bonds.elements[b];
    values[b] = bonds.directions[b].dot(inverse_mass[at(a)] * g[at(a)] - inverse_mass[at(c)] * g[at(c)]);
  }
  return values;
}

}  // namespace sunder::lattice
