#include "solvers/newton.hpp"
#include "solvers/dissipation_path.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Dense>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

using namespace sunder;
using namespace sunder::solvers;
using Catch::Matchers::Contains;

namespace {

using Mat3Row = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Eigen::Map<Vec3> block_of(std::span<double> x, std::size_t n)
{
  return Eigen::Map<Vec3>(x.data() + 3 * n);
}

/// Energy of a node by its distance from the origin.
struct Law {
  std::function<double(double)> slope, curvature;
  double range = std::numeric_limits<double>::infinity();  ///< Further away u is not admissible.
};

/// Stiffer the further it is stretched.
const Law hardening{[](double s) { return s + 4 * s * s * s; }, [](double s) { return 1 + 12 * s * s; }};
/// Energy sqrt(1 + s^2): without load a whole correction takes s to -s^3.
const Law softening{[](double s) { return s / std::sqrt(1 + s * s); },
                    [](double s) { return std::pow(1 + s * s, -1.5); }};
/// Energy -log(1 - s^2): a wall at s = 1.
const Law wall{[](double s) { return 2 * s / (1 - s * s); },
               [](double s) { return 2 * (1 + s * s) / ((1 - s * s) * (1 - s * s)); }, 1};
/// Energy (s^2 - 1)^2 / 4: not convex around the origin.
const Law double_well{[](double s) { return s * s * s - s; }, [](double s) { return 3 * s * s - 1; }};

/// So many nodes, each on its own spring, under loads of unlike directions and sizes. Each rank owns a range of them.
class Springs final : public Equations {
public:
  Springs(const Comm& comm, Law law, double load, int nodes = 5) : law_(std::move(law))
  {
    const int first = nodes * comm.rank() / comm.size(), end = nodes * (comm.rank() + 1) / comm.size();
    layout_.comm = comm, layout_.num_owned = end - first, layout_.first_owned = first;
    A_.row_begin = {0};
    for (int n = first; n < end; ++n) {
      layout_.global.push_back(n);
      load_.push_back(load * Vec3(1, 0.1 * n, -0.3).normalized() / (1 + 0.2 * n));
      A_.columns.push_back(n - first), A_.row_begin.push_back(n - first + 1);
    }
    A_.values.resize(load_.size());
    A_.fixed.assign(3 * load_.size(), 0);
  }

  const NodeLayout& layout() const override { return layout_; }
  bool residual(std::span<const double> u, std::span<double> r) override
  {
    ++evaluations;
    u_.assign(u.begin(), u.end());
    bool admissible = true;
    for (std::size_t n = 0; n < load_.size(); ++n) {
      const Vec3 x = at(n);
      const double s = x.norm();
      admissible = admissible && !(s >= law_.range);
      block_of(r, n) = load_[n] - (s > 0 ? law_.slope(s) / s : law_.curvature(0)) * x;
    }
    return layout_.comm.max(admissible ? 0.0 : 1.0) == 0;
  }
  double force_scale() override { return 1; }
  double round_off() const override { return 0; }
  const BlockMatrix& tangent(Tangent kind) override
  {
    kinds.push_back(kind);
    for (std::size_t n = 0; n < load_.size(); ++n) {
      const double s = at(n).norm();
      const Vec3 radial = s > 0 ? Vec3(at(n) / s) : Vec3(Vec3::UnitX());
      double across = s > 0 ? law_.slope(s) / s : law_.curvature(0), along = law_.curvature(s);
      if (kind == Tangent::positive_definite) across = std::abs(across), along = std::abs(along);
      const Mat3 P = radial * radial.transpose();
      Eigen::Map<Mat3Row>(A_.values[n].data()) = across * (Mat3::Identity() - P) + along * P;
    }
    return A_;
  }
  bool same_pattern() const override { return evaluations > 1; }

  std::vector<double> start(double x) const
  {
    std::vector<double> u(3 * load_.size(), 0);
    for (std::size_t n = 0; n < load_.size(); ++n) u[3 * n] = x;
    return u;
  }

