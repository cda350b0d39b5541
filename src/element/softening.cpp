#include "element/softening.hpp"

#include <cmath>

namespace sunder::element {
namespace {

constexpr double kink = 2.0 / 9;                         // a third of the strength is left at 0.8 G_c/sigma_c
constexpr double rate = 5, last = 0.006737946999085467;  // exp(-rate): taken off, so that the pull ends

Softened bilinear(double s)
{
  constexpr double all = 5.0 / 18;  // none of the strength is left at 3.6 G_c/sigma_c
  if (s < kink) return {1 - 3 * s, s - 1.5 * s * s};
  const double left = 3 * (1 - s) / 7;
  return {left, all - left * (1 - s) / 2};
}

Softened exponential(double s)
{
  const double e = std::exp(-rate * s);
  return {(e - last) / (1 - last), ((1 - e) / rate - s * last) / (1 - last)};
}

}  // namespace

Softened softened(material::Softening softening, double s)
{
  switch (softening) {
    case material::Softening::bilinear:
      return bilinear(s);
    case material::Softening::exponential:
      return exponential(s);
    default:
      return {1 - s, s - s * s / 2};
  }
}

double softening_slope(material::Softening softening, double s)
{
  switch (softening) {
    case material::Softening::bilinear:
      return s < kink ? -3 : -3.0 / 7;
    case material::Softening::exponential:
      return -rate * std::exp(-rate * s) / (1 - last);
    default:
      return -1;
  }
}

}  // namespace sunder::element
