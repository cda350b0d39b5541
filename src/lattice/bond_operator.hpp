#pragma once
/// The operator J W J^T of the bonds' forces, row by row.

#include "lattice/bonds.hpp"

#include <array>
#include <span>
#include <vector>

namespace sunder::lattice {

/// J has a row for each bond: its direction n at element a, -n at element b. W is the inverse mass of the elements. So
/// a row of J W J^T has the bond itself and the bonds of the other faces of its two elements: seven entries at most.
///
/// Rows are stored, and added up in the order of keys: the same bits on any number of ranks. To find n and W anew in
/// each product would read more than the seven numbers.
class BondOperator {
public:
  /// Local. Looks at bonds as long as it lives. inverse_mass: (slots) [1/kg], of elements held
  BondOperator(const Bonds& bonds, std::span<const double> inverse_mass);

  /// Local. A broken bond exerts no force: its row becomes zero. Vectors must have 0 there.
  void remove(LocalIndex owned_bond) { rows_[static_cast<std::size_t>(owned_bond)] = {}; }

  /// Collective on the bonds' peers. y = J W J^T x. Ghosts of x are overwritten. x: (local), y: (owned)
  void apply(std::span<double> x, std::span<double> y) const;

private:
  struct Row {
    double diagonal = 0;
    std::array<double, 6> values{};
    std::array<LocalIndex, 6> columns{};  // by key; entries not used are 0 with value 0
  };
  const Bonds& bonds_;
  std::vector<Row> rows_;  // (owned)
};

/// Local. J W g, less what keeps broken bonds at 0. g: (slots) force on each element [N]; valid where held.
/// @param broken  (local)
std::vector<double> relative_accelerations(const Bonds& bonds, std::span<const double> inverse_mass,
                                           std::span<const Vec3> g, std::span<const char> broken);

}  // namespace sunder::lattice
