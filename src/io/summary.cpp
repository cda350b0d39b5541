#include "io/summary.hpp"

#include "io/atomic_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sunder::io {
namespace {

using Json = nlohmann::ordered_json;

Json energy_json(const Energy& e)
{
  return {{"kinetic", e.kinetic},     {"elastic", e.elastic},
          {"viscous", e.viscous},     {"plastic", e.plastic},
          {"contact", e.contact},     {"external", e.external},
          {"remeshing", e.remeshing}, {"relative_error", e.relative_error}};
}

Json wall_json(const WallSeconds& w)
{
  return {{"total", w.total},     {"setup", w.setup},   {"forces", w.forces},
          {"failure", w.failure}, {"remesh", w.remesh}, {"contact", w.contact},
          {"halo", w.halo},       {"solve", w.solve},   {"output", w.output}};
}

Json shares_json(const Shares& s)
{
  return {{"imbalance", s.imbalance},
          {"held_elements", s.held_elements},
          {"shared_elements", s.shared_elements},
          {"ghosts", s.ghosts},
          {"most_ghosts", s.most_ghosts},
          {"messages", s.messages},
          {"most_neighbours", s.most_neighbours},
          {"work_imbalance", s.work_imbalance},
          {"times_shared_out", s.times_shared_out}};
}

}  // namespace

std::string to_json(const Summary& s)
{
  Json json;
  json["version"] = s.version;
  json["scene"] = s.scene;
  json["run"] = s.run;
  json["ranks"] = s.ranks;
  json["steps"] = s.steps;
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
  json["state_hash"] = fmt::format("{:016x}", s.state_hash);
  json["wall_seconds"] = wall_json(s.wall);
  json["ns_per_element_step"] = s.ns_per_element_step;
  json["halo_bytes_per_step"] = s.halo_bytes_per_step;
  json["partition"] = shares_json(s.shares);
  json["peak_rss_bytes"] = s.peak_rss_bytes;
  json["bytes_per_element"] = s.bytes_per_element;
  json["step_limit"] = {
      {"kind", s.step_limit.kind}, {"element", s.step_limit.element}, {"seconds", s.step_limit.seconds}};
  json["viscosity_capped_elements"] = s.viscosity_capped_elements;
  json["added_mass"] = s.added_mass;
  json["warnings"] = s.warnings;
  // A name in some other encoding must not cost the user the numbers: such bytes are replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_summary(const std::filesystem::path& path, const Summary& summary)
{
  write_atomically(path, to_json(summary));
}

}  // namespace sunder::io
