#include "fracture/notify.hpp"

#include "core/bytes.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sunder::fracture {
namespace {

void put(Bytes& out, const Plan& plan)
{
  sunder::put(out, plan.node), sunder::put(out, plan.copy);
  sunder::put(out, plan.bisections), sunder::put(out, plan.moving);
}

void put(Bytes& out, const NodeSplit& split)
{
  sunder::put(out, split.node), sunder::put(out, split.copy), sunder::put(out, split.elements);
}

Plan get_plan(ByteReader& in)
{
  Plan plan;
  plan.node = in.get<NodeId>(), plan.copy = in.get<NodeId>();
  plan.bisections = in.get_vector<Bisection>(), plan.moving = in.get_vector<ElementId>();
  return plan;
}

NodeSplit get_split(ByteReader& in)
{
  NodeSplit split;
  split.node = in.get<NodeId>(), split.copy = in.get<NodeId>();
  split.elements = in.get_vector<ElementId>();
  return split;
}

/// Other ranks that hold an element around n; n is owned, so its star is whole.
void add_holders(const mesh::TetMesh& mesh, LocalIndex n, std::set<Rank>& ranks)
{
  for (const LocalIndex e : mesh.star(n))
    for (const LocalIndex q : mesh.tet(e))
      if (!mesh.owned(q)) ranks.insert(mesh.node(q).owner);
}

std::set<NodeId> one_ring(const mesh::TetMesh& mesh, LocalIndex n)
{
  std::set<NodeId> ring;
  for (const LocalIndex e : mesh.star(n))
    for (const LocalIndex q : mesh.tet(e)) ring.insert(mesh.node(q).id);
  return ring;
}

}  // namespace

std::vector<Plan> notify_of_plans(const mesh::TetMesh& mesh, const partition::Halo& halo, std::vector<Plan> mine)
{
  const std::size_t peers = halo.peers().size();
  std::map<NodeId, Plan> known;
  std::map<NodeId, std::set<Rank>> forward_to;  // ranks each plan goes to in the second exchange
  std::vector<Bytes> out(peers);

  // First to the owners of the one-ring; with the ring, so that they know which of their nodes' holders to tell.
  for (Plan& plan : mine) {
    const LocalIndex n = *mesh.find(plan.node);
    const std::set<NodeId> ring = one_ring(mesh, n);
    std::set<Rank> owners;
    for (const NodeId id : ring) {
      const LocalIndex q = *mesh.find(id);
      if (mesh.owned(q))
        add_holders(mesh, q, forward_to[plan.node]);
      else
        owners.insert(mesh.node(q).owner);
    }
    for (const Rank r : owners) {
      Bytes& to = out[halo.position_of(r)];
      put(to, plan);
      sunder::put(to, std::vector<NodeId>(ring.begin(), ring.end()));
    }
    known.emplace(plan.node, std::move(plan));
  }
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out))
    for (ByteReader in(message); !in.done();) {
      Plan plan = get_plan(in);
      for (const NodeId id : in.get_vector<NodeId>())
        if (const auto q = mesh.find(id); q && mesh.owned(*q)) add_holders(mesh, *q, forward_to[plan.node]);
      known.emplace(plan.node, std::move(plan));
    }

  for (Bytes& message : out) message.clear();
  for (const auto& [node, ranks] : forward_to)
    for (const Rank r : ranks) put(out[halo.position_of(r)], known.at(node));
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out))
    for (ByteReader in(message); !in.done();) {
      Plan plan = get_plan(in);
      known.emplace(plan.node, std::move(plan));
    }

  std::vector<Plan> all;
  all.reserve(known.size());
  for (auto& [node, plan] : known) all.push_back(std::move(plan));
  return all;
}

std::vector<NodeSplit> notify_of_splits(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                        std::vector<NodeSplit> mine)
{
  std::vector<Bytes> out(halo.peers().size());
  for (const NodeSplit& split : mine) {
    std::set<Rank> holders;
    add_holders(mesh, *mesh.find(split.node), holders);
    for (const Rank r : holders) put(out[halo.position_of(r)], split);
  }
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out))
    for (ByteReader in(message); !in.done();) mine.push_back(get_split(in));
  std::sort(mine.begin(), mine.end(),
            [](const NodeSplit& x, const NodeSplit& y) { return std::tie(x.node, x.copy) < std::tie(y.node, y.copy); });
  return mine;
}

}  // namespace sunder::fracture
