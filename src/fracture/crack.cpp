#include "fracture/crack.hpp"

#include "core/bytes.hpp"
#include "fracture/apply.hpp"
#include "fracture/candidates.hpp"
#include "fracture/choose.hpp"
#include "fracture/invariants.hpp"
#include "fracture/mend.hpp"
#include "fracture/plan.hpp"
#include "fracture/tell.hpp"

#include <algorithm>

namespace sunder::fracture {
namespace {

/// An event of this rank, with what is pushed ahead of the crack it makes.
struct Event {
  Plan plan;
  Mat3 residual = Mat3::Zero();  ///< alpha m(n) (v+ - tau), shared by the tip nodes [N]
};

double residual_share(const element::Model& model, LocalIndex n, const FractureOptions& options)
{
  return options.residual >= 0 ? options.residual : model.material_of(model.mesh.star(n).front()).residual;
}

std::vector<Event> plan_all(const element::Model& model, const std::vector<LocalIndex>& chosen, Candidates& candidates,
                            const FractureOptions& options)
{
  std::vector<Event> events;
  for (const LocalIndex n : chosen) {
    const Candidate candidate = candidates.act(n);
    const element::Principal& separation = candidate.separation;
    auto planned = plan(model, n, separation.direction, options);
    if (!planned) {
      candidates.set_aside(n);
      continue;
    }
    const double excess = separation.value - candidate.toughness;
    events.push_back(
        {std::move(*planned), residual_share(model, n, options) * excess * element::m(separation.direction)});
  }
  return events;
}

/// Collective on neighbours. T 4.7: each tip node gets its share; owners of tip nodes are told.
void push_residuals(const mesh::TetMesh& mesh, const partition::Halo& halo, const std::vector<Event>& events,
                    const std::vector<Copying>& mended, Candidates& candidates, std::vector<LocalIndex>& touched)
{
  struct Share {
    NodeId node;
    std::array<double, 9> residual;
  };
  const auto receive = [&](const Share& share) {
    const LocalIndex n = *mesh.find(share.node);
    candidates.push_residual(n, Eigen::Map<const Mat3>(share.residual.data()));
    touched.push_back(n);
  };
  const auto peers = halo.peers();
  std::vector<Bytes> out(peers.size());
  for (const Event& event : events) {
    if (event.residual.isZero(0)) continue;
    const auto tip = crack_tip(mesh, event.plan, mended);
    for (const LocalIndex n : tip) {
      Share share{mesh.node(n).id, {}};
      Eigen::Map<Mat3>(share.residual.data()) = event.residual / static_cast<double>(tip.size());
      if (mesh.owned(n))
        receive(share);
      else
        put(out[static_cast<std::size_t>(std::lower_bound(peers.begin(), peers.end(), mesh.node(n).owner) -
                                         peers.begin())],
            share);
    }
  }
  for (const Bytes& message : exchange(halo.comm(), peers, out))
    for (ByteReader in(message); !in.done();) receive(in.get<Share>());
}

}  // namespace

CrackResult crack(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> screened,
                  const FractureOptions& options)
{
  CrackResult result;
  Candidates candidates;
  candidates.evaluate(model, screened);
  halo.owners_to_ghosts(std::span<double>(model.height));

  while (halo.comm().max(static_cast<std::int64_t>(candidates.failing().size())) > 0) {
    if (result.rounds == options.max_rounds) {
      result.unfinished = true;
      break;
    }
    ++result.rounds, ++model.rounds;

    const auto chosen = choose(model.mesh, halo, candidates);
    const std::vector<Event> events = plan_all(model, chosen, candidates, options);
    std::vector<Plan> mine;
    for (const Event& event : events) mine.push_back(event.plan);
    const std::vector<Plan> plans = tell(model.mesh, halo, std::move(mine));

    Changes changes;
    for (const Plan& plan : plans) apply(model, plan, changes);
    const std::vector<Copying> mended = mend(model, halo, changes);
    refresh(model, changes);
    halo.rebuild(model.mesh, changes.elements);
    halo.owners_to_ghosts(std::span<double>(model.height));

    std::vector<LocalIndex> touched = changes.nodes;
    push_residuals(model.mesh, halo, events, mended, candidates, touched);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::erase_if(touched, [&model](LocalIndex n) { return !model.mesh.owned(n); });
    candidates.evaluate(model, touched);

    result.events += static_cast<std::int64_t>(events.size());
    result.kinetic_loss += changes.kinetic_loss;
    result.births.insert(result.births.end(), changes.births.begin(), changes.births.end());
    result.angular_momentum_loss += changes.angular_momentum_loss;
    result.elements.insert(result.elements.end(), changes.elements.begin(), changes.elements.end());
#ifndef NDEBUG
    throw_on_all(halo.comm(), find_violation(model, halo), static_cast<int>(ExitStatus::simulation_failed));
#endif
  }
  std::sort(result.elements.begin(), result.elements.end());
  result.elements.erase(std::unique(result.elements.begin(), result.elements.end()), result.elements.end());
  return result;
}

}  // namespace sunder::fracture
