#pragma once
/// What a contact's force depends on besides the overlap.

namespace sunder::contact {

/// Constants of a contact. stiffness 0 and damping below 0 mean: chosen from meshes and materials.
struct Response {
  double stiffness = 0;         ///< k_err [N/m^3]: force per overlap volume.
  double damping = 0;           ///< k_dmp [N s/m^4]: force per overlap volume and approach speed.
  double friction_static = 0;   ///< Coulomb [-], reached at slip_speed.
  double friction_dynamic = 0;  ///< Coulomb [-], from twice slip_speed on.
  double slip_speed = 1e-3;     ///< [m/s] up to which friction grows with the speed, from none.
};

/// What counts as contact.
enum class ContactCriterion {
  overlap,  ///< The volume they share, T 5.3.
  nodes,    ///< Nodes of one that are inside the other, P99 3.3.
};

}  // namespace sunder::contact
