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
  if (!begun_) initial_ = stored, initial_potential_ = down, begun_ = true;
  e.external = comm.sum(work.external + ahead) + (down - initial_potential_);

  const double error = stored + e.viscous + e.plastic + e.contact + e.remeshing - e.external - initial_;
  const double scale = std::max(std::abs(initial_), std::abs(e.external));
  e.relative_error = scale > 0 ? error / scale : 0;
  return e;
}

}  // namespace sunder::simulation
