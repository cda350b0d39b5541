#pragma once
/// Explicit time integration of nodes.

#include "core/types.hpp"

#include <cstdint>
#include <span>

namespace sunder::solvers {

/// symplectic: v += dt a, p += dt v (velocities live at half steps: central differences, second order).
/// euler: p += dt v, v += dt a. taylor: p += dt v + dt^2 a / 2, v += dt a (the sources' schemes, T 3.3).
enum class ExplicitScheme { symplectic, euler, taylor };

/// Local. One step of the nodes owned; a = f / mass + gravity, and gravity alone where mass is 0. Ghosts stay as they
/// are: what acts on them is known to their owners alone. Returns the largest |v| [m/s], NaN if any is not a number.
double explicit_step(ExplicitScheme scheme, double dt, const Vec3& gravity, std::span<const std::uint8_t> owned,
                     std::span<const double> mass, std::span<const Row4> f, std::span<Row4> p, std::span<Row4> v);

}  // namespace sunder::solvers
