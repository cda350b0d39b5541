#pragma once
/// Explicit time integration of nodes.

#include "core/types.hpp"

#include <cstdint>
#include <span>

namespace sunder::solvers {

/// symplectic: v += dt a, p += dt v (velocities live at half steps: central differences, second order).
/// euler: p += dt v, v += dt a. taylor: p += dt v + dt^2 a / 2, v += dt a (the sources' schemes, T 3.3).
enum class ExplicitScheme { symplectic, euler, taylor };

/// Local. One step of the owned nodes, with a = f / mass + gravity, or a = gravity if mass is 0. Ghosts stay as they
/// are: only their owners know all forces on them. Returns the largest |v| of owned nodes [m/s]; NaN if any is not a
/// number.
/// @param dt             [s]
/// @param owned          (nodes) not 0: this rank owns the node
/// @param mass, f, p, v  (nodes) [kg], [N], [m], [m/s]
double explicit_step(ExplicitScheme scheme, double dt, const Vec3& gravity, std::span<const std::uint8_t> owned,
                     std::span<const double> mass, std::span<const Row4> f, std::span<Row4> p, std::span<Row4> v);

}  // namespace sunder::solvers
