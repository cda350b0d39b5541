#include "simulation/stepping/run_state.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace sunder::simulation {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no number for it. A limit that is not there, as of solvers without a stable step, is infinite.
constexpr const char* infinite = "infinite";

/// One list of fields for both directions.
struct Writing {
  Json json;
  template <class T>
  void operator()(const char* key, const T& value)
  {
    json[key] = value;
  }
  void operator()(const char* key, double value)
  {
    json[key] = value;
    if (value == std::numeric_limits<double>::infinity()) json[key] = infinite;
  }
};
struct Reading {
  const Json& json;
  template <class T>
  void operator()(const char* key, T& value)
  {
    json.at(key).get_to(value);
  }
  void operator()(const char* key, double& value)
  {
    const Json& item = json.at(key);
    value = item == infinite ? std::numeric_limits<double>::infinity() : item.get<double>();
  }
};

template <class Visit, class State>
void visit_scalars(Visit&& visit, State& s)
{
  visit("scene", s.scene), visit("ranks", s.ranks);
  visit("mesh_size", s.mesh_size), visit("num_nodes", s.initial_nodes), visit("num_elements", s.initial_elements);
  visit("step_limit", s.control.limit.seconds), visit("step_limit_kind", s.control.limit.kind);
  visit("step_limit_element", s.control.limit.element), visit("least_softness", s.control.least_compliance);
  visit("overlap_interval", s.control.overlap_interval), visit("reach", s.control.largest_displacement);
  visit("halvings", s.control.halvings), visit("next_step", s.next_step), visit("load_lag", s.load_lag);
  visit("path_rate", s.path_rate);
  visit("implicit", s.phase.implicit), visit("phase_since", s.phase.since), visit("wait", s.phase.wait),
      visit("next_trial", s.phase.next_trial);
  visit("unbroken_limit", s.control.unbroken), visit("dust_fragments", s.dust.fragments);
  visit("dust_warned", s.dust.warned), visit("dust_limit_with", s.dust.limit_with);
  visit("dust_limit_without", s.dust.limit_without);
  visit("crumbs_settled", s.crumbs.settled), visit("crumbs", s.crumbs.elements), visit("crumb_mass", s.crumbs.mass);
  visit("crumb_px", s.crumbs.momentum.x()), visit("crumb_py", s.crumbs.momentum.y());
  visit("crumb_pz", s.crumbs.momentum.z()), visit("crumb_energy", s.crumbs.kinetic);
  visit("time", s.time), visit("dt", s.dt), visit("dt_min", s.dt_min), visit("fastest", s.maximum_speed);
  visit("next_check", s.next_check), visit("step", s.steps), visit("events", s.events);
  visit("fragments", s.fragments), visit("next_fragment", s.next_fragment);
  visit("element_steps", s.element_steps), visit("rounds", s.rounds), visit("num_elements_now", s.num_elements);
  visit("warned_of_inversion", s.warned_of_inversion), visit("warned_of_rounds", s.warned_of_rounds);
  visit("work_viscous", s.work.viscous), visit("work_plastic", s.work.plastic);
  visit("work_contact", s.work.contact), visit("work_external", s.work.external);
  visit("work_remeshing", s.work.remeshing), visit("work_numerical", s.work.numerical),
      visit("work_surface", s.work.surface), visit("broken_links", s.broken_links),
      visit("broken_surface", s.broken_surface), visit("released", s.released), visit("baseline_set", s.baseline.set);
  visit("baseline_energy", s.baseline.energy), visit("baseline_potential", s.baseline.potential);
  visit("wall_total", s.wall.total), visit("wall_setup", s.wall.setup), visit("wall_forces", s.wall.forces);
  visit("wall_failure", s.wall.failure), visit("wall_remesh", s.wall.remesh), visit("wall_contact", s.wall.contact);
  visit("wall_halo", s.wall.halo), visit("wall_solve", s.wall.solve), visit("wall_output", s.wall.output);
  visit("linear_iterations", s.solves.linear_iterations), visit("newton_iterations", s.solves.newton_iterations);
  visit("impacts", s.impacts);
  visit("switches", s.solves.switches), visit("bonds", s.bonds.count), visit("bonds_broken", s.bonds.broken),
      visit("bond_ties", s.bonds.ties);
  visit("loop_seconds", s.loop_seconds), visit("halo_bytes", s.halo_bytes), visit("warnings", s.warnings);
}

std::vector<double> numbers(const rigid::Motion& s)
{
  std::vector<double> all;
  for (const Vec3* v : {&s.position, &s.velocity, &s.spin, &s.angular_momentum})
    all.insert(all.end(), v->data(), v->data() + 3);
  all.insert(all.end(), s.orientation.coeffs().data(), s.orientation.coeffs().data() + 4);
  return all;
}