  int evaluations = 0;
  std::vector<Tangent> kinds;

private:
  Vec3 at(std::size_t n) const { return Eigen::Map<const Vec3>(&u_[3 * n]); }

  Law law_;
  NodeLayout layout_;
  BlockMatrix A_;
  std::vector<Vec3> load_;
  std::vector<double> u_;
};

/// Exact, node by node.
class BlockSolver final : public LinearSolver {
public:
  void set_matrix(const NodeLayout& /*layout*/, const BlockMatrix& A, bool /*same_pattern*/) override { A_ = &A; }
  LinearResult solve(std::span<const double> b, std::span<double> x, double /*tolerance*/) override
  {
    for (std::size_t n = 0; n < A_->values.size(); ++n)
      block_of(x, n) = Eigen::Map<const Mat3Row>(A_->values[n].data()).ldlt().solve(Eigen::Map<const Vec3>(&b[3 * n]));
    if (!refuses.empty()) return {false, 7, 0.5, refuses};
    return {true, 1, 0, ""};
  }

  std::string refuses;

private:
  const BlockMatrix* A_ = nullptr;
};

/// Two nodes in a row of springs, each held by a link that is about to soften, and drawn at the first one. Along x.
class TwoLinks final : public DissipatingEquations {
public:
  TwoLinks()
  {
    layout_.comm = Comm(MPI_COMM_SELF), layout_.num_owned = 2, layout_.global = {0, 1};
    layout_.ids = {NodeId{0, 0}, NodeId{0, 1}}, layout_.X = {Vec3::Zero(), Vec3::UnitX()}, layout_.component = {0, 0};
    layout_.owners_to_ghosts = [](std::span<double>) {};
    A_.row_begin = {0, 2, 4}, A_.columns = {0, 1, 0, 1}, A_.values.resize(4);
  }

  const NodeLayout& layout() const override { return layout_; }
  void prescribe(double t, std::span<double> /*u*/) override { t_ = t; }
  std::span<const std::uint8_t> fixed() const override { return fixed_; }
  bool residual(std::span<const double> u, std::span<double> r) override
  {
    u_ = {u[0], u[3]};
    std::fill(r.begin(), r.end(), 0);
    r[0] = 2 * t_ - bulk[0] * u_[0] + u_[1] - (force(0) - 1);
    r[3] = u_[0] - bulk[1] * u_[1] - (force(1) - 1);
    return true;
  }
  double force_scale() override { return 1; }
  double round_off() const override { return 0; }
  const BlockMatrix& tangent(Tangent kind) override
  {
    for (Block& block : A_.values) block = {};
    for (const std::size_t n : {0, 1}) {
      const bool softens = kind == Tangent::symmetric && (supposed_[n] || u_[n] > 0);
      const double link = softens ? -fall[n] : force(n) / (1 + std::max(0.0, u_[n]));
      A_.values[3 * n] = {bulk[n] + link, 0, 0, 0, 1, 0, 0, 0, 1};
    }
    A_.values[1][0] = A_.values[2][0] = -1;
    A_.fixed.assign(fixed_.begin(), fixed_.end());
    return A_;
  }
  bool same_pattern() const override { return true; }

  double dissipated(std::span<double> slope) override
  {
    double energy = 0;
    std::fill(slope.begin(), slope.end(), 0);
    for (const std::size_t n : {0, 1}) {
      const double g = 1 + std::max(0.0, u_[n]);
      energy += (1 + (1 + force(n)) * (g - 1) - force(n) * g) / 2;
      if (u_[n] > 0) slope[3 * n] = slope_of(n);
    }
    return energy;
  }
  bool suppose_softening() override
  {
    supposed_ = {true, true};
    return true;
  }
  Rates dissipation_rates(std::span<const double> direction) override
  {
    Rates rates;
    for (const std::size_t n : {0, 1})
      (direction[3 * n] > 0 ? rates.forward : rates.backward) += slope_of(n) * std::abs(direction[3 * n]);
    return rates;
  }
  bool suppose_opening(std::span<const double> direction, bool opposite, bool /*one_by_one*/) override
  {
    ++guesses;
    const auto before = supposed_;
    for (const std::size_t n : {0, 1}) supposed_[n] = opposite ? direction[3 * n] < 0 : direction[3 * n] > 0;
    return supposed_ != before;
  }
  void suppose_nothing() override { supposed_ = {}; }

