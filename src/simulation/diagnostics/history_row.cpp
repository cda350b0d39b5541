#include "simulation/diagnostics/history_row.hpp"

#include "simulation/diagnostics/totals.hpp"

#include <fmt/format.h>

namespace sunder::simulation {

HistoryRow history_row(State& state, const Stepper& stepper)
{
  Totals totals = local_totals(state.model);
  Account account = stepper.account();
  Reduction all;
  HistoryRow row;
  row.cracks = local_crack_totals(state.model);
  totals.join(all), account.join(all), row.cracks.join(all);
  all.over(state.comm);
  row.step = state.steps, row.time = state.time, row.dt = state.dt;
  row.nodes = totals.nodes, row.elements = totals.elements;
  row.fragments = state.fragments, row.events = state.events;
  row.energy = state.ledger.balance(account);
  return row;
}

std::string history_header()
{
  return "step,time,dt,nodes,elements,fragments,events,"
         "kinetic,elastic,viscous,plastic,contact,external,remeshing,energy_error,crack_faces,surface_area";
}

std::string history_line(const HistoryRow& row)
{
  const Energy& e = row.energy;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", row.step, row.time, row.dt, row.nodes,
                     row.elements, row.fragments, row.events, e.kinetic, e.elastic, e.viscous, e.plastic, e.contact,
                     e.external, e.remeshing, e.relative_error, row.cracks.faces, row.cracks.area);
}

}  // namespace sunder::simulation
