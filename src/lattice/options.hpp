#pragma once
/// What a scene says of its lattice. docs/lattice.md.

#include "core/types.hpp"
#include "lattice/expression.hpp"
#include "lattice/minimum_norm.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sunder::lattice {

/// Turbulence: a sum of gradient noise (Perlin 1985) of cells of half the size each, as absolute values.
struct Noise {
  std::int64_t seed = 1;
  double size = 0;  ///< Of the largest cells, > 0 [m].
  std::int64_t octaves = 4;
  double low = 0.5, high = 1.5;  ///< The factor where turbulence is 0, and where it is 1.
  /// Not NaN: the factor is low where turbulence is below this share, and high elsewhere.
  double threshold = std::numeric_limits<double>::quiet_NaN();
};
/// Bonds whose faces lie close to a plane.
struct CleavingPlane {
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();
  double thickness = 0;  ///< > 0 [m]
  double factor = 0.1;
};
/// Layers across an axis, in turn low and high.
struct Bands {
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();
  double period = 0;  ///< Of a low layer and a high one together, > 0 [m].
  double low = 0.5, high = 1.5;
};
/// A ball.
struct Nodule {
  Vec3 center = Vec3::Zero();
  double radius = 0;  ///< > 0 [m]
  double factor = 10;
};

/// What multiplies the strength of a bond by its place in the material: one of these.
struct StrengthFactor {
  std::optional<double> uniform;
  std::optional<Noise> noise;
  std::optional<CleavingPlane> plane;
  std::optional<Bands> bands;
  std::optional<Nodule> nodule;
  std::optional<Expression> expression;
};

struct StrengthOptions {
  double stress = 0;                ///< Tensile strength over the area of a face of a mean element [Pa], > 0.
  double volume_exponent = 1 / 3.;  ///< Of the two elements' mean volume over that of all elements.
  double compression = 8;           ///< Times as strong in compression.
  std::vector<StrengthFactor> factors;
  std::string key = "lattice.strength";  ///< Where the scene says it, for messages: file, line and path.
};

/// A value at a place between 0 and 1, linear in between.
struct CurvePoint {
  double at = 0, value = 0;
};

/// A force on part of a body, over the time of the impact.
struct Impact {
  std::string name;
  Vec3 at = Vec3::Zero();  ///< In the world at the start [m].
  double radius = 0;       ///< Of the ball of elements that take it, by mass; 0: the nearest element takes all [m].
  /// Only elements so close to the plane through `at` across the force take it: a patch [m].
  double depth = std::numeric_limits<double>::infinity();
  Vec3 force = Vec3::Zero();     ///< When the schedule is 1 [N].
  Vec3 momentum = Vec3::Zero();  ///< Not zero: that all steps together give, instead of the force [N s].
  std::string key;               ///< Where the scene says it, for messages: file, line and path.
};

/// How the bonds whose faces share an edge with a bond that has just broken are weakened: by a - b cos(c theta), theta
/// the angle between the two, or by a table over theta from 0 to a right angle.
struct CrackGrowth {
  double a = 1, b = 0, c = 0;
  std::vector<CurvePoint> table;  ///< at: theta as a share of a right angle; not empty: used instead.

  static CrackGrowth none() { return {}; }
  static CrackGrowth moderate() { return {0.75, 0.25, 2, {}}; }
  static CrackGrowth major() { return {0.5005, 0.4995, 4, {}}; }
};

/// Fragments of a single small element, once the impact is over.
struct CrumbOptions {
  enum class Become { bodies, particles, nothing };
  double volume = 1;               ///< Smaller ones than so many mean elements.
  Become become = Become::bodies;  ///< Bodies like all others; points that only obstacles touch; taken out.
};

struct Options {
  StrengthOptions strength;
  std::vector<Impact> impacts;
  std::vector<CurvePoint> schedule{{0, 0}, {0.5, 1}, {1, 0}};  ///< Share of the impacts' forces, over that of time.
  double duration = 0;                                         ///< Of the impacts [s], > 0.
  std::int64_t steps = 25;                                     ///< That it is divided into.
  std::string crack_growth = "none";                           ///< none | moderate | major | table
  std::vector<CurvePoint> growth_table;
  double prestress = 0;  ///< -k C, with which bonds would separate their elements [m/s^2].
  SolveOptions solve;
  CrumbOptions crumbs;
};

}  // namespace sunder::lattice
