#pragma once
/// How far crack fronts have run and what drives them, one row for each output step: crack_fronts.csv. docs/output.md.

#include "config/scene.hpp"
#include "core/reduction.hpp"
#include "simulation/state.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Means over the length of the front.
struct CrackFrontRow {
  double advance = 0;         ///< From where the scene has the front [m].
  std::array<double, 3> J{};  ///< Over a tube of a third of the radius, two thirds, and the radius [J/m^2].
  double K_I = 0, K_II = 0;   ///< Over the largest tube [Pa sqrt(m)]; NaN if elasticity there has directions.
};

/// The J-integral of dynamics over a tube around the front (Nakamura, Shih, Freund, Int. J. Solids Structures 22,
/// 1986),
///
///   J B = int ((P_iJ H_i1 - (W + T) delta_1J) q,J + rho ((a_i - b_i) H_i1 - v_i Hdot_i1) q) dV
///
/// with H the gradient of displacement, 1 the direction of growth, B the length of the front and q FrontTube::weight();
/// and the intensities from the interaction integral with the fields of crack_tip_field() (Rethore, Gravouil,
/// Combescure, Int. J. Numer. Meth. Engng 63, 2005). rho (a - b) at nodes is what internal forces make of it, so
/// supports, loads and contacts within the tube do not belong there. Sums are over ranks in an order that depends on
/// their number, so rows agree to round-off. Numbers are to stay at their address until the reduction is over.
class CrackFrontSums {
public:
  /// Collective if there are fronts: one reduction, how far they have run. This rank's sums in the current motion;
  /// forces must have been computed. O(elements).
  CrackFrontSums(const config::Scene& scene, const State& state);

  void join(Reduction& all);                ///< Local. With the others of the reduction.
  std::vector<CrackFrontRow> rows() const;  ///< Local, after the reduction. In the order of the scene.

  /// Of one front.
  struct Sum {
    double advance = 0;         ///< [m]
    std::array<double, 3> J{};  ///< Times B [J].
    double I_I = 0, I_II = 0;   ///< Interaction integrals with fields of a unit intensity, times B [m^1.5].
    /// Greatest coordinates of the tube's nodes along the front, and against it [m].
    double ahead = std::numeric_limits<double>::lowest(), behind = std::numeric_limits<double>::lowest();
    double volume = 0, modulus = 0;  ///< Of the tube [m^3], and E' times that [J].
    std::int64_t directional = 0;    ///< Elements whose elasticity has directions.
  };

private:
  std::vector<Sum> sums_;
};

/// Local. NAME.advance and so on, in the order of the scene, and the numbers of rows.
std::vector<std::string> crack_front_columns(const std::vector<config::CrackFront>& fronts);
std::vector<double> crack_front_numbers(const std::vector<CrackFrontRow>& rows);

}  // namespace sunder::simulation
