#include "config/schema.hpp"

#include "config/files.hpp"
#include "config/materials.hpp"
#include "config/path_value.hpp"
#include "config/schema_boundary.hpp"
#include "config/schema_contact.hpp"
#include "config/schema_copies.hpp"
#include "config/schema_hybrid.hpp"
#include "config/schema_lattice.hpp"
#include "config/schema_material_list.hpp"
#include "config/schema_output.hpp"
#include "config/schema_solver.hpp"
#include "config/schema_toughness.hpp"
#include "config/suggest.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace sunder::config {
namespace {

// ---------------------------------------------------------------------------------------------------- bodies

template <class T>
Field<T> file_field(const char* key, std::string T::*member, Lookup lookup, const char* text)
{
  return {{.key = key, .type = "text", .fallback = "none", .text = text},
          [=](T& t, const Value& v, const std::string& path, Context& c) {
            t.*member = existing_file(v, path, *c.files, lookup);
          },
          [=](const T& t, const Context&) {
            return (t.*member).empty() ? std::nullopt : std::optional(make_scalar(t.*member, true));
          }};
}

/// The elements of a mesh file are as they are.
void refuse_sizes_of_file(const MeshSource& mesh, const Value& v, const std::string& path)
{
  const MeshSource fresh;
  const auto check = [&](const char* key, bool given) {
    if (given)
      refuse(v.find(key)->place, key_path(path, key),
             "no such key with file, whose elements are as they are (refine divides them)",
             "a value that would do nothing");
  };
  check("size", mesh.size != fresh.size);
  check("grading", mesh.grading != fresh.grading);
}

Table<MeshSource> mesh_table()
{
  return {.fields =
              {
                  file_field("file", &MeshSource::file, Lookup::scene_only,
                             "Mesh file (.msh, .vtu, .pvtu, .ele), relative to the scene file. This or geometry."),
                  file_field("geometry", &MeshSource::geometry, Lookup::scene_then_shipped,
                             "CSG (.geo) or surface (.stl, .obj, .ply) meshed at set-up; relative to the scene file, "
                             "or a shipped one."),
                  left_out_if_default(
                      "required with geometry",
                      number("size", &MeshSource::size, {"m", positive},
                             "Edge length aimed at, before scale; single ones come out up to twice as long.")),
                  number("grading", &MeshSource::grading, {"-", {.min = 1e-3, .max = 1}},
                         "How fast element sizes may change; small is slow and fine. Of surfaces: a .geo has its own."),
                  number("scale", &MeshSource::scale, {"-", positive}, "Multiplies all coordinates, so all edges."),
                  integer("refine", &MeshSource::refine, {.min = 0, .max = 10},
                          "Times each element is divided into eight, on all ranks at once: large meshes from small "
                          "ones. The boundary keeps its facets."),
              },
          .check = [](MeshSource& mesh, const Value& v, const std::string& path, Context&) {
            if (mesh.file.empty() == mesh.geometry.empty())
              refuse(v.place, path, "either file or geometry", mesh.file.empty() ? "neither" : "both");
            if (!mesh.geometry.empty() && mesh.size == 0)
              refuse(v.place, key_path(path, "size"), "a number > 0 [m] with geometry", "nothing");
            if (!mesh.file.empty()) refuse_sizes_of_file(mesh, v, path);
          }};
}

Table<Region> region_table()
{
  return {.fields = {required(words("set", &Region::set, read_word, "Element set (physical volume) of the mesh.")),
                     material_field(&Region::material)},
          .check = [](Region& r, const Value& v, const std::string& path, Context&) { r.key = message_key(v, path); }};
}

Field<Body> gradient_field()
{
  return {{.key = "velocity_gradient",
           .type = "three rows of three numbers",
           .unit = "1/s",
           .fallback = "none",
           .text = "G: adds G (x - velocity_center) to the velocity at the start of the node at x, in the world."},
          [](Body& b, const Value& v, const std::string& path, Context&) {
            if (!v.is_list() || v.items.size() != 3) refuse(v, path, "three rows of three numbers [1/s]");
            for (std::size_t i = 0; i < 3; ++i)
              b.velocity_gradient.row(static_cast<Eigen::Index>(i)) =
                  read_vector(v.items[i], fmt::format("{}.{}", path, i), "1/s");
          },
          [](const Body& b, const Context&) -> std::optional<Value> {
            if (b.velocity_gradient.isZero(0)) return std::nullopt;
            std::vector<Value> rows;
            for (Eigen::Index i = 0; i < 3; ++i) rows.push_back(write_vector(b.velocity_gradient.row(i)));
            return make_list(std::move(rows));
          }};
}

/// A centre alone would do nothing.
void check_velocity_center(const Body& body, const Value& v, const std::string& path)
{
  if (body.velocity_gradient.isZero(0) && !body.velocity_center.isZero(0))
    refuse(*v.find("velocity_center"), key_path(path, "velocity_center"), "a velocity_gradient beside it");
}

Table<Body> body_table()
{
  return {
      .fields =
          {
              required(words("name", &Body::name, read_name, "Its name in messages, selections and key paths.")),
              required(mapping("mesh", &Body::mesh, mesh_table(), "Where the tetrahedra come from.")),
              material_field(&Body::material),
              list("regions", &Body::regions, region_table(), "Regions of the mesh that are of another material."),
              vector("position", &Body::position, "m", "Added after scale and rotation."),
              rotation_field<Body>("Turns the body about the origin of its mesh.", "Through the origin, right-handed."),
              vector("velocity", &Body::velocity, "m/s", "At the start."),
              vector("spin", &Body::spin, "rad/s", "Angular velocity about its centre of mass at the start."),
              gradient_field(),
              left_out_if_default("[0, 0, 0]", vector("velocity_center", &Body::velocity_center, "m",
                                                      "A point of the world that velocity_gradient leaves as it is.")),
              choice("split_hinges", &Body::split_hinges, {{"error", "error"}, {"split", "split"}},
                     "What to do with nodes that join two components by a point or an edge only."),
              copies_field(),
          },
      .check = [](Body& b, const Value& v, const std::string& path, Context&) { check_velocity_center(b, v, path); }};
}

// ---------------------------------------------------------------------------------------------------- the run

Table<TimeOptions> time_table()
{
  using T = TimeOptions;
  using Scheme = solvers::ExplicitScheme;
  return {.fields = {
              required(number("end", &T::end, {"s", positive}, "How long to simulate.")),
              number("step", &T::step, {"s", not_negative, "auto", 0},
                     "Time step; auto: from the stable limit of the current mesh. One above the limit is an error. "
                     "Of static, lattice and hybrid: the longest one."),
              number("safety", &T::safety, {"-", {.min = 0, .max = 1, .above_min = true}},
                     "Share of the stable limit that the automatic step takes."),
              number("step_factor", &T::step_factor, {"-", {.min = 0, .max = 1000, .above_min = true}},
                     "Multiplies the automatic step, to see what too large a step does to cracks."),
              choice("scheme", &T::scheme,
                     {{"symplectic", Scheme::symplectic}, {"euler", Scheme::euler}, {"taylor", Scheme::taylor}},
                     "Time integration: central differences, forward Euler, or second-order Taylor."),
              number("viscosity_cap", &T::viscosity_cap, {"-", not_negative},
                     "Greatest damping ratio of an element at its own highest frequency; 0: no cap."),
              number("mass_scaling_step", &T::mass_scaling_step, {"s", not_negative},
                     "Elements whose limit is below it get more mass until they reach it; 0: off."),
              choice("inverted", &T::inverted, {{"warn", "warn"}, {"stop", "stop"}},
                     "What an element turned inside out does."),
              choice("local_steps", &T::local_steps, {{"off", "off"}, {"auto", "auto"}},
                     "auto: elements that allow only short steps are stepped more often than the others, by powers of "
                     "two; with the explicit solver and scheme symplectic."),
              number("macro_step", &T::macro_step, {"s", not_negative, "auto", 0},
                     "With local_steps, the step of the elements that allow it; auto: the one that the unbroken mesh "
                     "would take."),
          }};
}

Table<fracture::FractureOptions> fracture_table()
{
  using F = fracture::FractureOptions;
  return {.fields = {
              flag("enabled", &F::enabled, "false: nothing breaks."),
              choice("criterion", &F::criterion,
                     {{"tensile", element::SeparationCriterion::tensile},
                      {"sources", element::SeparationCriterion::sources}},
                     "When a node fails. tensile: only tension separates, however hard a body is pressed; sources: "
                     "T 4.6 as printed, which also crushes nodes that are pressed or struck."),
              flag("remesh", &F::remesh, "false: cracks are held to the faces of elements."),
              number("snap_distance", &F::snap_distance, {"m", not_negative},
                     "A crack that passes a node nearer than this goes through the node."),
              number("snap_angle", &F::snap_angle, {"rad", {.min = 0, .max = 1.5}},
                     "So it does if the line to the node makes a smaller angle with its plane."),
              number("snap_relative", &F::snap_relative, {"-", {.min = 0, .max = 0.5}},
                     "snap_distance as a share of the mesh size before fracture; the larger of both holds."),
              number("least_height", &F::least_height, {"-", {.min = 0, .max = 0.5}},
                     "No cut leaves an element lower than this share of the mesh size before fracture: the crack goes "
                     "through a node instead. 0: the sources' plain cuts, with slivers."),
              number("back_crack_angle", &F::back_crack_angle, {"rad", {.min = 0, .max = 1.5}},
                     "No new surface at a smaller angle to an existing one; 0: back-cracks are not avoided."),
              number("residual", &F::residual, {"-", share, "material", -1},
                     "alpha for all materials; material: each one's own."),
              flag("relief", &F::relief,
                   "What alpha pushes the crack tip by it also takes from beside the crack, as a share of the pull "
                   "there, until the next check; false: it only pushes (the sources)."),
              number("check_interval", &F::check_interval, {"s", not_negative, "auto", -1},
                     "Time between checks for failing nodes; 0: every step (the sources); auto: a tenth of a "
                     "wave's time through an element of the unbroken mesh."),
              number("dust", &F::dust, {"m", not_negative},
                     "Fragments of less volume than a cube with this edge get mass until they allow the step of the "
                     "unbroken mesh; they keep their momentum. 0: off."),
              number("exclusion", &F::exclusion, {"-", {.min = 0, .max = 10}},
                     "Where surface takes energy: share of the zone E G_c/strength^2 around a crack that links hold "
                     "within which a node that continues no crack bears twice its toughness. 0: only beside a link."),
              integer("max_rounds", &F::max_rounds, {.min = 1, .max = 10000},
                      "Rounds of cracking at one check; what still fails then waits for the next check."),
          }};
}

Table<CheckpointOptions> checkpoint_table()
{
  using C = CheckpointOptions;
  return {
      .fields = {
          number("interval", &C::interval, {"s", not_negative}, "Simulated time between checkpoints; 0: not by it."),
          integer("steps", &C::steps, {.min = 0}, "Steps between checkpoints; 0: not by them."),
          number("wall_interval", &C::wall_interval, {"s", not_negative},
                 "Time by the clock between checkpoints. The first comes after a twentieth of it, others when the run "
                 "takes twice as long as at the one before. 0: not by the clock."),
          integer("keep", &C::keep, {.min = 1, .max = 1000000}, "How many are kept, the last ones."),
          number("patience", &C::patience, {"s", not_negative},
                 "Time by the clock without a step after which the run is given up, for a rank hangs; 0: never."),
      }};
}

Table<PartitionOptions> partition_table()
{
  using P = PartitionOptions;
  return {.fields = {
              file_field(
                  "file", &P::file, Lookup::scene_only,
                  "Mesh of this scene's bodies that `sunder partition` decomposed beforehand: ranks read it together, "
                  "and none holds more than its part. Relative to the scene file."),
              choice("method", &P::method, {{"metis", "metis"}, {"ptscotch", "ptscotch"}, {"hilbert", "hilbert"}},
                     "How nodes are distributed to ranks; results do not depend on it. ptscotch: where the graph is "
                     "too large for METIS on one rank. hilbert: along the curve, here and at each repartition."),
              integer("seed", &P::seed, {.min = 0, .max = 2147483647}, "For METIS."),
              number("rebalance", &P::rebalance, {"-", {.min = 0}},
                     "A run repartitions where the work of the busiest rank is more than so many times the mean in "
                     "three checks in a row, and the others have waited longer for it than a repartition takes. Below "
                     "1: at each third check, whatever it costs; 0: never."),
              integer("rebalance_steps", &P::rebalance_steps, {.min = 10}, "Steps between checks of that."),
          }};
}

/// Bodies that selections name are those of the scene.
template <class Selecting>
void check_selected_bodies(const std::vector<Selecting>& items, const char* list, const Scene& scene, const Value& root)
{
  std::vector<std::string> bodies;
  for (const Body& body : scene.bodies) bodies.push_back(body.name);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string& body = items[i].where.body;
    if (body.empty() || std::find(bodies.begin(), bodies.end(), body) != bodies.end()) continue;
    const Value& named = *root.find(list)->items[i].find("where")->find("body");
    throw Error(fmt::format("{}: {}.{}.where.body: {}", named.place.text(), list, items[i].name,
                            expected_one_of(body, bodies)));
  }
}

