#include "config/schema_output.hpp"

#include "config/path_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace sunder::config {
namespace {

const std::vector<std::string> frame_field_names{
    "Velocity",           "Speed",        "Damage",         "FailureTime",
    "SmoothedStress",     "Stress",       "VonMisesStress", "MaxPrincipalStress",
    "MaxPrincipalStrain", "PlasticStrain"};

Field<Probe> at_field()
{
  return {{.key = "at",
           .type = "[x, y, z]",
           .unit = "m",
           .fallback = "none",
           .text = "A place in a body, in the world at the start; the probe moves with the material. This or node."},
          [](Probe& p, const Value& v, const std::string& path, Context&) {
            p.at = read_vector(v, path, "m"), p.key = message_key(v, path);
          },
          [](const Probe& p, const Context&) { return p.at ? std::optional(write_vector(*p.at)) : std::nullopt; }};
}

Field<Probe> node_field()
{
  const NumberRule rule{.unit = "", .range = not_negative};
  return {{.key = "node",
           .type = "whole number",
           .range = not_negative.text(),
           .fallback = "none",
           .text = "A node of the unbroken mesh, by the GlobalNodeId that frames show."},
          [=](Probe& p, const Value& v, const std::string& path, Context&) {
            p.node = read_integer(v, path, rule), p.key = message_key(v, path);
          },
          [=](const Probe& p, const Context&) {
            return p.node ? std::optional(write_integer(*p.node, rule)) : std::nullopt;
          }};
}

Table<Probe> probe_table()
{
  return {.fields = {required(words("name", &Probe::name, read_name, "Its name in the columns of probes.csv.")),
                     at_field(), node_field(),
                     choices("fields", &Probe::fields,
                             {"Displacement", "Velocity", "Speed", "Damage", "Stress", "VonMisesStress",
                              "MaxPrincipalStress", "MaxPrincipalStrain", "PlasticStrain"},
                             "What is written: of the element that the place is in, or at a node the mean of the "
                             "elements around it. Default with solvers of rigid elements: Displacement, Velocity.")},
          .check = [](Probe& p, const Value& v, const std::string& path, Context&) {
            if (p.at.has_value() == p.node.has_value())
              refuse(v.place, path, "either at or node", p.at ? "both" : "neither");
            if (p.fields.empty()) refuse(v.place, key_path(path, "fields"), "at least one field", "none");
          }};
}

Table<Section> section_table()
{
  return {
      .fields = {required(words("name", &Section::name, read_name, "Its name in the columns of sections.csv.")),
                 required(vector("point", &Section::point, "m", "A point of the plane, in the bodies at the start.")),
                 required(direction("normal", &Section::normal,
                                    "Normal of the plane. What is on its side pulls the rest with the force that "
                                    "is written.")),
                 number("radius", &Section::radius, {"m", positive, "none", unlimited},
                        "Only elements whose centroids are no further than this from the line through the point "
                        "along the normal; none: all that the plane cuts.")},
      .check = [](Section& s, const Value& v, const std::string& path, Context&) { s.key = message_key(v, path); }};
}

Table<CrackFront> crack_front_table()
{
  using F = CrackFront;
  return {
      .fields = {required(words("name", &F::name, read_name, "Its name in the columns of crack_fronts.csv.")),
                 required(vector("point", &F::point, "m", "A point of the front, in the bodies at the start.")),
                 required(direction("growth", &F::growth,
                                    "From the crack into the material, in the plane of the crack. The front is a "
                                    "straight line at a right angle to it.")),
                 required(direction("normal", &F::normal, "Normal of the plane of the crack.")),
                 required(number("radius", &F::radius, {"m", positive},
                                 "Of the largest tube around the front that is integrated over; the two others have "
                                 "two thirds and a third of it. At least six elements.")),
                 choice("plane", &F::plane_stress, {{"strain", false}, {"stress", true}},
                        "Whether K_I and K_II are those of plane strain, as in a thick plate near the front, or of "
                        "plane stress, as around the front of a thin one. J is the same.")},
      .check = [](F& f, const Value& v, const std::string& path, Context&) {
        f.key = message_key(v, path);
        const double slant = f.growth.dot(f.normal);
        if (std::abs(slant) > 0.01)
          refuse(v.find("growth")->place, key_path(path, "growth"), "a direction at a right angle to the normal",
                 fmt::format("one at {:.0f} degrees", std::acos(slant) * 180 / std::numbers::pi));
        if (std::abs(slant) > 1e-12) f.growth = (f.growth - slant * f.normal).normalized();
      }};
}

Table<SurfaceDetail> detail_table()
{
  using D = SurfaceDetail;
  return {.fields = {
              integer("levels", &D::levels, {.min = 0, .max = 6},
                      "How often edges of crack faces are halved: a face becomes 4 to the power of this; 0: it stays."),
              number("roughness", &D::roughness, {"-", {.min = 0, .max = 0.5}},
                     "How far the middle of an edge is displaced at most, over the edge's length."),
              integer("seed", &D::seed, {.min = 0, .max = 2147483647}, "Another seed, another shape."),
          }};
}

Table<OutputOptions> output_table()
{
  using O = OutputOptions;
  return {
      .fields =
          {
              with_default_text("out/NAME", words("directory", &O::directory, read_path,
                                                  "Output folder, relative to the working directory.")),
              number("history_interval", &O::history_interval, {"s", not_negative, "auto", 0},
                     "Time between lines of history.csv; auto: a hundredth of the run; with solver static each step, "
                     "and each step of a lattice's impact."),
              number("frame_interval", &O::frame_interval, {"s", not_negative, "auto", 0},
                     "Time between frames; auto: a thirtieth of the run; with solver static each step, and each step "
                     "of a lattice's impact."),
              integer("pieces", &O::pieces, {"", not_negative, "auto", 0},
                      "Files a frame goes to, at most one a rank; auto: one, more where it would exceed 0.5 GB before "
                      "compression. Some filters of ParaView see a body whole in one file only."),
              flag("frames", &O::frames, "false: no frames, only the history and the summary."),
              flag("cracks", &O::cracks, "Beside each frame the faces that fracture has made, in NAME_cracks.pvd."),
              flag("surface", &O::surface,
                   "Beside each frame the outer surface of the bodies, in NAME_surface.pvd, with the frame's fields."),
              mapping("surface_detail", &O::surface_detail, detail_table(),
                      "Crack faces of that surface are subdivided at random, so that they do not look flat. The run "
                      "itself does not change."),
              choice("geometry", &O::geometry, {{"current", "current"}, {"reference", "reference"}},
                     "Points of frames: where they are, or where they were in the undeformed material."),
              choice(
                  "compression", &O::compression, {{"lz4", "lz4"}, {"zlib", "zlib"}, {"none", "none"}},
                  "Of frames. lz4: what VTK, ParaView and PyVista read. zlib: other programs read it too; it costs ten "
                  "times as much, and makes files a sixth smaller."),
              with_default_text(
                  "all that have a meaning",
                  choices(
                      "fields", &O::fields, frame_field_names,
                      "What frames show beside displacement, material position, fragment, parent, material and "
                      "rank. Default: Velocity, Damage, FailureTime, Stress, VonMisesStress, MaxPrincipalStress, "
                      "PlasticStrain; with solvers of rigid elements, lattice and hybrid, Velocity and FailureTime.")),
              list("probes", &O::probes, probe_table(), "Places whose history is written to probes.csv."),
              list("sections", &O::sections, section_table(),
                   "Planes through the material; the forces through them are written to sections.csv."),
              list("crack_fronts", &O::crack_fronts, crack_front_table(),
                   "Straight fronts of cracks: advance, J-integral and intensities, in crack_fronts.csv."),
              integer("largest_cracks", &O::largest_cracks, {.min = 0, .max = 16},
                      "How many cracks have a line in cracks.csv, the largest; 0: none."),
          },
      .check = [](O& o, const Value& v, const std::string& path, Context&) {
        if (o.surface_detail.levels > 0 && !o.surface)
          refuse(v.find("surface_detail")->place, key_path(path, "surface_detail.levels"),
                 "0 without output.surface: true", fmt::format("{}", o.surface_detail.levels));
        for (const char* list : {"probes", "sections", "crack_fronts"})
          check_names_once(v.find(list), key_path(path, list));
      }};
}

}  // namespace

Field<Scene> output_field()
{
  return mapping("output", &Scene::output, output_table(), "What is written, where and how often.");
}

}  // namespace sunder::config