/// Six for each.
std::vector<double> numbers(const std::vector<Impulse>& impulses)
{
  std::vector<double> all;
  for (const Impulse& impulse : impulses)
    for (const Vec3* v : {&impulse.linear, &impulse.angular}) all.insert(all.end(), v->data(), v->data() + 3);
  return all;
}

std::vector<Impulse> impulses_from(const std::vector<double>& all)
{
  if (all.size() % 6 != 0) throw Error("expected six numbers for an impulse");
  std::vector<Impulse> impulses(all.size() / 6);
  for (std::size_t k = 0; k < impulses.size(); ++k)
    impulses[k] = {Vec3(all.data() + 6 * k), Vec3(all.data() + 6 * k + 3)};
  return impulses;
}

rigid::Motion motion_from(const std::vector<double>& all)
{
  if (all.size() != 16) throw Error("expected 16 numbers for the motion of a rigid body");
  rigid::Motion s;
  const double* from = all.data();
  for (Vec3* v : {&s.position, &s.velocity, &s.spin, &s.angular_momentum}) *v = Eigen::Map<const Vec3>(from), from += 3;
  s.orientation.coeffs() = Eigen::Map<const Eigen::Vector4d>(from);
  return s;
}

Json json_of(const StoredBody& body)
{
  return {body.fragment, numbers(body.motion), body.whole_until, body.slow_for, body.touching, body.asleep};
}

StoredBody body_from(const Json& json)
{
  return {json.at(0).get<std::int64_t>(),  motion_from(json.at(1).get<std::vector<double>>()),
          json.at(2).get<double>(),        json.at(3).get<double>(),
          json.at(4).get<std::uint64_t>(), json.at(5).get<bool>()};
}

Json json_of(const StoredImpulse& i)
{
  return {i.a.low, i.a.high, i.b.low, i.b.high, i.with_obstacle, i.impulse.x(), i.impulse.y(), i.impulse.z()};
}

StoredImpulse impulse_from(const Json& json)
{
  const auto word = [&json](std::size_t k) { return json.at(k).get<std::uint64_t>(); };
  return {{word(0), word(1)},
          {word(2), word(3)},
          json.at(4).get<bool>(),
          {json.at(5).get<double>(), json.at(6).get<double>(), json.at(7).get<double>()}};
}

Json json_of(const StoredPoint& point)
{
  return {point.X.x(), point.X.y(), point.X.z(), point.element.low, point.element.high};
}

StoredPoint point_from(const Json& json)
{
  return {Vec3(json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()),
          {json.at(3).get<std::uint64_t>(), json.at(4).get<std::uint64_t>()}};
}

}  // namespace

std::string to_json(const RunState& state)
{
  Writing writing;
  visit_scalars(writing, state);
  writing.json["fingerprint"] = state.fingerprint;
  writing.json["obstacles"] = Json::array();
  for (const auto& obstacle : state.obstacles) writing.json["obstacles"].push_back(numbers(obstacle));
  writing.json["bodies"] = Json::array();
  for (const StoredBody& body : state.bodies) writing.json["bodies"].push_back(json_of(body));
  writing.json["impulses"] = Json::array();
  for (const StoredImpulse& impulse : state.impulses) writing.json["impulses"].push_back(json_of(impulse));
  writing.json["surfaces"] = state.surfaces;
  const Reactions& reactions = state.reactions;
  writing.json["reactions"] = {{"since", reactions.since},
                               {"boundary", numbers(reactions.boundary)},
                               {"loads", numbers(reactions.loads)},
                               {"obstacles", numbers(reactions.obstacles)}};
  writing.json["points"] = Json::array();
  for (const StoredPoint& point : state.points) writing.json["points"].push_back(json_of(point));
  return writing.json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

RunState run_state_from_json(const std::string& text, const std::string& file)
{
  try {
    const Json json = Json::parse(text);
    RunState state;
    visit_scalars(Reading{json}, state);
    state.fingerprint = json.value("fingerprint", "");
    for (const auto& obstacle : json.at("obstacles")) state.obstacles.push_back(motion_from(obstacle));
    for (const auto& body : json.at("bodies")) state.bodies.push_back(body_from(body));
    for (const auto& impulse : json.at("impulses")) state.impulses.push_back(impulse_from(impulse));
    json.at("surfaces").get_to(state.surfaces);
    for (const auto& point : json.at("points")) state.points.push_back(point_from(point));
    const Json& reactions = json.at("reactions");
    state.reactions.since = reactions.at("since").get<double>();
    state.reactions.boundary = impulses_from(reactions.at("boundary").get<std::vector<double>>());
    state.reactions.loads = impulses_from(reactions.at("loads").get<std::vector<double>>());
    state.reactions.obstacles = impulses_from(reactions.at("obstacles").get<std::vector<double>>());
    return state;
  } catch (const std::exception& error) {
    throw Error(fmt::format("{}: expected the state of a run as this version writes it: {}", file, error.what()));
  }
}

}  // namespace sunder::simulation
