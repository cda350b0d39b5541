#include "fracture/crack.hpp"

#include "core/bytes.hpp"
#include "core/fault_point.hpp"
#include "core/reduction.hpp"
#include "core/sort_unique.hpp"
#include "element/cohesion.hpp"
#include "element/toughness.hpp"
#include "fracture/apply.hpp"
#include "fracture/choose.hpp"
#include "fracture/crack_faces.hpp"
#include "fracture/failing_nodes.hpp"
#include "fracture/invariants.hpp"
#include "fracture/mean_direction.hpp"
#include "fracture/notify.hpp"
#include "fracture/plan.hpp"
#include "fracture/released_energy.hpp"
#include "fracture/split_stars.hpp"

#include <algorithm>
#include <limits>

namespace sunder::fracture {
namespace {

/// A node that this rank is going to split, with its residual, of which the crack tip gets the share alpha.
struct PlannedSplit {
  Plan plan;
  Vec3 normal = Vec3::Zero();  ///< of the plane
  double alpha = 0;
  double residual = 0;  ///< v* = v+ - tau [N]
};

/// Nothing is passed on where links hold a crack together: its faces do not open at once.
double alpha_of(const element::Model& model, LocalIndex n, int interface, const FractureOptions& options)
{
  const material::Cohesion cohesion = interface < 0 ? element::node_strength(model, n).cohesion
                                                    : model.interfaces[static_cast<std::size_t>(interface)].cohesion;
  if (cohesion.energy > 0) return 0;
  return options.residual >= 0 ? options.residual : element::residual_share(model, n);
}

/// @param direction  to cut across, where that parts the node; else, and where it is zero, its own direction
std::optional<PlannedSplit> plan_split(const element::Model& model, LocalIndex n, const FailingNode& node,
                                       const Vec3& direction, const FractureOptions& options)
{
  PlannedSplit split{{},
                     node.separation.direction,
                     alpha_of(model, n, node.interface, options),
                     node.separation.value - node.toughness};
  if (node.interface >= 0) {
    split.plan =
        plan_along_interface(model, n, model.interfaces[static_cast<std::size_t>(node.interface)], split.normal);
    return split;
  }
  std::optional<Plan> planned;
  if (direction != Vec3::Zero()) planned = plan(model, n, direction, options);
  if (planned)
    split.normal = direction;
  else
    planned = plan(model, n, split.normal, options);
  if (!planned) return std::nullopt;
  split.plan = std::move(*planned);
  return split;
}

/// @param directions  (chosen) as in plan_split(); may be empty
std::vector<PlannedSplit> plan_all(const element::Model& model, const std::vector<LocalIndex>& chosen,
                                   std::span<const Vec3> directions, FailingNodes& failing,
                                   const FractureOptions& options)
{
  std::vector<PlannedSplit> planned_splits;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const LocalIndex n = chosen[k];
    const Vec3 direction = directions.empty() ? Vec3(Vec3::Zero()) : directions[k];
    if (auto split = plan_split(model, n, failing.act(n), direction, options))
      planned_splits.push_back(std::move(*split));
    else
      failing.set_aside(n);
  }
  return planned_splits;
}

std::vector<Plan> plans_of(const std::vector<PlannedSplit>& splits)
{
  std::vector<Plan> plans;
  for (const PlannedSplit& split : splits) plans.push_back(split.plan);
  return plans;
}

/// Local. The owned nodes to evaluate after a round: those with other elements around them, those whose separation was
/// changed, and of the other nodes of changed elements those that were not evaluated in this step. The state does not
/// change within a step, so of the rest the same would come out. Where links hold a crack, a node bears more beside a
/// new one. The nodes returned are added to `evaluated`.
std::vector<LocalIndex> to_evaluate(const mesh::TetMesh& mesh, const MeshDelta& delta,
                                    std::span<const LocalIndex> changed, NodeSet& evaluated)
{
  std::vector<LocalIndex> nodes;
  evaluated.grow(mesh.num_nodes());
  const auto take = [&](LocalIndex n) {
    if (!mesh.owned(n)) return;
    evaluated.insert(n);
    nodes.push_back(n);
  };
  for (const LocalIndex n : delta.stars) take(n);
  for (const LocalIndex n : changed) take(n);
  for (const LocalIndex n : delta.nodes)
    if (delta.cohesive || !evaluated.contains(n)) take(n);
  sort_unique(nodes);
  return nodes;
}

/// Collective on neighbours. T 4.7: each tip node gets its share of the residual. With relief, the nodes beside the
/// crack lose the fraction alpha of the pull across it. Owners of either are told; returns the nodes of this rank that
/// change.
std::vector<LocalIndex> distribute_residuals(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                             const std::vector<PlannedSplit>& planned_splits,
                                             const std::vector<NodeSplit>& star_splits, bool relief,
                                             FailingNodes& failing)
{
  std::vector<LocalIndex> changed;
  struct ResidualMessage {
    NodeId node;
    std::array<double, 3> normal;
    double pushed, relieved;  // one of them is zero
  };
  const auto apply_to_owned = [&](const ResidualMessage& message) {
    const LocalIndex n = *mesh.find(message.node);
    const Vec3 normal(message.normal.data());
    if (message.pushed > 0)
      failing.push(n, normal, message.pushed);
    else
      failing.relieve(n, normal, message.relieved);
    changed.push_back(n);
  };
  std::vector<Bytes> out(halo.peers().size());
  const auto send_to_owner = [&](LocalIndex n, const Vec3& normal, double pushed, double relieved) {
    const ResidualMessage message{mesh.node(n).id, {normal.x(), normal.y(), normal.z()}, pushed, relieved};
    if (mesh.owned(n)) return apply_to_owned(message);
    put(out[halo.position_of(mesh.node(n).owner)], message);
  };
  for (const PlannedSplit& split : planned_splits) {
    if (split.alpha == 0) continue;
    const Surroundings around = surroundings(mesh, split.plan, star_splits);
    const double pushed = split.alpha * split.residual / static_cast<double>(around.tip.size());
    for (const LocalIndex n : around.tip) send_to_owner(n, split.normal, pushed, 0);
    if (!relief) continue;
    for (const LocalIndex n : around.beside) send_to_owner(n, split.normal, 0, split.alpha);
  }
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out))
    for (ByteReader in(message); !in.done();) apply_to_owned(in.get<ResidualMessage>());
  return changed;
}

