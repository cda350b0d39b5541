#pragma once
/// Where the energy went. kinetic + elastic + viscous + plastic + contact + remeshing - external keeps its initial
/// value.

#include "core/comm.hpp"
#include "io/frame.hpp"

namespace sunder::simulation {

/// Work since the start, this rank's share [J].
struct Work {
  double viscous = 0;    ///< Dissipated by viscosity.
  double plastic = 0;    ///< Dissipated by plastic flow.
  double contact = 0;    ///< Stored and dissipated in contact: minus the work on bodies and obstacles.
  double external = 0;   ///< By loads, boundary conditions and obstacles on a given path.
  double remeshing = 0;  ///< Kinetic energy lost by bisection.
};

class Ledger {
public:
  /// What later balances are compared with.
  struct Baseline {
    bool set = false;
    double energy = 0, potential = 0;  ///< Kinetic + elastic; of gravity [J].
  };

  Work work;
  Baseline baseline;  ///< The same on every rank.

  /// Collective. kinetic, elastic: now; potential: of gravity, m g . p; ahead: external work up to now that is not in
  /// `work` yet; each this rank's share. The first call sets
  /// what later ones are compared with; the error is relative to the greater of that and the external work.
  io::Energy balance(const Comm& comm, double kinetic, double elastic, double potential, double ahead);
};

}  // namespace sunder::simulation
