#include "simulation/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::simulation {

io::Energy Ledger::balance(const Comm& comm, double kinetic, double elastic, double potential, double ahead)
{
  io::Energy e;
  e.kinetic = comm.sum(kinetic), e.elastic = comm.sum(elastic);
  e.viscous = comm.sum(work.viscous), e.plastic = comm.sum(work.plastic);
  e.contact = comm.sum(work.contact), e.remeshing = comm.sum(work.remeshing);
  const double down = comm.sum(potential), stored = e.kinetic + e.elastic;
  if (!baseline.set) baseline = {true, stored, down};
  e.external = comm.sum(work.external + ahead) + (down - baseline.potential);

  const double error = stored + e.viscous + e.plastic + e.contact + e.remeshing - e.external - baseline.energy;
  const double scale = std::max(std::abs(baseline.energy), std::abs(e.external));
  e.relative_error = scale > 0 ? error / scale : 0;
  return e;
}

}  // namespace sunder::simulation
