#include "simulation/hybrid/struck_bodies.hpp"

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/sort_unique.hpp"
#include "core/stopwatch.hpp"
#include "element/make_model.hpp"
#include "fracture/plane_cut.hpp"
#include "fracture/split_stars.hpp"
#include "partition/migration/export_lists.hpp"
#include "simulation/model_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace sunder::simulation {
namespace {

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
          .absorb = scene.hybrid.absorb * state.mesh_size,
          .cut_elements = scene.hybrid.cut_elements,
          .least_cut_edge = scene.hybrid.least_cut_edge,
          .snapping = scene.fracture};
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

constexpr Rank all_ranks = -1;

/// Local. (struck) which rank analyses it. Heavy bodies are dealt out first, each to the rank that has least so far.
/// Those of so many elements or more are all ranks'.
std::vector<Rank> homes_of(std::span<const StruckBody> struck, const RigidBodies& bodies, Rank ranks,
                           std::int64_t collective_from)
{
  const auto mass = [&](std::size_t i) { return bodies.all()[struck[i].body].inertia.mass; };
  std::vector<std::size_t> order(struck.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return mass(i) > mass(j); });
  std::set<std::pair<double, Rank>> loads;
  for (Rank rank = 0; rank < std::min(ranks, static_cast<Rank>(struck.size())); ++rank) loads.emplace(0, rank);
  std::vector<Rank> homes(struck.size(), all_ranks);
  for (const std::size_t i : order) {
    if (bodies.all()[struck[i].body].elements >= collective_from) continue;
    const auto [load, rank] = *loads.begin();
    homes[i] = rank;
    loads.erase(loads.begin());
    loads.emplace(load + mass(i), rank);
  }
  return homes;
}

/// Collective. The struck bodies that this rank analyses, whole, by fragment.
std::map<std::int64_t, partition::MigrationRecords> gather_bodies(const State& state, const RigidBodies& bodies,
                                                                  std::span<const StruckBody> struck,
                                                                  std::span<const Rank> homes)
{
  const element::Model& model = state.model;
  std::map<Rank, partition::ExportList> exports;
  for (std::size_t i = 0; i < struck.size(); ++i) {
    if (homes[i] == all_ranks) continue;
    const auto elements = bodies.elements(struck[i].body);
    auto& list = exports[homes[i]].elements;
    list.insert(list.end(), elements.begin(), elements.end());
  }
  for (auto& [rank, list] : exports) std::sort(list.elements.begin(), list.elements.end());
  add_corners(exports, model.mesh.tets());
  const partition::RecordSource source{
      [&](LocalIndex n) { return node_record(model, n); },
      [&](LocalIndex e, partition::ElementTable& to) { append_element(model, e, to); }};
  return by_fragment(migrate_exports(state.comm, exports, source));
}