/// Collective. Does a node of any rank fail? One reduction, which also counts the events so far. If an element has lost
/// its volume on any rank, the same reduction tells all ranks, and all throw. It is safe to throw here: every rank has
/// sent what others wait for.
bool any_node_fails_or_throw(const Comm& comm, const FailingNodes& failing, const element::Model& model,
                             CrackResult& result)
{
  constexpr std::int64_t has_problem = std::numeric_limits<std::int64_t>::max();
  auto most = model.problem ? has_problem : static_cast<std::int64_t>(failing.nodes().size());
  result.events_of_all = result.events;
  Reduction all;
  all.max(most), all.sum(result.events_of_all);
  all.over(comm);
  if (most == has_problem) throw_on_all(comm, model.problem, ExitStatus::simulation_failed);
  return most > 0;
}

/// Collective. Cuts along all plans of a round, parts the nodes, and brings model and halo up to date. Adds to delta
/// what has changed.
std::vector<NodeSplit> cut(element::Model& model, partition::Halo& halo, std::span<const Plan> plans, MeshDelta& delta)
{
  for (const Plan& plan : plans) apply(model, plan, delta);
  if (fault_point(FaultKind::check, "crack: elements of the round"))
    note(model.problem, std::string("an element made by a crack: material volume 0 m^3, expected > 0"));
  std::vector<NodeSplit> star_splits = split_stars(model, halo, delta);
  refresh(model, delta);
  update_halo(model, halo, delta);
  return star_splits;
}

