#include "lattice/minimum_norm.hpp"

#include "bond_graph.hpp"
#include "core/hash.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

constexpr lattice::SolveOptions tight{.tolerance = 1e-13, .max_iterations = 5000};

Vec3 drawn(std::uint64_t seed, const ElementId& id)
{
  return test::random_vector(seed, id.low);
}

/// Forces drawn for each element, and J W of them as a dense vector.
struct Loaded {
  std::vector<Vec3> forces;
  Eigen::VectorXd dense;
};
Loaded loaded(std::uint64_t seed, std::span<const ElementId> elements, const test::DenseLattice& lattice)
{
  Loaded all;
  for (const ElementId& id : elements) all.forces.push_back(drawn(seed, id));
  all.dense.resize(lattice.W.size());
  for (std::size_t e = 0; e < lattice.elements.size(); ++e)
    all.dense.segment<3>(static_cast<Eigen::Index>(3 * e)) = drawn(seed, lattice.elements[e]);
  return all;
}

Eigen::VectorXd pseudo_inverse_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b)
{
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-10);
  decomposition.compute(A);
  return decomposition.solve(b);
}

/// Collective. Solves, and compares with the dense solution of minimum norm.
lattice::SolveResult check_solution(const Comm& comm, const lattice::Bonds& bonds, const lattice::BondOperator& op,
                                    const test::DenseLattice& lattice, std::span<const double> b,
                                    std::vector<double>& lambda)
{
  const auto result = lattice::minimum_norm_solution(comm, op, b, test::gathered(comm, bonds, b).norm(), lambda, tight);
  const Eigen::VectorXd exact = pseudo_inverse_solution(lattice.operator_matrix(), test::gathered(comm, bonds, b));
  const Eigen::VectorXd found = test::gathered(comm, bonds, lambda);
  CAPTURE(result.iterations, result.residual, exact.norm());
  CHECK(result.converged);
  CHECK((found - exact).norm() < 1e-8 * exact.norm());
  return result;
}

/// The overbraced lattice of five points, with their masses.
struct FivePoints {
  explicit FivePoints(const Comm& comm)
    : bonds(test::overbraced(comm)), lattice(test::dense(comm, bonds, elements, inverse_mass))
  {
  }
  const std::vector<ElementId> elements{0, 1, 2, 3, 4};
  const std::vector<double> inverse_mass{1, 2, 0.5, 1.5, 1};
  const std::vector<char> none = std::vector<char>(10, 0);
  lattice::Bonds bonds;
  test::DenseLattice lattice;

  std::vector<double> right_hand_side(std::uint64_t seed) const
  {
    auto b = lattice::relative_accelerations(bonds, inverse_mass, loaded(seed, elements, lattice).forces, none);
    for (double& x : b) x = -x;
    return b;
  }
};

}  // namespace

TEST_CASE("forces of a mesh's bonds are those of the dense pseudo-inverse, and let no bond stretch",
          "[lattice][parallel]")
{
  const Comm comm;
  const auto problem = test::distributed(comm, test::box_mesh(3, 2, 2, 0.1, 0.3), {test::chalk()}, test::scattered(5));
  const auto bonds = lattice::make_bonds(problem.model.mesh, *problem.halo);
  const auto inverse_mass = test::inverse_masses(problem);
  const lattice::BondOperator op(bonds, inverse_mass);
  const auto lattice = test::dense(comm, bonds, problem.model.mesh.element_ids(), inverse_mass);
  const Loaded load = loaded(11, problem.model.mesh.element_ids(), lattice);
  auto b = lattice::relative_accelerations(bonds, inverse_mass, load.forces, std::vector<char>(bonds.num_local(), 0));
  const Eigen::VectorXd JWQ = lattice.J * lattice.W.cwiseProduct(load.dense);
  CHECK((test::gathered(comm, bonds, b) - JWQ).norm() < 1e-13 * JWQ.norm());
  for (double& x : b) x = -x;
  std::vector<double> lambda(bonds.num_local(), 0);
  check_solution(comm, bonds, op, lattice, b, lambda);

  const Eigen::VectorXd inner = lattice.J.transpose() * test::gathered(comm, bonds, lambda);
  const Eigen::VectorXd a = lattice.W.cwiseProduct(load.dense + inner);
  CHECK((lattice.J * a).norm() < 1e-11 * JWQ.norm());
}

TEST_CASE("inner forces have no resultant and no moment", "[lattice][parallel]")
{
  const Comm comm;
  const auto problem = test::distributed(comm, test::box_mesh(3, 2, 2, 0.1, 0.3), {test::chalk()}, test::scattered(5));
  const mesh::TetMesh& mesh = problem.model.mesh;
  const auto bonds = lattice::make_bonds(mesh, *problem.halo);
  Vec3 moment = Vec3::Zero();
  double size = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(bonds.num_owned); ++b) {
    const Vec3 force = drawn(3, bonds.keys[b].a).norm() * bonds.directions[b];
    const Vec3 x = lattice::centroid(mesh, bonds.elements[b][0]), y = lattice::centroid(mesh, bonds.elements[b][1]);
    moment += x.cross(force) - y.cross(force), size += x.norm() * force.norm();
  }
  CHECK(size + (bonds.num_owned == 0) > 0);
  CHECK(moment.norm() <= 1e-14 * size);
}

