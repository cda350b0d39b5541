#include "simulation/stepping/failure_check.hpp"

#include "core/stopwatch.hpp"
#include "fracture/failing_nodes.hpp"
#include "fracture/screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sunder::simulation {

FailureCheck::FailureCheck(const config::Scene& scene, State& state, double interval)
  : scene_(scene), state_(state), scratch_(state.model), interval_(interval)
{
}

void FailureCheck::resize()
{
  evaluations_.resize(static_cast<std::size_t>(state_.model.mesh.num_nodes()), 0);
}

void FailureCheck::forget_evaluations()
{
  std::fill(evaluations_.begin(), evaluations_.end(), 0);
}

void FailureCheck::screen(ProcessorTime& spent)
{
  nodes_.clear();
  if (!due()) return;
  next_check_ = state_.time + interval_;
  const PhaseStopwatch watch(state_.measured.wall.failure);
  const ProcessorStopwatch elements(spent.on_elements);
  fracture::screen(state_.model, scene_.fracture.criterion, nodes_);
}

std::int64_t FailureCheck::evaluate(ProcessorTime& spent)
{
  ratios_.clear();
  if (nodes_.empty()) return 0;
  const PhaseStopwatch watch(state_.measured.wall.failure);
  const ProcessorStopwatch stopwatch(spent.on_failing);
  fracture::FailingNodes failing(scene_.fracture.criterion);
  failing.evaluate(scratch_.evaluation, nodes_);
  for (const LocalIndex n : nodes_) ++evaluations_[static_cast<std::size_t>(n)];
  nodes_.clear();
  for (const auto& [n, node] : failing.nodes()) nodes_.push_back(n), ratios_.push_back(node.ratio);
  return std::ssize(nodes_);
}

double FailureCheck::largest_ratio(std::span<const LocalIndex> but) const
{
  double largest = 0;
  for (std::size_t i = 0; i < ratios_.size(); ++i)
    if (!std::binary_search(but.begin(), but.end(), nodes_[i])) largest = std::max(largest, ratios_[i]);
  return largest;
}

std::optional<fracture::CrackResult> FailureCheck::crack(bool one_round)
{
  fracture::FractureOptions options = scene_.fracture;
  if (one_round) options.max_rounds = std::min(options.max_rounds, 1);
  fracture::CrackResult result = fracture::crack(state_.model, *state_.halo, nodes_, options, state_.time, scratch_);
  state_.events += result.events_of_all;
  state_.measured.rounds += result.rounds;
  state_.measured.cracking_checks += result.events_of_all > 0;
  state_.ledger.work.remeshing += result.kinetic_loss;
  // Mass that appears where it is brings its motion, and has not fallen there.
  state_.ledger.work.numerical -= result.added_mass.kinetic;
  state_.ledger.work.external -= scene_.gravity.dot(result.added_mass.moment);
  state_.ledger.released += result.released_energy;
  if (result.unfinished && !one_round && !std::exchange(warned_, true))
    warn(state_,
         fmt::format(
             "step {}: nodes still failed after {} rounds; the rest waits for the next check, fracture.max_rounds lets "
             "more of them be followed",
             state_.steps, result.rounds));
  if (result.events_of_all == 0)
    return {};  // nodes that fail but cannot be split change nothing, and may do so at every check
  return result;
}

}  // namespace sunder::simulation
