#include "simulation/diagnostics/summary.hpp"

#include "core/memory.hpp"
#include "element/cohesion.hpp"
#include "io/files/atomic_file.hpp"
#include "simulation/diagnostics/cracks.hpp"
#include "simulation/diagnostics/history_row.hpp"
#include "simulation/diagnostics/totals.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sunder::simulation {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(config::Method method)
{
  switch (method) {
    case config::Method::explicit_dynamics:
      break;
    case config::Method::static_equilibrium:
      return "static";
    case config::Method::implicit_dynamics:
      return "implicit";
    case config::Method::adaptive_dynamics:
      return "adaptive";
    case config::Method::lattice:
      return "lattice";
    case config::Method::hybrid:
      return "hybrid";
  }
  return "explicit";
}

Json energy_json(const Energy& e)
{
  return {{"kinetic", e.kinetic},     {"elastic", e.elastic},
          {"viscous", e.viscous},     {"plastic", e.plastic},
          {"contact", e.contact},     {"external", e.external},
          {"remeshing", e.remeshing}, {"surface", e.surface},
          {"numerical", e.numerical}, {"relative_error", e.relative_error}};
}

/// Surface area is of both sides of the cracks. G_c times crack area is what the surface would take; where nothing but
/// links takes it, broken links have their share of it beside what they took.
Json fracture_json(const Summary& s)
{
  const CrackTotals& cracks = s.cracks;
  Json json{{"cracking_checks", s.cracking_checks},
            {"rounds", s.rounds},
            {"crack_faces", cracks.faces},
            {"largest_crack", s.largest_crack},
            {"released_energy", s.released_energy}};
  const bool known = cracks.area_of_known > 0;
  json["surface_area_of_known_G_c"] = cracks.area_of_known;
  json["critical_energy"] = known ? Json(cracks.critical_energy) : Json();
  if (s.cohesive)
    json["links"] = {{"count", s.links},
                     {"broken", s.broken_links},
                     {"surface_energy", s.linked_surface},
                     {"broken_surface_energy", s.broken_surface},
                     {"taken_by_broken", s.taken_by_broken}};
  return json;
}

/// The limits: of when dust got mass the last time.
Json dust_json(const Summary& s)
{
  const bool any = s.dust.limit_without > 0;
  return {{"fragments", s.dust.fragments},
          {"elements", s.dust_elements},
          {"added_mass", s.dust_mass},
          {"limit_without", any ? Json(s.dust.limit_without) : Json()},
          {"limit_with", any ? Json(s.dust.limit_with) : Json()}};
}

Json wall_json(const WallSeconds& w)
{
  return {{"total", w.total},     {"setup", w.setup},   {"forces", w.forces},
          {"failure", w.failure}, {"remesh", w.remesh}, {"contact", w.contact},
          {"halo", w.halo},       {"solve", w.solve},   {"output", w.output}};
}

Json partition_json(const Summary& summary)
{
  const PartitionStatistics& s = summary.partition;
  return {{"imbalance", s.imbalance},
          {"held_elements", s.held_elements},
          {"shared_elements", s.shared_elements},
          {"ghosts", s.ghosts},
          {"most_ghosts", s.most_ghosts},
          {"messages", s.messages},
          {"most_neighbours", s.most_neighbours},
          {"work_imbalance", summary.work_imbalance},
          {"repartitions", summary.num_repartitions}};
}

/// Of the elements this rank counts: what the step's limits have cost, joined over ranks with the reduction.
void count_limited_elements(const element::Model& model, Summary& s)
{
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const element::ElementLimit limit = element::element_limit(model, e);
    s.viscosity_capped_elements += limit.viscosity_capped, s.added_mass += limit.added_mass;
    if (model.history[static_cast<std::size_t>(model.mesh.tet(e)[0])].dust_factor == 0) continue;
    ++s.dust_elements;
    s.dust_mass += (model.dust_factor(e) - 1) * model.material_of(e).density * model.blocks.volume(e);
  }
}

/// What only some solvers have.
void add_of_solver(const Summary& s, Json& json)
{
  if (s.solver != "explicit")
    json["newton_iterations"] = s.solves.newton_iterations, json["linear_iterations"] = s.solves.linear_iterations;
  if (s.solver == "lattice") {
    json["bonds"] = {{"count", s.bonds.count}, {"broken", s.bonds.broken}, {"ties", s.bonds.ties}};
    const Vec3& momentum = s.crumbs.momentum;
    json["crumbs"] = {{"elements", s.crumbs.elements},
                      {"mass", s.crumbs.mass},
                      {"momentum", {momentum.x(), momentum.y(), momentum.z()}},
                      {"energy", s.crumbs.kinetic}};
  }
  if (s.solver == "hybrid") {
    json["impacts"] = s.impacts;
    const ImpactSeconds& seconds = s.impact_seconds;
    json["impact_seconds"] = {{"gather", seconds.gather},
                              {"assembly", seconds.assembly},
                              {"solve", seconds.solve},
                              {"fracture", seconds.fracture}};
  }
  if (s.solver == "adaptive") json["switches"] = s.solves.switches;
}

Json shortened_for(const ShortenedSteps& steps)
{
  if (steps.count == 0) return {};
  return steps.for_deformation() ? "deformation" : "motion";
}

}  // namespace