  int guesses = 0;

private:
  static constexpr std::array<double, 2> bulk{4, 2};  // of the springs
  static constexpr std::array<double, 2> fall{3, 5};  // of the force with the opening, from 1 at an opening of 1

  double force(std::size_t n) const { return u_[n] > 0 ? 1 - fall[n] * u_[n] : 1 + u_[n]; }
  double slope_of(std::size_t n) const
  {
    const double more = std::max(0.0, u_[n]);
    return (1 - fall[n] * more + fall[n] * (1 + more)) / 2;
  }

  NodeLayout layout_;
  BlockMatrix A_;
  std::array<std::uint8_t, 6> fixed_{0, 1, 1, 0, 1, 1};
  std::array<double, 2> u_{};
  std::array<bool, 2> supposed_{};
  double t_ = 0;
};

/// A row of nodes, each joined to as many of the next ones as is wanted. Its tangent is not definite.
class Chain final : public Equations {
public:
  Chain()
  {
    layout_.comm = Comm(MPI_COMM_SELF), layout_.num_owned = nodes;
    for (int n = 0; n < nodes; ++n) {
      layout_.global.push_back(n), layout_.ids.emplace_back(static_cast<std::uint64_t>(n));
      layout_.X.emplace_back(n, 0, 0), layout_.component.push_back(0);
    }
    layout_.owners_to_ghosts = [](std::span<double>) {};
    A_.fixed.assign(unknowns(), 0);
    join(1);
  }

  void join(int next)
  {
    next_ = next, same_pattern_ = false;
    A_.row_begin = {0}, A_.columns.clear();
    for (int n = 0; n < nodes; ++n) {
      for (int m = std::max(0, n - next); m <= std::min(nodes - 1, n + next); ++m) A_.columns.push_back(m);
      A_.row_begin.push_back(static_cast<std::int64_t>(A_.columns.size()));
    }
    A_.values.resize(A_.columns.size());
  }

  const NodeLayout& layout() const override { return layout_; }
  bool residual(std::span<const double> /*u*/, std::span<double> /*r*/) override { return true; }
  double force_scale() override { return 1; }
  double round_off() const override { return 0; }
  const BlockMatrix& tangent(Tangent kind) override
  {
    const double shift = kind == Tangent::symmetric ? -1 : 0.1;
    for (int n = 0, k = 0; n < nodes; ++n)
      for (; k < A_.row_begin[at(n + 1)]; ++k) {
        const double value = A_.columns[at(k)] == n ? 2 * next_ + shift : -1;
        A_.values[at(k)] = {value, 0, 0, 0, value, 0, 0, 0, value};
      }
    now_same_ = std::exchange(same_pattern_, true);
    return A_;
  }
  bool same_pattern() const override { return now_same_; }

  static std::size_t unknowns() { return 3 * nodes; }
  std::vector<double> product(std::span<const double> x) const
  {
    std::vector<double> b(unknowns(), 0);
    for (int n = 0, k = 0; n < nodes; ++n)
      for (; k < A_.row_begin[at(n + 1)]; ++k)
        for (std::size_t d = 0; d < 3; ++d) b[3 * at(n) + d] += A_.values[at(k)][0] * x[3 * at(A_.columns[at(k)]) + d];
    return b;
  }

private:
  static constexpr int nodes = 300;
  NodeLayout layout_;
  BlockMatrix A_;
  int next_ = 1;
  bool same_pattern_ = false, now_same_ = false;
};

NewtonResult solve(Springs& springs, std::vector<double>& u, const NewtonOptions& options = {.tolerance = 1e-12})
{
  BlockSolver solver;
  return newton(springs, solver, options, u);
}

}  // namespace

