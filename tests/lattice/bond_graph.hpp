#pragma once
/// Lattices for tests: of a graph drawn by hand or of a mesh, and the same as dense matrices on every rank.

#include "lattice/bonds.hpp"
#include "support/problem.hpp"

#include <Eigen/Dense>

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace sunder::test {

/// Collective. Elements are points, slot k for point k, on every rank; bonds go to ranks in turn.
lattice::Bonds graph_bonds(const Comm& comm, const std::vector<Vec3>& points,
                           const std::vector<std::pair<std::uint64_t, std::uint64_t>>& edges);

/// Five points, each bonded to the others: ten bonds, of which nine make it rigid.
lattice::Bonds overbraced(const Comm& comm);

/// (slots) [1/kg] and [m^3] of a problem's elements, and whether this rank counts them.
std::vector<double> inverse_masses(const TestProblem& problem);
std::vector<double> element_volumes(const TestProblem& problem);
std::vector<char> counted_elements(const TestProblem& problem);

/// J, three columns an element in the order of ids, a row for each bond in the order of keys; the diagonal of W.
struct DenseLattice {
  std::vector<lattice::BondKey> keys;
  std::vector<ElementId> elements;
  Eigen::MatrixXd J;
  Eigen::VectorXd W;
  Eigen::MatrixXd operator_matrix() const { return J * W.asDiagonal() * J.transpose(); }
};
/// Collective. elements: ids by slot; no_element: an empty slot.
DenseLattice dense(const Comm& comm, const lattice::Bonds& bonds, std::span<const ElementId> elements,
                   std::span<const double> inverse_mass);

/// Collective. The values of all ranks' own bonds, in the order of keys.
Eigen::VectorXd gathered(const Comm& comm, const lattice::Bonds& bonds, std::span<const double> values);

}  // namespace sunder::test
