#include "config/schema_hybrid.hpp"

#include "config/schema_material_list.hpp"

#include <fmt/format.h>

namespace sunder::config {
namespace {

void note_places(HybridOptions& h, const Value& v, const std::string& path, Context& /*context*/)
{
  if (const Value* const r = v.find("r_coll")) h.r_coll_key = message_key(*r, key_path(path, "r_coll"));
}

Table<HybridOptions> hybrid_table()
{
  using H = HybridOptions;
  return {
      .fields =
          {
              number("restitution", &H::restitution, {"-", share},
                     "Share of the approach speed with which bodies part."),
              number("resting_speed", &H::resting_speed, {"m/s", not_negative},
                     "What approaches slower is not thrown back, and is no impact."),
              number("r_coll", &H::r_coll, {"-", positive},
                     "Elements farther than this from all places where a body is hit are anchored, over the body's "
                     "radius: "
                     "that of a ball with its mass and moments of inertia."),
              number("r_frac", &H::r_frac, {"-", positive},
                     "How far a fracture plane reaches from where it begins, over the body's radius."),
              number("contact_time", &H::contact_time, {"s", not_negative, "auto", 0},
                     "How long an impact lasts: its force is the impulse over this. auto: twice the time that a wave "
                     "takes "
                     "across the body."),
              number("threshold", &H::threshold, {"N", not_negative, "auto", -1},
                     "Impacts of less force are not analysed. auto: a hundredth of the least strength of the body's "
                     "materials on the square of the mesh size."),
              integer("max_planes", &H::max_planes, {.min = 1, .max = 1000},
                      "Fracture planes that one impact makes in a body, at most."),
              flag("cut_elements", &H::cut_elements,
                   "Elements that a fracture plane passes through are cut by it first, so that cracks are flat. "
                   "fracture.snap_distance, .snap_relative and .least_height tell how near to the end of an edge. "
                   "false: cracks run along faces of the mesh as it is."),
              number(
                  "least_cut_edge", &H::least_cut_edge, {"-", not_negative},
                  "Edges shorter than this, over the mesh size, are not cut: the nearer end counts as on the plane."),
              integer(
                  "collective_from", &H::collective_from, {.min = 1},
                  "Bodies of so many elements or more are analysed by all ranks together, where they are; smaller ones "
                  "side by side, each by one rank. The result is the same."),
              number("pause", &H::pause, {"s", not_negative},
                     "For so long after a body has come apart its pieces do not break again: what presses them is "
                     "still the "
                     "same impact."),
              number("absorb", &H::absorb, {"-", positive},
                     "Displacement, over the mesh size, from which on a plastic body keeps its deformed shape."),
              number("sleep_speed", &H::sleep_speed, {"m/s", not_negative},
                     "Bodies that have been slower for sleep_time stop until something else touches them; 0: never."),
              number("sleep_time", &H::sleep_time, {"s", positive}, "Of sleep_speed."),
              integer("max_sweeps", &H::max_sweeps, {.min = 1, .max = 1000000},
                      "Over the contacts of an island, each of which gets the impulse it lacks, at most."),
          },
      .check = note_places};
}

}  // namespace

Field<Scene> hybrid_field()
{
  auto field =
      mapping("hybrid", &Scene::hybrid, hybrid_table(),
              "Contact of rigid bodies and statics of impacts, with solver hybrid; contact alone with lattice.");
  field.write = [write = field.write](const Scene& s, const Context& c) -> std::optional<Value> {
    return s.solver.method == Method::hybrid || s.solver.method == Method::lattice ? write(s, c) : std::nullopt;
  };
  return field;
}

void check_hybrid(const Scene& scene, const std::vector<material::Material>& materials, const Value& root)
{
  const Method method = scene.solver.method;
  const Value* const section = root.find("hybrid");
  if (section && method != Method::hybrid && method != Method::lattice)
    refuse(section->place, "hybrid", "none without solver: hybrid or lattice", "some");
  if (method != Method::hybrid) return;
  for (const char* key : {"boundary", "loads"})
    if (const Value* const list = root.find(key); list && !list->items.empty())
      refuse(list->place, key, "none with solver hybrid, where contact and gravity alone act on bodies",
             fmt::format("{}", list->items.size()));
  if (!scene.fracture.enabled) return;
  for (const material::Material& m : materials)
    if (const ToughnessPlace at = toughness_place(root, m.name);
        m.breakable() && m.toughness_form != material::ToughnessForm::stress)
      refuse(at.place, at.path, "a strength, as {stress: ...}, with solver hybrid", "another form");
}

}  // namespace sunder::config