void add_to(CrackResult& result, const MeshDelta& delta)
{
  result.kinetic_loss += delta.kinetic_loss;
  result.elements_more += delta.elements_more;
  result.angular_momentum_loss += delta.angular_momentum_loss;
  result.added_mass.kinetic += delta.added_mass.kinetic, result.added_mass.moment += delta.added_mass.moment;
  result.lineage.insert(result.lineage.end(), delta.lineage.begin(), delta.lineage.end());
  result.splits.insert(result.splits.end(), delta.splits.begin(), delta.splits.end());
  result.elements.insert(result.elements.end(), delta.elements.begin(), delta.elements.end());
  result.nodes.insert(result.nodes.end(), delta.nodes.begin(), delta.nodes.end());
}

/// Of an element without volume nothing can be worked out.
void add_released_energy(const element::Model& model, std::span<const Plan> plans, CrackResult& result)
{
  if (model.problem) return;
  for (const Plan& plan : plans)
    result.released_energy += released_energy(model, *model.mesh.find(plan.node), *model.mesh.find(plan.copy));
}

/// Collective on neighbours. What the round has changed, and nodes that a crack of it may keep from failing. Of an
/// element without volume nothing can be worked out.
void evaluate_again(const element::Model& model, const partition::Halo& halo, const MeshDelta& delta,
                    std::span<const LocalIndex> changed, double share, Scratch& scratch, FailingNodes& failing)
{
  std::vector<LocalIndex> again = to_evaluate(model.mesh, delta, changed, scratch.evaluated);
  if (delta.cohesive) {
    std::vector<LocalIndex> asked = again;
    for (const auto& [n, node] : failing.nodes()) asked.push_back(n);
    scratch.evaluation.exclusion.look(model, halo, share, asked);
    for (const auto& [n, node] : failing.nodes())
      if (scratch.evaluation.exclusion.contains(n)) again.push_back(n);
    sort_unique(again);
  }
  if (!model.problem) failing.evaluate(scratch.evaluation, again);
}

}  // namespace

CrackResult crack(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> failed,
                  const FractureOptions& options, double time)
{
  Scratch scratch(model);
  return crack(model, halo, failed, options, time, scratch);
}

CrackResult crack(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> failed,
                  const FractureOptions& options, double time, Scratch& scratch)
{
  CrackResult result;
  const bool cohesive = element::cohesive(model);
  FailingNodes failing(options.criterion);
  Exclusion& exclusion = scratch.evaluation.exclusion;
  if (cohesive) exclusion.look(model, halo, options.exclusion, failed);
  failing.evaluate(scratch.evaluation, failed);
  scratch.evaluated.start(model.mesh.num_nodes());
  for (const LocalIndex n : failed) scratch.evaluated.insert(n);
  halo.owners_to_ghosts(std::span<double>(model.height));

  while (any_node_fails_or_throw(halo.comm(), failing, model, result)) {
    if (result.rounds == options.max_rounds) {
      result.unfinished = true;
      break;
    }
    ++result.rounds, ++model.rounds;

    const auto chosen = scratch.choice.choose(model.mesh, halo, failing);
    const auto directions = cohesive ? mean_directions(model, halo, chosen) : std::vector<Vec3>();
    const std::vector<PlannedSplit> planned_splits = plan_all(model, chosen, directions, failing, options);
    const std::vector<Plan> mine = plans_of(planned_splits);
    const std::vector<Plan> plans = notify_of_plans(model.mesh, halo, mine);

    MeshDelta delta;
    delta.time = time, delta.cohesive = cohesive;
    const std::vector<NodeSplit> star_splits = cut(model, halo, plans, delta);
    const auto changed = distribute_residuals(model.mesh, halo, planned_splits, star_splits, options.relief, failing);
    evaluate_again(model, halo, delta, changed, options.exclusion, scratch, failing);

    result.events += static_cast<std::int64_t>(planned_splits.size());
    add_to(result, delta);
    add_released_energy(model, mine, result);
#ifndef NDEBUG
    throw_on_all(halo.comm(), find_violation(model, halo), ExitStatus::simulation_failed);
#endif
  }
  exclusion.clear();
  sort_unique(result.elements), sort_unique(result.nodes);
  model.links.sort(model.mesh);
  if (result.rounds > 0) share_crack_faces(model.mesh, halo, result.elements);
  return result;
}

}  // namespace sunder::fracture
