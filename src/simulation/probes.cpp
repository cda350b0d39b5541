#include "simulation/probes.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sunder::simulation {
namespace {

using element::MaterialPoint;

/// Collective. The smallest of all ranks' ids, each by itself.
void take_smallest(const Comm& comm, std::vector<ElementId>& ids)
{
  std::vector<std::int64_t> low, high;
  for (const ElementId& id : ids) low.push_back(descending(id.low));
  Reduction of_low, of_high;
  for (std::int64_t& x : low) of_low.max(x);
  of_low.over(comm);
  for (std::size_t k = 0; k < ids.size(); ++k)
    high.push_back(ids[k].low == from_descending(low[k]) ? descending(ids[k].high)
                                                         : std::numeric_limits<std::int64_t>::min());
  for (std::int64_t& x : high) of_high.max(x);
  of_high.over(comm);
  for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = {from_descending(low[k]), from_descending(high[k])};
}

/// Collective. Gives an element to each point whose place in the list is named.
void find_elements(State& state, const std::vector<std::size_t>& wanted)
{
  element::Model& model = state.model;
  std::vector<ElementId> ids(wanted.size(), mesh::no_element);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.alive(e)) continue;
    const auto corners = model.mesh.corners(e);
    for (std::size_t k = 0; k < wanted.size(); ++k)
      if (const ElementId id = model.mesh.element_id(e); id < ids[k] && contains(corners, model.points[wanted[k]].X))
        ids[k] = id;
  }
  take_smallest(state.comm, ids);
  for (std::size_t k = 0; k < wanted.size(); ++k) model.points[wanted[k]].element = ids[k];
}

}  // namespace

void place_probes(const config::Scene& scene, State& state, const std::vector<StoredPoint>& stored)
{
  const std::vector<config::Probe>& probes = scene.output.probes;
  if (probes.empty()) return;
  element::Model& model = state.model;
  model.points.clear();
  std::vector<std::size_t> wanted;
  std::vector<std::int64_t> nodes(probes.size(), 0);
  for (std::size_t k = 0; k < probes.size(); ++k) {
    if (probes[k].node) {
      const auto n = model.mesh.find(static_cast<std::uint64_t>(*probes[k].node));
      nodes[k] = n && model.mesh.owned(*n);
      continue;
    }
    element::MaterialPoint& point = model.points.emplace_back();
    point.X = *probes[k].at;
    const auto known = std::find_if(stored.begin(), stored.end(),
                                    [&point](const StoredPoint& earlier) { return earlier.X == point.X; });
    if (known != stored.end())
      point.element = known->element;
    else
      wanted.push_back(model.points.size() - 1);
  }
  find_elements(state, wanted);
  state.comm.sum_in_place(nodes);
  auto point = model.points.begin();
  for (std::size_t k = 0; k < probes.size(); ++k) {
    if (probes[k].node && nodes[k] == 0)
      throw AgreedError(
          fmt::format("{}: expected the id of a node, as GlobalNodeId of the frames has it, got {}, which no node has",
                      probes[k].key, *probes[k].node));
    if (probes[k].at && (point++)->element == mesh::no_element)
      throw AgreedError(outside_all_bodies(probes[k].key, *probes[k].at));
  }
  element::find_slots(model.points, model.mesh);
}

bool contains(const std::array<Vec3, 4>& corners, const Vec3& X)
{
  constexpr double slack = 1e-9;  // so that a place on the surface is in the body whatever the round-off
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax({corners[0][axis], corners[1][axis], corners[2][axis], corners[3][axis]});
    const double s = slack * (high - low);
    if (X[axis] < low - s || X[axis] > high + s) return false;
  }
  const auto share = element::barycentric(corners, X);
  return *std::min_element(share.begin(), share.end()) >= -slack;
}

std::string outside_all_bodies(const std::string& key, const Vec3& X)
{
  return fmt::format("{}: expected a place in a body, got [{}, {}, {}], which is outside of all", key, X.x(), X.y(),
                     X.z());
}

PointSums::PointSums(const element::Model& model) : low_(model.points.size(), 0), high_(model.points.size(), 0)
{
  for (std::size_t k = 0; k < low_.size(); ++k)
    if (const MaterialPoint& point = model.points[k]; point.slot >= 0 && model.mesh.primary(point.slot))
      low_[k] = point.element.low, high_[k] = point.element.high;
}

void PointSums::join(Reduction& all)
{
  for (auto* half : {&low_, &high_})
    for (std::uint64_t& x : *half) all.sum(x);
}

std::vector<StoredPoint> PointSums::points(const element::Model& model) const
{
  std::vector<StoredPoint> points;
  for (std::size_t k = 0; k < low_.size(); ++k) points.push_back({model.points[k].X, {low_[k], high_[k]}});
  return points;
}

void agree_on_points(State& state)
{
  if (state.model.points.empty()) return;
  PointSums sums(state.model);
  Reduction all;
  sums.join(all);
  all.over(state.comm);
  const auto points = sums.points(state.model);
  for (std::size_t k = 0; k < points.size(); ++k) state.model.points[k].element = points[k].element;
}

}  // namespace sunder::simulation
