#include "solvers/chebyshev.hpp"

#include "core/hash.hpp"
#include "solvers/block_product.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace sunder::solvers {

namespace {

using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// In [-1, 1), a pure function of the node's id and the axis.
double noise(const NodeId& id, std::size_t axis)
{
  const std::uint64_t bits = combine(combine(combine(0, id.low), id.high), static_cast<std::uint64_t>(axis));
  return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
}

std::optional<Failure> check_row(const NodeLayout& layout, LocalIndex row, std::span<const Block> values,
                                 const Block& diagonal)
{
  const auto n = static_cast<std::size_t>(row);
  const auto where = [&] {
    const Vec3& X = layout.X[n];
    return fmt::format("node {} at ({:.6g}, {:.6g}, {:.6g}) m", layout.ids[n].low, X.x(), X.y(), X.z());
  };
  for (const Block& block : values)
    for (const double value : block)
      if (!std::isfinite(value))
        return Failure(where() + ": the matrix holds a value that is not finite", layout.ids[n].low);
  const Eigen::LLT<Mat3> factor(Eigen::Map<const RowMajor3>(diagonal.data()));
  if (factor.info() != Eigen::Success)
    return Failure(where() + ": the matrix is not positive definite, nor is its 3 x 3 block of this node",
                   layout.ids[n].low);
  return std::nullopt;
}

/// Of a symmetric tridiagonal matrix T, by bisection: x is larger than all of them if x I - T has positive pivots.
/// @param beside  next to the diagonal, at least one shorter
double largest_eigenvalue_of(std::span<const double> diagonal, std::span<const double> beside)
{
  const auto above_all = [&](double x) {
    double pivot = x - diagonal[0];
    for (std::size_t k = 1; k < diagonal.size() && pivot > 0; ++k)
      pivot = x - diagonal[k] - beside[k - 1] * beside[k - 1] / pivot;
    return pivot > 0;
  };
  double low = 0, high = 0;
  for (const double d : diagonal) high = std::max(high, d);
  while (std::isfinite(high) && !above_all(high)) low = high, high *= 2;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (above_all(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::optional<std::string> NodeBlockChebyshev::set_matrix(const NodeLayout& layout, const BlockMatrix& A)
{
  layout_ = &layout, A_ = &A;
  rest_.resize(3 * static_cast<std::size_t>(layout.num_owned));
  direction_.resize(3 * static_cast<std::size_t>(layout.size()));
  next_.resize(direction_.size());
  if (auto problem = invert_diagonal()) return problem;
  return estimate_largest_eigenvalue();
}

std::optional<std::string> NodeBlockChebyshev::invert_diagonal()
{
  const BlockMatrix& A = *A_;
  inverse_.resize(static_cast<std::size_t>(layout_->num_owned));
  std::optional<Failure> problem;
  for (std::size_t row = 0; row < inverse_.size(); ++row) {
    const auto begin = static_cast<std::size_t>(A.row_begin[row]), end = static_cast<std::size_t>(A.row_begin[row + 1]);
    Block diagonal{};
    for (std::size_t k = begin; k < end; ++k)
      if (static_cast<std::size_t>(A.columns[k]) == row) diagonal = A.values[k];
    if (auto found = check_row(*layout_, static_cast<LocalIndex>(row), std::span(A.values).subspan(begin, end - begin),
                               diagonal))
      note(problem, *std::move(found));
    Eigen::Map<RowMajor3>(inverse_[row].data()) = Mat3(Eigen::Map<const RowMajor3>(diagonal.data())).inverse();
  }
  return first_of(layout_->comm, problem);
}

void NodeBlockChebyshev::multiply_by_inverse(std::span<const double> r, std::span<double> z) const
{
  for (std::size_t row = 0; row < inverse_.size(); ++row) {
    const double *const d = inverse_[row].data(), *const b = r.data() + 3 * row;
    for (std::size_t i = 0; i < 3; ++i) z[3 * row + i] = d[3 * i] * b[0] + d[3 * i + 1] * b[1] + d[3 * i + 2] * b[2];
  }
}

/// The coefficients of conjugate gradients, preconditioned by D^-1, are those of Lanczos' tridiagonal matrix.
std::optional<std::string> NodeBlockChebyshev::estimate_largest_eigenvalue()
{
  constexpr int steps = 10;
  const std::size_t n = rest_.size();
  std::vector<double> z(n), Ap(n);
  const std::span<double> p = std::span(direction_).first(n);
  for (std::size_t k = 0; k < n; ++k) rest_[k] = noise(layout_->ids[k / 3], k % 3);
  std::vector<double> diagonal, beside;
  double rz = 0, from_last = 0;  // what the last step adds to the diagonal
  for (int step = 0; step < steps; ++step) {
    multiply_by_inverse(rest_, z);
    const double rz_new = exact_dots(layout_->comm, {{rest_, z}})[0];
    if (!std::isfinite(rz_new)) return "the matrix holds values too large or too small to multiply";
    if (!(rz_new > 0)) break;  // the vectors met so far span all there is
    const double beta = step == 0 ? 0 : rz_new / rz;
    if (step > 0) beside.push_back(std::sqrt(beta) * from_last), from_last *= beta;
    rz = rz_new;
    for (std::size_t k = 0; k < n; ++k) p[k] = z[k] + beta * (step == 0 ? 0 : p[k]);
    layout_->owners_to_ghosts(direction_);
    multiply(*A_, direction_, Ap);
    const double pAp = exact_dots(layout_->comm, {{p, Ap}})[0];
    if (!(pAp > 0)) return fmt::format("the matrix is not positive definite: p A p = {:.3g} for a vector p", pAp);
    const double alpha = rz / pAp;
    diagonal.push_back(1 / alpha + from_last);
    from_last = 1 / alpha;
    for (std::size_t k = 0; k < n; ++k) rest_[k] -= alpha * Ap[k];
  }
  if (!diagonal.empty()) largest_ = largest_eigenvalue_of(diagonal, beside);
  return std::nullopt;
}

void NodeBlockChebyshev::advance(double from_last, double from_rest, std::span<double> z)
{
  layout_->owners_to_ghosts(direction_);
  const BlockMatrix& A = *A_;
  for (std::size_t row = 0; row < inverse_.size(); ++row) {
    double* const r = rest_.data() + 3 * row;
    const auto sum = multiply_row(A, row, direction_.data());
    for (std::size_t i = 0; i < 3; ++i) r[i] -= sum[i];
    const double* const d = inverse_[row].data();
    for (std::size_t i = 0; i < 3; ++i) {
      const double step = d[3 * i] * r[0] + d[3 * i + 1] * r[1] + d[3 * i + 2] * r[2];
      next_[3 * row + i] = from_last * direction_[3 * row + i] + from_rest * step;
      z[3 * row + i] += next_[3 * row + i];
    }
  }
  std::swap(direction_, next_);
}

/// Saad, Iterative methods for sparse linear systems (2003), algorithm 12.1.
void NodeBlockChebyshev::apply(std::span<const double> r, std::span<double> z)
{
  const double b = 1.1 * largest_, a = b / ratio_;
  const double middle = (a + b) / 2, half = (b - a) / 2, sigma = middle / half;
  std::copy(r.begin(), r.end(), rest_.begin());
  multiply_by_inverse(r, z);
  for (std::size_t k = 0; k < z.size(); ++k) direction_[k] = z[k] /= middle;
  double rho = 1 / sigma;
  for (int j = 1; j < degree_; ++j) {
    const double next_rho = 1 / (2 * sigma - rho);
    advance(next_rho * rho, 2 * next_rho / half, z);
    rho = next_rho;
  }
}

}  // namespace sunder::solvers
