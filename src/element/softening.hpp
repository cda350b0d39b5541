#pragma once
/// How the strength of a link fades. docs/cohesion.md.

#include "material/toughness.hpp"

namespace sunder::element {

/// A share s of the way from the opening of full strength to the final one, 0 to 1.
struct Softened {
  double left = 0;   ///< Of the strength.
  double taken = 0;  ///< The integral of that from 0 to s.
};

Softened softened(material::Softening softening, double s);

/// How what is left changes with s. At a kink that of what follows.
double softening_slope(material::Softening softening, double s);

}  // namespace sunder::element