TEST_CASE("residuals square near the solution", "[solvers][newton][convergence]")
{
  Springs springs(Comm(), hardening, 3);
  auto u = springs.start(0);
  const NewtonResult result = solve(springs, u);
  REQUIRE(result.converged);
  CHECK(result.reason.empty());
  INFO(Catch::rangeToString(result.residuals));
  std::vector<double> over_square;  // r / r^2 of the one before: constant where r is small
  for (std::size_t k = 1; k < result.residuals.size(); ++k)
    if (const double before = result.residuals[k - 1], r = result.residuals[k]; before < 1 && r > 1e-14)
      over_square.push_back(r / (before * before));
  REQUIRE(over_square.size() >= 2);
  CHECK(over_square.back() == Approx(over_square[over_square.size() - 2]).epsilon(0.5));
  for (const auto kind : springs.kinds) CHECK(kind != Equations::Tangent::positive_definite);
}

TEST_CASE("a tangent is kept as long as corrections with it help enough", "[solvers][newton]")
{
  Springs always(Comm(MPI_COMM_SELF), hardening, 1), kept(Comm(MPI_COMM_SELF), hardening, 1);
  auto u = always.start(0), v = u;
  const auto exact = solve(always, u), slower = solve(kept, v, {.tolerance = 1e-12, .keeps_tangent_below = 0.3});
  REQUIRE(exact.converged);
  REQUIRE(slower.converged);
  CHECK(always.kinds.size() == exact.residuals.size() - 1);
  CHECK(kept.kinds.size() < always.kinds.size());
  // A new one for the first correction, and after each that left too much.
  std::size_t wanted = 1;
  for (std::size_t k = 1; k + 1 < slower.residuals.size(); ++k)
    wanted += slower.residuals[k] >= 0.3 * slower.residuals[k - 1];
  CHECK(kept.kinds.size() == wanted);
  for (std::size_t k = 0; k < u.size(); ++k) CHECK(u[k] == Approx(v[k]).margin(1e-11));
}

TEST_CASE("Newton's method takes the same steps on any number of ranks", "[solvers][newton][parallel]")
{
  const auto solved = [](const Comm& comm) {
    Springs springs(comm, hardening, 3);
    auto u = springs.start(0.2);
    return solve(springs, u).residuals;
  };
  CHECK(solved(Comm(MPI_COMM_WORLD)) == solved(Comm(MPI_COMM_SELF)));
}

TEST_CASE("a correction that goes too far is shortened", "[solvers][newton]")
{
  // Whole corrections would go from 2 to -8, to 512, and away.
  Springs springs(Comm(MPI_COMM_SELF), softening, 0);
  auto u = springs.start(2);
  const NewtonResult result = solve(springs, u);
  REQUIRE(result.converged);
  for (const double x : u) CHECK(std::abs(x) < 1e-11);
  CHECK(springs.evaluations > static_cast<int>(result.residuals.size()));
  for (std::size_t k = 1; k < result.residuals.size(); ++k) CHECK(result.residuals[k] < result.residuals[k - 1]);
}

TEST_CASE("a correction to what is not admissible is halved, and one that never is ends the search",
          "[solvers][newton]")
{
  Springs springs(Comm(MPI_COMM_SELF), wall, 50);
  auto u = springs.start(0);
  CHECK(solve(springs, u).converged);
  CHECK(springs.evaluations > static_cast<int>(springs.kinds.size()) + 1);

  const double edge = 1 - 1e-3;  // a thousandth from the wall, of a correction of half its radius
  Law stuck = hardening;
  stuck.range = std::nextafter(edge, 2);
  Springs pulled(Comm(MPI_COMM_SELF), stuck, 50);
  auto at_edge = pulled.start(edge);
  const auto before = at_edge;
  const NewtonResult result = solve(pulled, at_edge);
  CHECK_FALSE(result.converged);
  CHECK(result.inadmissible);
  CHECK(result.reason == "no correction is admissible, however short");
  CHECK(at_edge == before);
  CHECK(pulled.evaluations == 1 + 1 + NewtonOptions().max_halvings);
}

