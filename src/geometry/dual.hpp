#pragma once
/// Numbers with their derivatives by n variables (forward mode), as scalars of Eigen's matrices.

#include <Eigen/Core>

namespace sunder::geometry {

/// Comparisons are those of the values. Not initialised unless a value is given.
template <int n>
struct Dual {
  using Slope = Eigen::Array<double, n, 1>;

  double value;
  Slope slope;  ///< By each of the variables.

  Dual() {}
  Dual(double constant) : value(constant), slope(Slope::Zero()) {}
  Dual(double v, const Slope& s) : value(v), slope(s) {}
  /// Variable k itself.
  static Dual variable(double v, int k)
  {
    Dual x(v);
    x.slope[k] = 1;
    return x;
  }

  Dual operator-() const { return {-value, -slope}; }
  Dual& operator+=(const Dual& o) { return value += o.value, slope += o.slope, *this; }
  Dual& operator-=(const Dual& o) { return value -= o.value, slope -= o.slope, *this; }
  Dual& operator*=(const Dual& o) { return *this = *this * o; }
  Dual& operator/=(const Dual& o) { return *this = *this / o; }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b)
  {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b)
  {
    const double quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
};

}  // namespace sunder::geometry

template <int n>
struct Eigen::NumTraits<sunder::geometry::Dual<n>> : Eigen::NumTraits<double> {
  using Real = sunder::geometry::Dual<n>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 0, ReadCost = n, AddCost = n, MulCost = 3 * n };
};
