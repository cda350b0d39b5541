#include "simulation/hybrid/struck_bodies.hpp"

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/sort_unique.hpp"
#include "element/make_model.hpp"
#include "partition/migration/export_lists.hpp"
#include "simulation/model_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sunder::simulation {
namespace {

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

double contact_time(const config::Scene& scene, const RigidBody& body)
{
  return scene.hybrid.contact_time > 0 ? scene.hybrid.contact_time : 4 * body.radius() / body.wave_speed;
}

/// A force on the area of an element's face cannot make more tension than its pressure, but for the bending of thin
/// parts.
double threshold(const config::Scene& scene, const State& state, const RigidBody& body)
{
  constexpr double bending = 0.01;
  return scene.hybrid.threshold >= 0 ? scene.hybrid.threshold
                                     : bending * body.strength * state.mesh_size * state.mesh_size;
}

ImpactOptions options_of(const config::Scene& scene, const State& state, const RigidBody& body)
{
  return {.r_coll = scene.hybrid.r_coll * body.radius(),
          .r_frac = scene.hybrid.r_frac * body.radius(),
          .max_planes = static_cast<int>(scene.hybrid.max_planes),
          .absorb = scene.hybrid.absorb * state.mesh_size};
}

/// The bodies that come here, whole and each by itself, by fragment.
std::map<std::int64_t, partition::MigrationRecords> by_fragment(partition::MigrationRecords all)
{
  std::map<std::int64_t, partition::MigrationRecords> bodies;
  std::map<NodeId, std::int64_t> fragments;
  for (partition::NodeRecord& node : all.nodes) {
    fragments[node.id] = node.fragment;
    node.owner = 0;
    bodies[node.fragment].nodes.push_back(node);
  }
  for (std::size_t e = 0; e < all.elements.size(); ++e)
    bodies.at(fragments.at(all.elements.rows[e].nodes[0])).elements.append(all.elements, e);
  return bodies;
}

/// What is told of an impact. Trivially copyable, as ranks send it.
struct ImpactReport {
  std::int64_t fragment = 0;
  double force = 0;   // [N]
  double stress = 0;  // the greatest, before anything is parted [Pa]
  int solves = 0, iterations = 0, planes = 0, faces = 0;
  bool held = false, solved = false;
};

ImpactReport report_of(const RigidBody& body, const StruckBody& struck, const ImpactResult& result)
{
  ImpactReport report{.fragment = body.fragment,
                      .stress = result.greatest_stress,
                      .solves = result.solves,
                      .iterations = result.iterations,
                      .planes = result.planes,
                      .faces = static_cast<int>(result.parted.size()),
                      .held = result.analysed,
                      .solved = result.problem.empty()};
  for (const ImpactForce& f : struck.forces) report.force += f.force.norm();
  return report;
}

void tell(State& state, const ImpactReport& report, bool& warned)
{
  const auto hit = fmt::format("step {}, t = {:.4g} s: an impact of {:.3g} N on fragment {}", state.steps + 1,
                               state.time, report.force, report.fragment);
  if (state.comm.rank() == 0)
    log_debug(report.held
                  ? fmt::format(
                        "{}: tension of up to {:.3g} Pa, {} faces parted along {} planes, {} solves with {} iterations",
                        hit, report.stress, report.faces, report.planes, report.solves, report.iterations)
                  : fmt::format("{}: too small to be held beyond hybrid.r_coll, it stays whole", hit));
  if (!report.solved && !std::exchange(warned, true))
    warn(state, fmt::format("{}: found no equilibrium under the whole force, only under a part of it or none; this may "
                            "happen again and is not repeated",
                            hit));
}

}  // namespace

std::vector<StruckBody> struck_bodies(const config::Scene& scene, const State& state, const RigidBodies& bodies,
                                      std::span<const BodyContact> contacts, std::span<const Manifold> manifolds,
                                      std::span<const rigid::ContactPoint> points)
{
  std::map<std::size_t, StruckBody> hit;
  const auto add = [&](int k, ElementId element, const std::array<double, 4>& shares, const Vec3& place,
                       const Vec3& impulse) {
    const RigidBody& body = bodies.all()[static_cast<std::size_t>(k)];
    const Eigen::Quaterniond back = body.motion.orientation.conjugate();
    StruckBody& struck =
        hit.try_emplace(static_cast<std::size_t>(k), StruckBody{static_cast<std::size_t>(k), {}}).first->second;
    struck.forces.push_back({element, shares, body.material_center + back * (place - body.motion.position),
                             back * impulse / contact_time(scene, body)});
  };
  auto point = points.begin();
  for (const Manifold& manifold : manifolds) {
    const rigid::ContactPoint& first = *point;
    Vec3 impulse = Vec3::Zero();
    double approach = 0;
    for (std::size_t i = 0; i < manifold.places.size(); ++i, ++point)
      impulse += point->impulse, approach = std::max(approach, point->approach);
    if (!(approach > scene.hybrid.resting_speed) || impulse.isZero(0)) continue;
    impulse /= static_cast<double>(manifold.contacts.size());
    for (const std::size_t i : manifold.contacts) {
      const Vec3 place(contacts[i].at.data());
      add(first.a, contacts[i].element_a, contacts[i].weights_a, place, impulse);
      if (!contacts[i].with_obstacle()) add(first.b, contacts[i].element_b, contacts[i].weights_b, place, -impulse);
    }
  }
  std::vector<StruckBody> struck;
  for (auto& [k, body] : hit) {
    double force = 0;
    for (const ImpactForce& f : body.forces) force += f.force.norm();
    const RigidBody& b = bodies.all()[k];
    if (force > threshold(scene, state, b) && state.time >= b.whole_until) struck.push_back(std::move(body));
  }
  return struck;
}

