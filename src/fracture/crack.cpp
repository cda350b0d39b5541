#include "fracture/crack.hpp"

#include "core/bytes.hpp"
#include "core/fault_point.hpp"
#include "core/sort_unique.hpp"
#include "element/toughness.hpp"
#include "fracture/apply.hpp"
#include "fracture/choose.hpp"
#include "fracture/failing_nodes.hpp"
#include "fracture/invariants.hpp"
#include "fracture/notify.hpp"
#include "fracture/plan.hpp"
#include "fracture/split_stars.hpp"

#include <algorithm>
#include <limits>

namespace sunder::fracture {
namespace {

/// An event of this rank, with the residual that its tip gets.
struct Event {
  Plan plan;
  Vec3 normal = Vec3::Zero();  ///< of the plane
  double alpha = 0;
  double residual = 0;  ///< v* = v+ - tau [N]
};

double alpha_of(const element::Model& model, LocalIndex n, const FractureOptions& options)
{
  return options.residual >= 0 ? options.residual : element::residual_share(model, n);
}

std::vector<Event> plan_all(const element::Model& model, const std::vector<LocalIndex>& chosen, FailingNodes& failing,
                            const FractureOptions& options)
{
  std::vector<Event> events;
  for (const LocalIndex n : chosen) {
    const FailingNode node = failing.act(n);
    const element::Principal& separation = node.separation;
    auto planned = plan(model, n, separation.direction, options);
    if (!planned) {
      failing.set_aside(n);
      continue;
    }
    events.push_back(
        {std::move(*planned), separation.direction, alpha_of(model, n, options), separation.value - node.toughness});
  }
  return events;
}

/// Collective on neighbours. T 4.7: each tip node gets its share of the residual. With relief, the nodes beside the
/// crack lose the share alpha of the pull across it. Owners of either are told; nodes that change are added to
/// `touched`.
void distribute_residuals(const mesh::TetMesh& mesh, const partition::Halo& halo, const std::vector<Event>& events,
                          const std::vector<NodeSplit>& star_splits, bool relief, FailingNodes& failing,
                          std::vector<LocalIndex>& touched)
{
  struct Share {
    NodeId node;
    std::array<double, 3> normal;
    double pushed, relieved;  // one of them is zero
  };
  const auto receive = [&](const Share& share) {
    const LocalIndex n = *mesh.find(share.node);
    const Vec3 normal(share.normal.data());
    if (share.pushed > 0)
      failing.push(n, normal, share.pushed);
    else
      failing.relieve(n, normal, share.relieved);
    touched.push_back(n);
  };
  std::vector<Bytes> out(halo.peers().size());
  const auto give = [&](LocalIndex n, const Vec3& normal, double pushed, double relieved) {
    const Share share{mesh.node(n).id, {normal.x(), normal.y(), normal.z()}, pushed, relieved};
    if (mesh.owned(n)) return receive(share);
    put(out[halo.position_of(mesh.node(n).owner)], share);
  };
  for (const Event& event : events) {
    if (event.alpha == 0) continue;
    const Surroundings around = surroundings(mesh, event.plan, star_splits);
    const double share = event.alpha * event.residual / static_cast<double>(around.tip.size());
    for (const LocalIndex n : around.tip) give(n, event.normal, share, 0);
    if (!relief) continue;
    for (const LocalIndex n : around.beside) give(n, event.normal, 0, event.alpha);
  }
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out))
    for (ByteReader in(message); !in.done();) receive(in.get<Share>());
}

/// Collective. Does a node of any rank fail? One reduction. If an element has lost its volume on any rank, the same
/// reduction tells all ranks, and all throw. It is safe to throw here: every rank has sent what others wait for.
bool anyone_fails(const Comm& comm, const FailingNodes& failing, const element::Model& model)
{
  constexpr std::int64_t meaningless = std::numeric_limits<std::int64_t>::max();
  const auto most = comm.max(model.problem ? meaningless : static_cast<std::int64_t>(failing.nodes().size()));
  if (most == meaningless) throw_on_all(comm, model.problem, static_cast<int>(ExitStatus::simulation_failed));
  return most > 0;
}

}  // namespace

CrackResult crack(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> failed,
                  const FractureOptions& options)
{
  CrackResult result;
  FailingNodes failing(options.criterion);
  failing.evaluate(model, failed);
  halo.owners_to_ghosts(std::span<double>(model.height));

  while (anyone_fails(halo.comm(), failing, model)) {
    if (result.rounds == options.max_rounds) {
      result.unfinished = true;
      break;
    }
    ++result.rounds, ++model.rounds;

    const auto chosen = choose(model.mesh, halo, failing);
    const std::vector<Event> events = plan_all(model, chosen, failing, options);
    std::vector<Plan> mine;
    for (const Event& event : events) mine.push_back(event.plan);
    const std::vector<Plan> plans = notify_of_plans(model.mesh, halo, std::move(mine));

    MeshDelta delta;
    for (const Plan& plan : plans) apply(model, plan, delta);
    if (fault_point(FaultKind::check, "crack: elements of the round"))
      note(model.problem, std::string("an element made by a crack: material volume 0 m^3, expected > 0"));
    const std::vector<NodeSplit> star_splits = split_stars(model, halo, delta);
    refresh(model, delta);
    halo.rebuild(model.mesh, delta.elements);
    halo.owners_to_ghosts(std::span<double>(model.height));

    std::vector<LocalIndex> touched = delta.nodes;
    distribute_residuals(model.mesh, halo, events, star_splits, options.relief, failing, touched);
    sort_unique(touched);
    std::erase_if(touched, [&model](LocalIndex n) { return !model.mesh.owned(n); });
    if (!model.problem) failing.evaluate(model, touched);  // of an element without volume nothing can be

    result.events += static_cast<std::int64_t>(events.size());
    result.kinetic_loss += delta.kinetic_loss;
    result.lineage.insert(result.lineage.end(), delta.lineage.begin(), delta.lineage.end());
    result.splits.insert(result.splits.end(), delta.splits.begin(), delta.splits.end());
    result.angular_momentum_loss += delta.angular_momentum_loss;
    result.elements.insert(result.elements.end(), delta.elements.begin(), delta.elements.end());
#ifndef NDEBUG
    throw_on_all(halo.comm(), find_violation(model, halo), static_cast<int>(ExitStatus::simulation_failed));
#endif
  }
  sort_unique(result.elements);
  return result;
}

}  // namespace sunder::fracture
