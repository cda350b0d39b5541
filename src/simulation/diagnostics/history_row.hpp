#pragma once
/// One line of history.csv: what a run was like at one instant.

#include "simulation/diagnostics/crack_surface.hpp"
#include "simulation/diagnostics/reaction_rows.hpp"
#include "simulation/energy_ledger.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace sunder::simulation {

/// Counts and energies are over all ranks.
struct HistoryRow {
  std::int64_t step = 0;
  double time = 0, dt = 0;
  std::int64_t nodes = 0, elements = 0, fragments = 0, events = 0;
  Energy energy;
  CrackTotals cracks;
  std::vector<ReactionRow> reactions;  ///< Since the last row.
};

/// Collective, one reduction. Of the current state; forces must have been computed. The first one opens the state's
/// ledger. What reactions are means over goes on; the caller begins it anew. join_more: adds what other tables sum.
HistoryRow history_row(State& state, const Stepper& stepper, const std::function<void(Reduction&)>& join_more = {});

/// Local. First line of history.csv, and a row of it, without the line end. Numbers have the fewest digits that read
/// back to the same bits. names: reaction_names().
std::string history_header(const std::vector<std::string>& names);
std::string history_line(const HistoryRow& row);

}  // namespace sunder::simulation