ImpactOutcome analyse_impacts(const config::Scene& scene, State& state, const RigidBodies& bodies,
                              std::span<const StruckBody> struck, bool& warned)
{
  const element::Model& model = state.model;
  const auto ranks = static_cast<std::size_t>(state.comm.size());
  const auto home = [ranks](std::size_t i) { return static_cast<Rank>(i % ranks); };
  std::map<Rank, partition::ExportList> exports;
  for (std::size_t i = 0; i < struck.size(); ++i) {
    const auto elements = bodies.elements(struck[i].body);
    auto& list = exports[home(i)].elements;
    list.insert(list.end(), elements.begin(), elements.end());
  }
  for (auto& [rank, list] : exports) std::sort(list.elements.begin(), list.elements.end());
  add_corners(exports, model.mesh.tets());
  const partition::RecordSource source{
      [&](LocalIndex n) { return node_record(model, n); },
      [&](LocalIndex e, partition::ElementTable& to) { append_element(model, e, to); }};
  auto here = by_fragment(migrate_exports(state.comm, exports, source));

  Bytes mine;
  for (std::size_t i = 0; i < struck.size(); ++i) {
    if (home(i) != state.comm.rank()) continue;
    const RigidBody& body = bodies.all()[struck[i].body];
    const ImpactResult result = analyse_impact(std::move(here.at(body.fragment)), model.materials, struck[i].forces,
                                               options_of(scene, state, body));
    put(mine, result.parted), put(mine, result.moved);
    put(mine, report_of(body, struck[i], result));
  }
  ImpactOutcome outcome;
  const Bytes gathered = gather_on_all(state.comm, mine);
  for (ByteReader in(gathered); !in.done();) {
    for (const PartedFace& face : in.get_vector<PartedFace>()) outcome.parted.push_back(face);
    for (const MovedNode& node : in.get_vector<MovedNode>()) outcome.moved.push_back(node);
    const auto report = in.get<ImpactReport>();
    state.measured.solves.newton_iterations += report.solves;
    state.measured.solves.linear_iterations += report.iterations;
    tell(state, report, warned);
  }
  state.measured.impacts += std::ssize(struck);
  return outcome;
}

std::vector<std::int64_t> move_material(State& state, std::span<const MovedNode> moved)
{
  element::Model& model = state.model;
  std::vector<LocalIndex> elements, nodes;
  for (const MovedNode& node : moved) {
    const auto n = model.mesh.find(node.node);
    if (!n) continue;
    model.mesh.set_material_position(*n, Vec3(node.X.data()));
    for (const LocalIndex e : model.mesh.star(*n)) elements.push_back(e);
  }
  sort_unique(elements);
  std::vector<std::int64_t> fragments;
  for (const LocalIndex e : elements) {
    element::refresh_element(model, e);
    for (const LocalIndex n : model.mesh.tet(e)) nodes.push_back(n);
    fragments.push_back(model.history[at(model.mesh.tet(e)[0])].fragment);
  }
  sort_unique(nodes), sort_unique(fragments);
  for (const LocalIndex n : nodes) element::refresh_node(model, n);
  Bytes mine;
  put(mine, fragments);
  std::vector<std::int64_t> all;
  const Bytes gathered = gather_on_all(state.comm, mine);
  for (ByteReader in(gathered); !in.done();)
    for (const std::int64_t fragment : in.get_vector<std::int64_t>()) all.push_back(fragment);
  sort_unique(all);
  return all;
}

void refuse_radii(const config::Scene& scene, const State& state, const RigidBodies& bodies)
{
  Bytes mine;
  std::vector<double> extents(bodies.all().size(), 0);
  for (std::size_t k = 0; k < extents.size(); ++k)
    for (const LocalIndex e : bodies.elements(k))
      for (const Vec3& X : state.model.mesh.corners(e))
        extents[k] = std::max(extents[k], (X - bodies.all()[k].material_center).norm());
  put(mine, extents);
  const Bytes gathered = gather_on_all(state.comm, mine);
  for (ByteReader in(gathered); !in.done();) {
    const auto theirs = in.get_vector<double>();
    for (std::size_t k = 0; k < extents.size(); ++k) extents[k] = std::max(extents[k], theirs[k]);
  }
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const RigidBody& body = bodies.all()[k];
    const double r_coll = scene.hybrid.r_coll * body.radius();
    const Vec3& c = body.material_center;
    const auto which = fmt::format("the body around ({:.3g}, {:.3g}, {:.3g})", c.x(), c.y(), c.z());
    if (r_coll < state.mesh_size)
      throw AgreedError(
          fmt::format("hybrid.r_coll: expected a radius that reaches beyond an element, found {:.3g} times {:.3g} m = "
                      "{:.3g} m in {}, "
                      "where elements have edges of {:.3g} m",
                      scene.hybrid.r_coll, body.radius(), r_coll, which, state.mesh_size));
    if (r_coll >= 2 * extents[k])
      throw AgreedError(fmt::format(
          "hybrid.r_coll: expected a radius beyond which something of the body can be anchored, found {:.3g} times "
          "{:.3g} m = {:.3g} m in {}, which ends {:.3g} m from its centre",
          scene.hybrid.r_coll, body.radius(), r_coll, which, extents[k]));
  }
}

}  // namespace sunder::simulation
