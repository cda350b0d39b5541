#pragma once
/// How stiff contact is, and the step that allows.

#include "core/types.hpp"

namespace sunder::contact {

/// Local. k_err [N/m^3] for a p-wave modulus M [Pa] and elements of size h [m]: M / h. A layer of elements resists M / h per
/// area and depth of compression; contact that resists as much penetrates about as far as the elements give way.
double default_stiffness(double p_wave_modulus, double mesh_size);

/// Local. [s] Step below which contact of one element oscillates stably: force k V, so stiffness at most k A with A the
/// largest face, on a corner of lumped mass m/4 or more: omega^2 <= 4 k A / m, dt = 2 / omega.
double penalty_step(double stiffness, double element_mass, const std::array<Vec3, 4>& corners);

}  // namespace sunder::contact