/// Local. What this rank holds of a body, where it is.
partition::MigrationRecords held_of(const element::Model& model, std::span<const LocalIndex> nodes)
{
  const mesh::TetMesh& mesh = model.mesh;
  partition::MigrationRecords held;
  std::vector<LocalIndex> elements;
  for (const LocalIndex n : nodes) {
    held.nodes.push_back(node_record(model, n));
    for (const LocalIndex e : mesh.star(n))
      if (mesh.tet(e)[0] == n) elements.push_back(e);
  }
  std::sort(held.nodes.begin(), held.nodes.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::sort(elements.begin(), elements.end());
  for (const LocalIndex e : elements) append_element(model, e, held.elements);
  return held;
}

/// What is told of an impact. Trivially copyable, as ranks send it.
struct ImpactReport {
  std::size_t struck = 0;
  double stress = 0;   // the greatest, before anything is parted [Pa]
  double seconds = 0;  // of processor time of the rank that analysed it
  int solves = 0, iterations = 0, planes = 0;
  bool held = false, solved = false;
};

void tell_of(Bytes& out, std::size_t struck, const ImpactResult& result)
{
  put(out, ImpactReport{.struck = struck,
                        .stress = result.greatest_stress,
                        .seconds = result.seconds.sum(),
                        .solves = result.solves,
                        .iterations = result.iterations,
                        .planes = static_cast<int>(result.planes.size()),
                        .held = result.analysed,
                        .solved = result.problem.empty()});
  for (const PlaneCut& plane : result.planes) put(out, plane.bisections), put(out, plane.parted);
  put(out, result.moved);
}

/// What ranks tell of one body, put together.
struct GatheredImpact {
  ImpactReport report;
  std::vector<PlaneCut> planes;
  std::vector<MovedNode> moved;

  std::size_t num_faces() const
  {
    std::size_t faces = 0;
    for (const PlaneCut& plane : planes) faces += plane.parted.size();
    return faces;
  }
};

template <class T>
void append(ByteReader& in, std::vector<T>& to)
{
  const std::vector<T> more = in.get_vector<T>();
  to.insert(to.end(), more.begin(), more.end());
}

/// Local. (struck)
std::vector<GatheredImpact> put_together(const Bytes& gathered, std::size_t struck)
{
  std::vector<GatheredImpact> all(struck);
  for (ByteReader in(gathered); !in.done();) {
    const auto report = in.get<ImpactReport>();
    GatheredImpact& impact = all[report.struck];
    impact.report = report;
    impact.planes.resize(static_cast<std::size_t>(report.planes));
    for (PlaneCut& plane : impact.planes) append(in, plane.bisections), append(in, plane.parted);
    append(in, impact.moved);
  }
  for (GatheredImpact& impact : all)
    for (PlaneCut& plane : impact.planes) {
      std::sort(plane.bisections.begin(), plane.bisections.end(),
                [](const auto& x, const auto& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
      std::sort(plane.parted.begin(), plane.parted.end(),
                [](const auto& x, const auto& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
    }
  return all;
}

ImpactOutcome outcome_of(std::span<const StruckBody> struck, std::span<const GatheredImpact> impacts)
{
  ImpactOutcome outcome;
  std::size_t most = 0;
  for (const GatheredImpact& impact : impacts) most = std::max(most, impact.planes.size());
  outcome.planes.resize(most);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    bool cut = false;
    for (std::size_t k = 0; k < impacts[i].planes.size(); ++k) {
      const PlaneCut& of_body = impacts[i].planes[k];
      PlaneCut& all = outcome.planes[k];
      all.bisections.insert(all.bisections.end(), of_body.bisections.begin(), of_body.bisections.end());
      all.parted.insert(all.parted.end(), of_body.parted.begin(), of_body.parted.end());
      cut |= !of_body.bisections.empty();
    }
    if (cut) outcome.cut.push_back(struck[i].body);
    outcome.moved.insert(outcome.moved.end(), impacts[i].moved.begin(), impacts[i].moved.end());
  }
  return outcome;
}

void tell(State& state, const StruckBody& struck, std::int64_t fragment, double lasts, const GatheredImpact& impact,
          bool& warned)
{
  const ImpactReport& report = impact.report;
  double force = 0;
  for (const ImpactForce& f : struck.forces) force += f.force.norm();
  const auto hit = fmt::format("step {}, t = {:.4g} s: an impact of {:.3g} N on fragment {}", state.steps + 1,
                               state.time, force, fragment);
  if (state.comm.rank() == 0)
    log_debug(
        report.held
            ? fmt::format(
                  "{}: tension of up to {:.3g} Pa, {} faces parted along {} planes, {} solves with {} iterations, "
                  "{:.3g} ms",
                  hit, report.stress, impact.num_faces(), report.planes, report.solves, report.iterations,
                  1e3 * report.seconds)
            : fmt::format("{}: too small to be held beyond hybrid.r_coll, it stays whole", hit));
  if (!report.solved && !std::exchange(warned, true))
    warn(state,
         fmt::format("{}: found no equilibrium under the whole force, only under a part of it or none; a longer "
                     "hybrid.contact_time (of {:.3g} s here) makes the force less in proportion; this may happen "
                     "again and is not repeated",
                     hit, lasts));
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
  const std::vector<Rank> homes = homes_of(struck, bodies, state.comm.size(), scene.hybrid.collective_from);
  std::map<std::int64_t, partition::MigrationRecords> here;
  {
    const ProcessorStopwatch watch(state.measured.impact_seconds.gather);
    here = gather_bodies(state, bodies, struck, homes);
  }
  Bytes mine;
  for (const bool together : {true, false})  // else ranks would wait in those for each other's own
    for (std::size_t i = 0; i < struck.size(); ++i) {
      if (homes[i] != (together ? all_ranks : state.comm.rank())) continue;
      const RigidBody& body = bodies.all()[struck[i].body];
      partition::MigrationRecords records =
          together ? held_of(state.model, bodies.nodes(struck[i].body)) : std::move(here.at(body.fragment));
      const ImpactResult result =
          analyse_impact(together ? state.comm : Comm(MPI_COMM_SELF), std::move(records), state.model.materials,
                         struck[i].forces, options_of(scene, state, body));
      state.measured.impact_seconds.add(result.seconds);
      tell_of(mine, i, result);
    }
  const std::vector<GatheredImpact> impacts = put_together(gather_on_all(state.comm, mine), struck.size());
  for (std::size_t i = 0; i < struck.size(); ++i) {
    state.measured.solves.newton_iterations += impacts[i].report.solves;
    state.measured.solves.linear_iterations += impacts[i].report.iterations;
    const RigidBody& body = bodies.all()[struck[i].body];
    tell(state, struck[i], body.fragment, contact_time(scene, body), impacts[i], warned);
  }
  state.measured.impacts += std::ssize(struck);
  return outcome_of(struck, impacts);
}

CarriedOut carry_out(State& state, std::span<const PlaneCut> planes)
{
  element::Model& model = state.model;
  const mesh::TetMesh& mesh = model.mesh;
  CarriedOut done;
  PartedPairs parted;
  const bool cuts =
      std::any_of(planes.begin(), planes.end(), [](const auto& plane) { return !plane.bisections.empty(); });
  mesh::CreationKey key{cuts ? ++model.rounds : model.rounds, 0, 0};
  for (const PlaneCut& plane : planes) {
    if (!plane.bisections.empty()) {
      const fracture::MeshDelta delta = fracture::cut_edges(model, *state.halo, plane.bisections, key);
      parted.follow(delta.lineage);
      state.ledger.work.remeshing += delta.kinetic_loss;
      done.elements_more += delta.elements_more;
    }
    std::vector<LocalIndex> nodes;
    for (const PartedFace& face : plane.parted) {
      parted.add(face.a, face.b);
      for (const NodeId id : face.nodes)
        if (const auto n = mesh.find(id)) nodes.push_back(*n);
    }
    const fracture::Joined joined = [&](LocalIndex e, LocalIndex f) {
      return !parted.contains(mesh.element_id(e), mesh.element_id(f));
    };
    const fracture::PartResult result = fracture::part_faces(model, *state.halo, nodes, joined, state.time);
    state.events += state.comm.sum(result.copies);
    done.splits.insert(done.splits.end(), result.splits.begin(), result.splits.end());
  }
  if (cuts) throw_on_all(state.comm, model.problem, ExitStatus::simulation_failed);
  return done;
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
          fmt::format("{}: expected a radius that reaches beyond an element, found {:.3g} times {:.3g} m = "
                      "{:.3g} m in {}, "
                      "where elements have edges of {:.3g} m",
                      scene.hybrid.r_coll_key, scene.hybrid.r_coll, body.radius(), r_coll, which, state.mesh_size));
    if (r_coll >= 2 * extents[k])
      throw AgreedError(
          fmt::format("{}: expected a radius beyond which something of the body can be anchored, found {:.3g} times "
                      "{:.3g} m = {:.3g} m in {}, which ends {:.3g} m from its centre",
                      scene.hybrid.r_coll_key, scene.hybrid.r_coll, body.radius(), r_coll, which, extents[k]));
  }
}

}  // namespace sunder::simulation