TEST_CASE("where the exact tangent is not positive definite, one that is serves", "[solvers][newton]")
{
  Springs springs(Comm(MPI_COMM_SELF), double_well, 0);
  auto u = springs.start(0.1);
  const NewtonResult result = solve(springs, u);
  REQUIRE(result.converged);
  for (std::size_t n = 0; n < u.size() / 3; ++n) CHECK(std::abs(u[3 * n]) == Approx(1).epsilon(1e-10));
  REQUIRE(springs.kinds.size() > 2);
  CHECK(springs.kinds[1] == Equations::Tangent::positive_definite);
  CHECK(springs.kinds.back() != Equations::Tangent::positive_definite);
}

TEST_CASE("why Newton's method found no solution is said", "[solvers][newton]")
{
  Springs springs(Comm(MPI_COMM_SELF), hardening, 3);
  auto u = springs.start(0);
  NewtonResult result = solve(springs, u, {.tolerance = 1e-12, .max_iterations = 2});
  CHECK_FALSE(result.converged);
  CHECK(result.reason == "no convergence in 2 iterations");
  CHECK(result.residuals.size() == 3);

  BlockSolver refuses;
  refuses.refuses = "the matrix is not definite";
  u = springs.start(0);
  result = newton(springs, refuses, {}, u);
  CHECK_FALSE(result.converged);
  CHECK(result.linear_iterations == 14);  // of both tangents
  CHECK_THAT(result.reason, Contains("linear solve: the matrix is not definite after 7 iterations"));
  CHECK(u == springs.start(0));

  u = springs.start(std::nan(""));
  CHECK(solve(springs, u).reason == "the residual is not a number");

  Springs walled(Comm(MPI_COMM_SELF), wall, 1);
  u = walled.start(2);
  result = solve(walled, u);
  CHECK(result.inadmissible);
  CHECK(result.reason == "the state to start from is not admissible");
}

TEST_CASE("a single iteration takes one correction and leaves the rest", "[solvers][newton]")
{
  Springs springs(Comm(MPI_COMM_SELF), hardening, 3);
  auto u = springs.start(0);
  const NewtonResult result = solve(springs, u, {.tolerance = 1e-12, .single_iteration = true});
  CHECK(result.converged);
  CHECK(result.residuals.size() == 2);
  CHECK(result.residuals.back() > 1e-3);
}

TEST_CASE("along a path the pattern may change after a tangent was not definite", "[solvers][newton][path]")
{
  Chain chain;
  PathSolver solver;
  solver.begin();
  for (const int next : {1, 4, 2}) {
    chain.join(next);
    std::vector<std::vector<double>> b(1, std::vector<double>(Chain::unknowns())), x = b;
    for (std::size_t k = 0; k < b[0].size(); ++k) b[0][k] = std::sin(static_cast<double>(k * k));
    const LinearResult result = solver.solve(chain, b, x, 1e-10);
    CAPTURE(next, result.reason);
    REQUIRE(result.converged);
    CHECK(solver.indefinite());
    const std::vector<double> back = chain.product(x[0]);
    for (std::size_t k = 0; k < b[0].size(); ++k) CHECK(back[k] == Approx(b[0][k]).margin(1e-8));
  }
}

TEST_CASE("where first guesses go round in a circle, the way back along the loads is found", "[solvers][newton][path]")
{
  // Where both links soften more is dissipated forth, and the first one opens; where it does alone, both open. In
  // balance the second one softens, the first one closes three times as fast, and loads go back.
  TwoLinks links;
  PathSolver solver;
  std::vector<double> u(6);
  const double energy = 0.02;
  const PathResult result = dissipate(links, solver, {.tolerance = 1e-10}, {0, 1, energy}, u);
  CAPTURE(result.newton.reason, Catch::rangeToString(result.newton.residuals), links.guesses);
  REQUIRE(result.newton.converged);
  CHECK(links.guesses > 8);  // so they did
  CHECK(result.t < 0);
  CHECK(u[0] == Approx(-3 * u[3]));
  CHECK(u[0] == Approx(result.t * 3 / 8));
  std::vector<double> slope(6);
  CHECK(links.dissipated(slope) == Approx(energy).epsilon(1e-3));
}
