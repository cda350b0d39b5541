#include "simulation/diagnostics/history_row.hpp"

#include "simulation/diagnostics/totals.hpp"

#include "io/run_files/history.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::simulation {
namespace {

/// [J] What a body at rest gathers by round-off, on which nothing acts: positions are rounded to a part in 10^16, and
/// waves of some thousand times that make this share of mass times the speed of sound squared.
double energy_of_round_off(const State& state, double mass)
{
  constexpr double share = 1e-24;
  double stiffest = 0;  // [m^2/s^2]
  for (const material::Material& m : state.model.materials)
    stiffest = std::max(stiffest, m.p_wave_modulus() / m.density);
  return share * mass * stiffest;
}

}  // namespace

HistoryRow history_row(State& state, const Stepper& stepper, const std::function<void(Reduction&)>& join_more)
{
  Totals totals = local_totals(state.model);
  Account account = stepper.account();
  Reduction all;
  HistoryRow row;
  row.cracks = local_crack_totals(state.model);
  ReactionSums reactions(state);
  totals.join(all), account.join(all), row.cracks.join(all), reactions.join(all);
  if (join_more) join_more(all);
  all.over(state.comm);
  row.step = state.steps, row.time = state.time, row.dt = state.dt;
  row.nodes = totals.nodes, row.elements = totals.elements;
  row.fragments = state.fragments, row.events = state.events;
  row.energy = state.ledger.balance(account, energy_of_round_off(state, totals.mass));
  row.reactions = reactions.rows(state);
  return row;
}

std::string history_header(const std::vector<std::string>& names)
{
  std::string header =
      "step,time,dt,nodes,elements,fragments,events,"
      "kinetic,elastic,viscous,plastic,contact,external,remeshing,energy_error,crack_faces,surface_area,numerical,"
      "surface";
  for (const std::string& name : names)
    for (const char* column : {"fx", "fy", "fz"}) header += ',' + io::csv_text(name + '.' + column);
  return header;
}

std::string history_line(const HistoryRow& row)
{
  const Energy& e = row.energy;
  std::string line =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", row.step, row.time, row.dt, row.nodes,
                  row.elements, row.fragments, row.events, e.kinetic, e.elastic, e.viscous, e.plastic, e.contact,
                  e.external, e.remeshing, e.relative_error, row.cracks.faces, row.cracks.area, e.numerical, e.surface);
  for (const ReactionRow& reaction : row.reactions)
    line += fmt::format(",{},{},{}", reaction.force.x(), reaction.force.y(), reaction.force.z());
  return line;
}

}  // namespace sunder::simulation
