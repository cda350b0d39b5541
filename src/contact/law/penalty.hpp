#pragma once
/// How stiff a contact should be, and what step it allows. Local, pure.

#include "contact/law/obstacle.hpp"
#include "core/types.hpp"

#include <array>

namespace sunder::contact {

/// The stiffness k_err that makes a contact as stiff as the elements behind it [N/m^3]: M/h. A face of area A that is d
/// deep overlaps by the volume A d, so the obstacle presses with the stress k d = M d/h. That is the stress in a layer
/// of elements of height h that is squeezed by d. A softer contact lets bodies sink in by more than they deform. A
/// stiffer one only shortens the step.
/// @param p_wave_modulus  lambda + 2 mu [Pa]
/// @param mesh_size       edge length [m]
double default_stiffness(double p_wave_modulus, double mesh_size);

/// Largest stable step of central differences for one element on an obstacle [s]: 2/omega = sqrt(m / (k A)). m is the
/// element's mass, a quarter at each corner, and A its largest face.
///
/// Why: the force on node a is k times the integral of N_a over the overlap. Moving node b changes it in two ways. The
/// cut moves: that is the integral of N_a N_b over the cut, with row sums of at most A/2, as no section of a
/// tetrahedron is larger than its largest face. And the element's volume changes: at most A/3. Together omega^2 <= k A
/// / (m/4). By Irons' theorem the least of all elements' steps is stable for their mesh.
///
/// This is the limit of the contact alone. With the element's own limit dt_e, 1/dt^2 = 1/dt_e^2 + 1/dt_contact^2.
/// @param stiffness     k_err [N/m^3]
/// @param element_mass  [kg]
/// @param corners       [m]
double penalty_step(double stiffness, double element_mass, const std::array<Vec3, 4>& corners);

/// Largest stable step of central differences for a free obstacle between immovable elements [s]: 2/omega. The worst
/// case is contact all over its surface. Each unit of area is then a spring of k n n^T against moving and of k (r x
/// n)(r x n)^T against turning. For each way to move or to turn, omega^2 is at most k A/m: for a box with A twice its
/// largest face, for a sphere with A a third of its surface, for others with the integrals over their surface. Where
/// elements give way too, 1/dt^2 = 1/dt_element^2 + 1/dt_obstacle^2 is enough.
double obstacle_step(const Obstacle& obstacle);

}  // namespace sunder::contact
