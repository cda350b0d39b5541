#include "simulation/energy_ledger.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::simulation {

Energy EnergyLedger::balance(const Account& all, double round_off)
{
  Energy e;
  e.kinetic = all.kinetic, e.elastic = all.elastic;
  e.viscous = all.work.viscous, e.plastic = all.work.plastic;
  e.contact = all.work.contact, e.remeshing = all.work.remeshing, e.numerical = all.work.numerical;
  e.surface = all.work.surface + all.links;
  const double stored = e.kinetic + e.elastic;
  if (!baseline.set) baseline = {true, stored, all.potential};
  e.external = all.work.external + (all.potential - baseline.potential);

  const double error =
      stored + e.viscous + e.plastic + e.contact + e.remeshing + e.surface + e.numerical - e.external - baseline.energy;
  const double scale = std::max({std::abs(baseline.energy), std::abs(e.external), round_off});
  e.relative_error = scale > 0 ? error / scale : 0;
  return e;
}

}  // namespace sunder::simulation
