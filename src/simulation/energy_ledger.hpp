#pragma once
/// Where the energy went. kinetic + elastic + viscous + plastic + contact + remeshing + surface + numerical - external
/// keeps its initial value.

#include "core/reduction.hpp"

#include <cstdint>

namespace sunder::simulation {

/// Work since the start [J].
struct Work {
  double viscous = 0;    ///< Dissipated by viscosity.
  double plastic = 0;    ///< Dissipated by plastic flow.
  double contact = 0;    ///< Stored and dissipated in contact: minus the work on bodies and obstacles.
  double external = 0;   ///< By loads, boundary conditions and obstacles on a given path; not by gravity.
  double remeshing = 0;  ///< Kinetic energy lost by bisection.
  double surface = 0;    ///< Taken by links between the sides of cracks that have come to nothing.
  /// Lost by a solver: what implicit time integration damps; what a static solver leaves out where a crack lets go of
  /// elastic energy, which in nature becomes surface and motion; the motion that dust loses when it gets mass. Less
  /// what the mass brings along that time.mass_scaling_step gives to elements that bisection makes.
  double numerical = 0;

  /// Local. A rank's contribution becomes the sum over ranks, with the others of the reduction.
  void join(Reduction& all) { all.sum(viscous, plastic, contact, external, remeshing, surface, numerical); }
};

/// All that a balance is made of: a rank's contribution, or the sum [J].
struct Account {
  Work work;  ///< Up to now.
  double kinetic = 0, elastic = 0;
  double potential = 0;  ///< m g . p: minus the potential energy of gravity.
  double links = 0;      ///< What the links that there are have taken.

  void join(Reduction& all) { work.join(all), all.sum(kinetic, elastic, potential, links); }  ///< Local, as Work's.
};

/// The balance, over all ranks [J]. external: the work of gravity included. surface: of all links.
struct Energy {
  double kinetic = 0, elastic = 0, viscous = 0, plastic = 0, contact = 0, external = 0, remeshing = 0, surface = 0,
         numerical = 0;
  double relative_error = 0;
};

class EnergyLedger {
public:
  /// What later balances are compared with.
  struct Baseline {
    bool set = false;
    double energy = 0, potential = 0;  ///< Kinetic + elastic; of gravity [J].
  };

  Work work;            ///< This rank's contribution.
  double released = 0;  ///< This rank's: fracture::released_energy() of all events [J]. Not part of the balance.
  /// Links that have come to nothing, and G_c times their area [J]: what Work::surface should be. This rank's.
  std::int64_t broken_links = 0;
  double broken_surface = 0;
  Baseline baseline;  ///< The same on every rank.

  /// Local, on every rank. all: summed over ranks. The first call sets what later ones are compared with; the error is
  /// relative to the greatest of that, the external work, and the energy that round-off alone may bring in [J].
  Energy balance(const Account& all, double round_off);
};

}  // namespace sunder::simulation