bool has_rigid_elements(const Scene& scene)
{
  return scene.solver.method == Method::lattice || scene.solver.method == Method::hybrid;
}

/// The fields of what list is about: those given, which must not be about stress, or else the usual ones.
void fit_fields(std::vector<std::string>& fields, const Value* list, const std::string& path,
                const std::vector<std::string>& of_motion, const std::vector<std::string>& usual)
{
  if (!list) {
    fields = usual;
    return;
  }
  for (const std::string& field : fields)
    if (std::find(of_motion.begin(), of_motion.end(), field) == of_motion.end())
      refuse(list->place, path,
             fmt::format("some of {} with solvers lattice and hybrid, whose elements are rigid",
                         fmt::join(of_motion, " ")),
             field);
}

/// Elements that are rigid have no strain, no stress and no forces through them but those of round-off.
void fit_output_to_rigid_elements(Scene& scene, const Value& root)
{
  const Value* const output = root.find("output");
  fit_fields(scene.output.fields, output ? output->find("fields") : nullptr, "output.fields",
             {"Velocity", "Speed", "FailureTime"}, {"Velocity", "FailureTime"});
  for (const char* key : {"sections", "crack_fronts"})
    if (const Value* const given = output ? output->find(key) : nullptr; given && !given->items.empty())
      refuse(given->place, key_path("output", key), "none with solvers lattice and hybrid, whose elements are rigid",
             "some");
  for (std::size_t k = 0; k < scene.output.probes.size(); ++k) {
    Probe& probe = scene.output.probes[k];
    fit_fields(probe.fields, output->find("probes")->items[k].find("fields"),
               fmt::format("output.probes.{}.fields", probe.name), {"Displacement", "Velocity", "Speed"},
               {"Displacement", "Velocity"});
  }
}