TEST_CASE("an overbraced lattice is singular; the solution is the one of minimum norm", "[lattice][parallel]")
{
  const Comm comm;
  const FivePoints five(comm);
  const Eigen::MatrixXd A = five.lattice.operator_matrix();
  REQUIRE(A.rows() == 10);
  CHECK(Eigen::FullPivLU<Eigen::MatrixXd>(A).setThreshold(1e-10).rank() == 9);
  const lattice::BondOperator op(five.bonds, five.inverse_mass);
  std::vector<double> lambda(five.bonds.num_local(), 0);
  check_solution(comm, five.bonds, op, five.lattice, five.right_hand_side(1), lambda);
  SECTION("from the solution of another load")
  {
    check_solution(comm, five.bonds, op, five.lattice, five.right_hand_side(2), lambda);
  }
  SECTION("a start outside the range leads elsewhere: the norm is not least by accident")
  {
    for (std::size_t b = 0; b < lambda.size(); ++b) lambda[b] = 10 * drawn(8, five.bonds.keys[b].b).x();
    const auto b = five.right_hand_side(2);
    CHECK(lattice::minimum_norm_solution(comm, op, b, test::gathered(comm, five.bonds, b).norm(), lambda, tight)
              .converged);
    const Eigen::VectorXd exact = pseudo_inverse_solution(A, test::gathered(comm, five.bonds, b));
    CHECK(test::gathered(comm, five.bonds, lambda).norm() > 1.01 * exact.norm());
  }
}

TEST_CASE("a warm start stays of minimum norm when bonds have broken since", "[lattice][parallel]")
{
  // Two lattices of five points beside each other: one breaks a bond, the other stays overbraced.
  const Comm comm;
  std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0.1}, {0.2, 1.1, 0}, {0.1, 0.3, 0.9}, {0.7, 0.8, 1.2}};
  for (std::size_t k = 0; k < 5; ++k) points.push_back(points[k] + Vec3(3, 0.1 * static_cast<double>(k), 0));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  for (std::uint64_t a = 0; a < 10; ++a)
    for (std::uint64_t b = a + 1; b < 10; ++b)
      if (a / 5 == b / 5) edges.emplace_back(a, b);
  const auto bonds = test::graph_bonds(comm, points, edges);
  const std::vector<ElementId> elements{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<double> inverse_mass(10, 1);
  auto lattice = test::dense(comm, bonds, elements, inverse_mass);
  lattice::BondOperator op(bonds, inverse_mass);
  std::vector<char> broken(bonds.num_local(), 0);
  const auto rhs = [&](std::uint64_t seed) {
    return lattice::relative_accelerations(bonds, inverse_mass, loaded(seed, elements, lattice).forces, broken);
  };
  std::vector<double> lambda(bonds.num_local(), 0);
  check_solution(comm, bonds, op, lattice, rhs(1), lambda);
  const lattice::BondKey gone{1, 3};
  for (std::size_t b = 0; b < bonds.num_local(); ++b) {
    if (bonds.keys[b] != gone) continue;
    broken[b] = 1, lambda[b] = 0;
    if (b < static_cast<std::size_t>(bonds.num_owned)) op.remove(static_cast<LocalIndex>(b));
  }
  for (std::size_t row = 0; row < lattice.keys.size(); ++row)
    if (lattice.keys[row] == gone) lattice.J.row(static_cast<Eigen::Index>(row)).setZero();
  check_solution(comm, bonds, op, lattice, rhs(2), lambda);
}

TEST_CASE("prestress outside the range has no solution, and that is said", "[lattice][parallel]")
{
  const Comm comm;
  const FivePoints five(comm);
  const lattice::BondOperator op(five.bonds, five.inverse_mass);
  const std::vector<double> same(static_cast<std::size_t>(five.bonds.num_owned), 1);
  std::vector<double> lambda(five.bonds.num_local(), 0);
  const auto result = lattice::minimum_norm_solution(comm, op, same, std::sqrt(10.0), lambda, {1e-10, 1000});
  CHECK(!result.converged);
  CHECK(result.residual > 1e-6);
}

TEST_CASE("no load, no force", "[lattice][parallel]")
{
  const Comm comm;
  const FivePoints five(comm);
  const lattice::BondOperator op(five.bonds, five.inverse_mass);
  std::vector<double> lambda(five.bonds.num_local(), GENERATE(0.0, 3.0));  // those of the last step, when loads end
  const std::vector<double> zero(static_cast<std::size_t>(five.bonds.num_owned), 0);
  const auto result = lattice::minimum_norm_solution(comm, op, zero, 0, lambda, tight);
  CHECK(result.converged);
  CHECK(result.iterations == 0);
  for (const double x : lambda) CHECK(x == 0);
}
