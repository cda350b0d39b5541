#pragma once
/// What may be asked of a tangent: minus the derivative of forces by positions, -(df/dp + rate df/dv).

namespace sunder {

enum class TangentKind {
  exact,      ///< The derivative, symmetric or not.
  symmetric,  ///< The symmetric part of it: the same where forces have a potential.
  /// Symmetric and positive semidefinite, by leaving out what may not be. A descent direction comes of it where the
  /// exact one gives none.
  positive_definite
};

struct TangentOptions {
  TangentKind kind = TangentKind::exact;
  double rate = 0;  ///< How much velocities change with positions; not negative [1/s].
};

}  // namespace sunder
