#pragma once
/// A formula of a scene, over the place in the material.

#include "core/types.hpp"

#include <memory>
#include <string>

namespace sunder::lattice {

/// Of x, y, z [m] and pi, with the operators and functions of muParser: + - * / ^ , comparisons, c ? a : b, sin, exp,
/// sqrt, min, max and others. Copies share the variables: one thread at a time.
class Expression {
public:
  /// Local. Throws Error (bad_input) that says what is wrong, and where in the text, counted from 0.
  explicit Expression(std::string text);

  /// Local. Not finite where it is not defined.
  double operator()(const Vec3& X) const;
  const std::string& text() const noexcept { return text_; }  ///< Local.

private:
  struct Compiled;
  std::string text_;
  std::shared_ptr<Compiled> compiled_;
};

}  // namespace sunder::lattice
