#pragma once
/// Pressure behind a spherical front.

#include "config/scene.hpp"

namespace sunder::simulation {

/// Local. Pressure at place x [m] and time t [s], in Pa; negative in the suction phase. With s the time since the front
/// arrived at x less the rise, it is peak (1 - s/decay) exp(-shape s/decay): F. G. Friedlander, The diffraction of
/// sound pulses I, Proc. R. Soc. A 186 (1946), with the factor b of W. E. Baker, Explosions in Air (1973).
double blast_pressure(const config::Blast& blast, const Vec3& x, double t);

/// Local. How blast_pressure() changes with x [Pa/m]: it is later in the curve, and weaker, farther away. The front
/// itself is a jump, or a kink where the pressure takes time to rise, and has none.
Vec3 blast_gradient(const config::Blast& blast, const Vec3& x, double t);

}  // namespace sunder::simulation
