#include "simulation/migration/repartition.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "partition/decompose/curve_partition.hpp"
#include "partition/decompose/decompose_parallel.hpp"
#include "simulation/migration/migrate.hpp"
#include "simulation/probes.hpp"
#include "simulation/rebuild_bodies.hpp"
#include "simulation/setup/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sunder::simulation {

Partitioner partitioner_of(const config::PartitionOptions& options)
{
  return options.method == "hilbert" ? Partitioner(partition::partition_along_curve)
                                     : Partitioner(partition::decompose_rows);
}

/// Whatever can be worked out anew goes before the partitioner runs.
bool repartition(State& state, Stepper& stepper, const Partitioner& partitioner)
{
  SUNDER_ASSERT(stepper.at_sync_point());
  const LongWork work("repartitioning");
  const ReleaseAsFreed frugal;
  element::Model& model = state.model;
  state.measured.most_elements_held = std::max(state.measured.most_elements_held, model.mesh.num_slots());
  owners_marks_to_ghosts(*state.halo, model.mesh);
  agree_on_points(state);
  state.halo->owners_to_ghosts(std::span<element::NodeHistory>(model.history));
  if (!model.a.empty()) state.halo->owners_to_ghosts(std::span<Row4>(model.a));
  std::vector<double> costs = stepper.element_costs();
  auto memory = stepper.pair_memory();
  stepper.release();
  model.blocks.release_shapes();
  release(model.f), release(model.mass), release(model.toughness), release(model.strength), release(model.height);
  return_freed();
  const NewOwners owners = new_owners(model, *state.halo, std::move(costs), partitioner);
  return_freed();
  if (owners.problem && !std::exchange(state.warned_of_repartition, true))
    warn(state, fmt::format("step {}: not repartitioned, nodes keep their owners: {}", state.steps, *owners.problem));
  partition::MigrationRecords bodies = migrate(state.comm, model, owners.of_nodes, std::move(memory));
  rebuild_bodies(bodies, state);
  stepper.rebuild(bodies.pairs);
  stepper.reset_processor_time();
  if (owners.problem) return false;
  ++state.measured.num_repartitions;
  return true;
}

}  // namespace sunder::simulation
