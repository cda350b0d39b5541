#pragma once
/// How stiff a contact should be, and what step it allows. Local, pure.

#include "contact/obstacle.hpp"
#include "core/types.hpp"

#include <array>

namespace sunder::contact {

/// A stiffness k_err as hard as the elements behind it [N/m^3]: M/h. A face sunk in by d shares the volume A d, so the
/// obstacle presses with k d = M d/h, as much as a layer of elements of height h squeezed by d. Softer lets bodies sink
/// in by more than they deform; harder only costs steps.
/// @param p_wave_modulus  lambda + 2 mu [Pa]
/// @param mesh_size       edge length [m]
double default_stiffness(double p_wave_modulus, double mesh_size);

/// Largest step of central differences for one element on an obstacle, [s]: 2/omega = sqrt(m / (k A)), with m the
/// element's mass (a quarter at each corner) and A its largest face. Node a feels k times the integral of N_a over the
/// overlap; moving node b changes it by the integral of N_a N_b over the cut, whose rows sum to at most A/2 (no section
/// of a tetrahedron is larger than its largest face), and by a share of the element's own volume change, at most A/3:
/// omega^2 <= k A / (m/4). By Irons' theorem the least over elements holds for their mesh. It allows for the contact
/// alone: where the elements' own limit dt_e acts on the same nodes, 1/dt^2 = 1/dt_e^2 + 1/dt_contact^2.
/// @param stiffness     k_err [N/m^3]
/// @param element_mass  [kg]
/// @param corners       [m]
double penalty_step(double stiffness, double element_mass, const std::array<Vec3, 4>& corners);

/// Largest step of central differences for a free obstacle between immovable elements, [s]: 2/omega. Touched all over,
/// it has springs of k n n^T and k (r x n)(r x n)^T an area; for a box that makes at most k A/m for each way to move
/// and to turn, A twice its largest face, and for a sphere k A/m with A a third of its surface; less contact is softer.
/// Where elements give way too, 1/dt^2 = 1/dt_element^2 + 1/dt_obstacle^2 is enough.
double obstacle_step(const Obstacle& obstacle);

}  // namespace sunder::contact