/// Links between the sides of a crack are there where forces balance in one set of equations.
void check_cohesion(const Scene& scene, const std::vector<material::Material>& materials, const Value& root)
{
  constexpr std::array with_links{Method::explicit_dynamics, Method::static_equilibrium, Method::implicit_dynamics};
  const bool has_links = std::find(with_links.begin(), with_links.end(), scene.solver.method) != with_links.end();
  if (has_links || !scene.fracture.enabled) return;
  const auto refuse_both = [](const Place& place, const std::string& path) {
    refuse(place, path,
           "one form of toughness with this solver; stress and G_c together need solver: explicit, static or implicit",
           "stress and G_c");
  };
  for (const material::Material& m : materials)
    if (const ToughnessPlace at = toughness_place(root, m.name); m.cohesion.energy > 0) refuse_both(at.place, at.path);
  for (std::size_t k = 0; k < scene.interfaces.size(); ++k)
    if (scene.interfaces[k].cohesion.energy > 0)
      refuse_both(root.find("interfaces")->items[k].place, fmt::format("interfaces.{}.toughness", k));
}

void check_scene(Scene& scene, const Value& root, const std::string&, Context& c)
{
  make_copies(scene);
  if (scene.bodies.empty()) refuse(root.find("bodies")->place, "bodies", "at least one body", "none");
  for (const char* list : {"bodies", "obstacles", "boundary", "loads"}) check_names_once(root.find(list), list);
  check_names_of_copies(scene, *root.find("bodies"));
  check_selected_bodies(scene.boundary, "boundary", scene, root);
  check_selected_bodies(scene.loads, "loads", scene, root);
  check_solver(scene, root);
  check_hybrid(scene, c.materials, root);
  check_cohesion(scene, c.materials, root);
  if (has_rigid_elements(scene)) fit_output_to_rigid_elements(scene, root);
  if (scene.name.empty()) scene.name = c.scene_name;
  if (scene.output.directory.empty()) scene.output.directory = "out/" + scene.name;
}