Summary summary(const config::Scene& scene, State& state, const Stepper& stepper)
{
  const Comm& comm = state.comm;
  const element::Model& model = state.model;
  const Measurements& measured = state.measured;
  const Totals totals_now = totals(model, comm);
  const HistoryRow row = history_row(state, stepper);
  Summary s;
  s.scene = scene.name, s.ranks = comm.size(), s.steps = state.steps, s.time = state.time;
  s.dt_min = state.steps > 0 ? state.dt_min : 0;
  s.nodes = row.nodes, s.elements = row.elements, s.fragments = row.fragments, s.fracture_events = row.events;
  s.nodes_initial = state.initial_nodes, s.elements_initial = state.initial_elements;
  s.mass = totals_now.mass, s.momentum = totals_now.momentum, s.energy = row.energy;
  s.cracks = row.cracks, s.released_energy = state.ledger.released;
  s.largest_crack = largest_crack(state);
  s.cracking_checks = measured.cracking_checks, s.rounds = measured.rounds;
  s.state_hash = state_hash(model, comm);
  s.partition = partition_statistics(model.mesh, *state.halo);
  s.work_imbalance = imbalance(comm, state.model.mesh, stepper.element_costs()).ratio,
  s.num_repartitions = measured.num_repartitions;
  s.step_limit = stepper.limit(), s.shortened = stepper.shortened_steps();
  s.local_steps = stepper.local_step_counts();
  s.solver = name_of(scene.solver.method), s.solves = measured.solves, s.bonds = measured.bonds,
  s.impacts = measured.impacts, s.impact_seconds = measured.impact_seconds;
  s.wall = measured.wall;
  s.peak_rss_bytes = peak_resident_bytes();
  s.bytes_per_element =
      static_cast<double>(s.peak_rss_bytes - measured.memory_at_start) /
      std::max({1.0, static_cast<double>(model.mesh.num_slots()), static_cast<double>(measured.most_elements_held)});
  count_limited_elements(model, s);
  s.cohesive = element::cohesive(model), s.links = std::ssize(model.links);
  s.broken_links = state.ledger.broken_links, s.broken_surface = s.linked_surface = state.ledger.broken_surface;
  s.taken_by_broken = state.ledger.work.surface;
  for (const element::ModelLink& link : model.links) s.linked_surface += link.link.surface_energy();
  double loop = measured.loop_seconds, halo_bytes = measured.halo_bytes;
  Reduction all;
  s.wall.join(all), s.impact_seconds.join(all);
  all.max(loop, s.peak_rss_bytes, s.bytes_per_element, s.shortened.deformation, s.shortened.motion);
  all.sum(s.links, s.broken_links, s.broken_surface, s.linked_surface, s.taken_by_broken);
  all.sum(halo_bytes, s.viscosity_capped_elements, s.added_mass, s.released_energy, s.dust_elements, s.dust_mass);
  for (std::int64_t& elements : s.local_steps.elements) all.sum(elements);
  all.sum(s.local_steps.evaluations);
  all.over(comm);
  if (measured.element_steps > 0)
    s.ns_per_element_step = 1e9 * loop * comm.size() / static_cast<double>(measured.element_steps);
  s.halo_bytes_per_step = state.steps > 0 ? halo_bytes / static_cast<double>(state.steps) : 0;
  s.dust = state.dust, s.crumbs = state.crumbs;
  s.warnings = state.warnings;
  return s;
}

std::string to_json(const Summary& s)
{
  Json json;
  json["version"] = s.version;
  json["scene"] = s.scene;
  json["solver"] = s.solver;
  json["run"] = s.run;
  json["ranks"] = s.ranks;
  json["steps"] = s.steps;
  add_of_solver(s, json);
  json["time"] = s.time;
  json["dt_min"] = s.dt_min;
  json["nodes"] = s.nodes;
  json["elements"] = s.elements;
  json["nodes_initial"] = s.nodes_initial;
  json["elements_initial"] = s.elements_initial;
  json["fragments"] = s.fragments;
  json["fracture_events"] = s.fracture_events;
  json["mass"] = s.mass;
  json["momentum"] = {s.momentum.x(), s.momentum.y(), s.momentum.z()};
  json["energy"] = energy_json(s.energy);
  json["surface_area"] = s.cracks.area;
  json["fracture"] = fracture_json(s);
  json["state_hash"] = fmt::format("{:016x}", s.state_hash);
  json["wall_seconds"] = wall_json(s.wall);
  json["ns_per_element_step"] = s.ns_per_element_step;
  json["halo_bytes_per_step"] = s.halo_bytes_per_step;
  json["partition"] = partition_json(s);
  json["peak_rss_bytes"] = s.peak_rss_bytes;
  json["bytes_per_element"] = s.bytes_per_element;
  json["step_limit"] = {
      {"kind", s.step_limit.kind},
      {"element", s.step_limit.element == StepLimit::no_element ? Json() : Json(s.step_limit.element)},
      {"seconds", s.step_limit.seconds},
      {"shortened_steps", s.shortened.count},
      {"shortened_most", s.shortened.most},
      {"shortened_for", shortened_for(s.shortened)}};
  if (s.local_steps.on)
    json["local_steps"] = {{"elements", s.local_steps.elements}, {"evaluations", s.local_steps.evaluations}};
  json["viscosity_capped_elements"] = s.viscosity_capped_elements;
  json["added_mass"] = s.added_mass;
  json["dust"] = dust_json(s);
  json["warnings"] = s.warnings;
  // A name in some other encoding must not cost the user the numbers: such bytes are replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_summary(const std::filesystem::path& path, const Summary& summary)
{
  io::write_atomically(path, to_json(summary));
}

}  // namespace sunder::simulation
