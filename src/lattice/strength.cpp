#include "lattice/strength.hpp"

#include "core/hash.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::lattice {
namespace {

/// A vector drawn for a corner of a cell, in [-1, 1]^3.
Vec3 gradient(std::uint64_t seed, const Eigen::Vector3<std::int64_t>& corner)
{
  std::uint64_t h = combine(0, seed);
  for (const std::int64_t i : corner) h = combine(h, static_cast<std::uint64_t>(i));
  Vec3 g;
  for (double& component : g) {
    h = mix(h + 0x9e3779b97f4a7c15ull);
    component = std::ldexp(static_cast<double>(h >> 11), -52) - 1;
  }
  return g;
}

/// Gradient noise of cells of size 1 (Perlin 1985, with his smoother blend of 2002).
double noise_at(std::uint64_t seed, const Vec3& x)
{
  const Vec3 floor = x.array().floor(), in_cell = x - floor;
  const Eigen::Vector3<std::int64_t> cell = floor.cast<std::int64_t>();
  const Vec3 blend = in_cell.unaryExpr([](double s) { return s * s * s * (s * (6 * s - 15) + 10); });
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3<std::int64_t> offset(corner & 1, corner >> 1 & 1, corner >> 2);
    double weight = 1;
    for (int d = 0; d < 3; ++d) weight *= offset[d] != 0 ? blend[d] : 1 - blend[d];
    sum += weight * gradient(seed, cell + offset).dot(in_cell - offset.cast<double>());
  }
  return sum;
}

double factor_of(const Noise& noise, const Vec3& X)
{
  const double t = turbulence(noise, X);
  if (!std::isnan(noise.threshold)) return t < noise.threshold ? noise.low : noise.high;
  return noise.low + t * (noise.high - noise.low);
}

double factor_of(const CleavingPlane& plane, const Vec3& X)
{
  return std::abs((X - plane.point).dot(plane.normal)) <= plane.thickness / 2 ? plane.factor : 1;
}

double factor_of(const Bands& bands, const Vec3& X)
{
  const double s = (X - bands.point).dot(bands.axis) / bands.period;
  return s - std::floor(s) < 0.5 ? bands.low : bands.high;
}

double factor_of(const Nodule& nodule, const Vec3& X)
{
  return (X - nodule.center).squaredNorm() <= nodule.radius * nodule.radius ? nodule.factor : 1;
}

double mean_volume(const Comm& comm, std::span<const double> volumes, std::span<const char> counted)
{
  const std::vector<double> ones(counted.begin(), counted.end());
  const auto [volume, count] = solvers::exact_dots(comm, {{volumes, ones}, {ones, ones}});
  return volume / count;
}

}  // namespace

double turbulence(const Noise& noise, const Vec3& x)
{
  double sum = 0, weights = 0;
  for (std::int64_t octave = 0; octave < noise.octaves; ++octave) {
    const double weight = std::ldexp(1.0, -static_cast<int>(octave));
    const auto seed = static_cast<std::uint64_t>(noise.seed) + static_cast<std::uint64_t>(octave) * 0x10001ull;
    sum += weight * std::abs(noise_at(seed, x / (noise.size * weight)));
    weights += weight;
  }
  // The noise hardly ever reaches 0.7, and its absolute value is about a sixth of it in the mean.
  return std::min(1.0, sum / (0.7 * weights));
}

double strength_factor(std::span<const StrengthFactor> factors, const Vec3& X)
{
  double product = 1;
  for (const StrengthFactor& f : factors) {
    if (f.uniform) product *= *f.uniform;
    if (f.noise) product *= factor_of(*f.noise, X);
    if (f.plane) product *= factor_of(*f.plane, X);
    if (f.bands) product *= factor_of(*f.bands, X);
    if (f.nodule) product *= factor_of(*f.nodule, X);
    if (f.expression) product *= (*f.expression)(X);
  }
  return product;
}

std::vector<double> bond_strengths(const Comm& comm, const Bonds& bonds, std::span<const double> volumes,
                                   std::span<const char> counted, const StrengthOptions& options)
{
  const double mean = mean_volume(comm, volumes, counted);
  std::vector<double> strengths;
  strengths.reserve(bonds.areas.size());
  std::optional<Failure> problem;
  for (std::size_t b = 0; b < bonds.areas.size(); ++b) {
    const auto& [a, c] = bonds.elements[b];
    const double share = (volumes[static_cast<std::size_t>(a)] + volumes[static_cast<std::size_t>(c)]) / (2 * mean);
    const double strength = options.stress * bonds.areas[b] * std::pow(share, options.volume_exponent) *
                            strength_factor(options.factors, bonds.places[b]);
    strengths.push_back(strength);
    if ((strength > 0 && std::isfinite(strength * options.compression)) || problem) continue;
    const Vec3& X = bonds.places[b];
    problem = Failure{fmt::format("{}: at ({:.6g}, {:.6g}, {:.6g}) m, between elements {} and {}: "
                                  "expected a strength > 0 and finite, found {:.6g} N",
                                  options.key, X.x(), X.y(), X.z(), bonds.keys[b].a.low, bonds.keys[b].b.low, strength),
                      bonds.keys[b].a.low};
  }
  throw_on_all(comm, problem);
  return strengths;
}

}  // namespace sunder::lattice