Table<Scene> scene_table()
{
  return {
      .fields =
          {
              with_default_text("the file's", words("name", &Scene::name, read_file_name,
                                                    "Name of the run's files; by default the scene file's, without "
                                                    ".yaml.")),
              words("title", &Scene::title, read_text, "For people."),
              materials_field(),
              required(list("bodies", &Scene::bodies, body_table(), "What deforms and breaks.")),
              interfaces_field(),
              list("obstacles", &Scene::obstacles, obstacle_table(), "Rigid bodies that elements touch."),
              mapping("collisions", &Scene::collisions, collision_table(),
                      "Elements against elements, of different bodies and of one."),
              boundary_field(),
              loads_field(),
              vector("gravity", &Scene::gravity, "m/s^2", "Acceleration of everything that is free to move."),
              required(mapping("time", &Scene::time, time_table(), "How long, and in what steps.")),
              solver_field(),
              lattice_field(),
              hybrid_field(),
              petsc_field(),
              mapping("fracture", &Scene::fracture, fracture_table(), "How cracks are made."),
              output_field(),
              mapping("checkpoint", &Scene::checkpoint, checkpoint_table(),
                      "When the state is written, for `sunder run --restart` to go on from."),
              mapping("partition", &Scene::partition, partition_table(), "How the mesh is decomposed for many ranks."),
          },
      .check = check_scene};
}

const Table<Scene>& the_scene_table()
{
  static const Table<Scene> table = scene_table();
  return table;
}

}  // namespace

Scene read_scene(const Value& root, const std::string& path, SceneFiles& files)
{
  Context context;
  context.files = &files;
  context.library = material_library;
  context.scene_name = std::filesystem::path(path).stem().string();
  if (context.scene_name.empty()) context.scene_name = "scene";
  Scene scene;
  read_mapping(scene, root, "", the_scene_table(), context);
  scene.materials = std::move(context.materials);
  return scene;
}

std::string to_yaml(const Scene& scene)
{
  Context context;
  context.materials = scene.materials;
  return yaml_text(write_mapping(scene, the_scene_table(), context));
}

const std::vector<KeyDoc>& scene_docs()
{
  static const std::vector<KeyDoc> docs = docs_of(the_scene_table());
  return docs;
}

}  // namespace sunder::config
