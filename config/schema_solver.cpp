#include "config/schema_solver.hpp"

#include "config/petsc_use.hpp"
#include "config/schema_lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

namespace sunder::config {
namespace {

Table<solvers::NewtonOptions> newton_table()
{
  using N = solvers::NewtonOptions;
  return {
      .fields = {
          number("tolerance", &N::tolerance, {"-", {.min = 1e-13, .max = 0.1}},
                 "Forces left unbalanced, as a share of the forces in the bodies, at which a state is an "
                 "equilibrium."),
          integer("max_iterations", &N::max_iterations, {.min = 1, .max = 1000},
                  "Corrections before a step is taken again with half its length."),
          flag("single_iteration", &N::single_iteration,
               "true: one linear solve a step of `implicit` or `adaptive`, as Baraff and Witkin (1998). What it leaves "
               "unbalanced acts in the next step."),
      }};
}

Field<SolverOptions> method_field()
{
  return choice(
      "method", &SolverOptions::method,
      {{"explicit", Method::explicit_dynamics},
       {"static", Method::static_equilibrium},
       {"implicit", Method::implicit_dynamics},
       {"adaptive", Method::adaptive_dynamics},
       {"lattice", Method::lattice},
       {"hybrid", Method::hybrid}},
      "explicit: dynamics by short steps. static: equilibrium under loads that grow with time. implicit: "
      "dynamics by long steps. adaptive: implicit, and explicit where something breaks or hits. These "
      "three solve equations by Newton's method. lattice: an impact on rigid bonds between elements, then free "
      "flight. hybrid: rigid bodies, and statics of a body where it is hit.");
}

Table<SolverOptions> solver_table()
{
  using S = SolverOptions;
  return {
      .fields = {
          method_field(),
          choice("reproducible", &S::reproducible,
                 {{"auto", Reproducible::automatic}, {"true", Reproducible::yes}, {"false", Reproducible::no}},
                 "true: linear solves have the same bits on any number of ranks. false: PETSc's, which are faster "
                 "and agree to the tolerance. auto: true where fracture is enabled."),
          choice("scheme", &S::scheme,
                 {{"backward_euler", ImplicitMethod::backward_euler},
                  {"newmark", ImplicitMethod::newmark},
                  {"generalised_alpha", ImplicitMethod::generalised_alpha}},
                 "Integration in time of `implicit`: of order 1 with much damping, of order 2 without, of order 2 "
                 "with damping of what steps do not resolve."),
          number("spectral_radius", &S::spectral_radius, {"-", share},
                 "Of generalised_alpha: what each step leaves of the highest frequencies; 1: all."),
          number("accuracy", &S::accuracy, {"-", positive},
                 "Of `implicit`, where time.step is auto: displacement that a step may leave out, as a share of the "
                 "mesh size."),
          number(
              "onset_tolerance", &S::onset_tolerance, {"-", positive},
              "All but explicit steps are so short that a node fails with v+ at most this share above its threshold."),
          choice(
              "load_control", &S::load_control,
              {{"time", LoadControl::time},
               {"crack", LoadControl::crack},
               {"arc_length", LoadControl::arc_length},
               {"dissipation", LoadControl::dissipation}},
              "Of `static`. time: loads are those of the time, and a crack that runs by itself runs to its end under "
              "one load. crack: after each event loads go back until no node fails, so that a crack grows step by "
              "step; their time lags behind from there. arc_length: steps have a length in displacements, and loads go "
              "where equilibrium takes them, past limits and back; their time lags behind. dissipation: the same, but "
              "the length of a step is the energy that young cracks with G_c take for good; where they take none, "
              "loads "
              "grow."),
          number("dissipation", &S::dissipation, {"J", not_negative, "auto", 0},
                 "With `load_control: dissipation`: what young cracks take in the longest step, `time.step`; auto: a "
                 "tenth of what those that soften take until they have broken."),
          number("switch_ratio", &S::switch_ratio, {"-", {.min = 1}},
                 "Of `adaptive`: implicit steps that are shorter than so many explicit ones are not worth their cost."),
          flag("initial_equilibrium", &S::initial_equilibrium,
               "true: before the first step of a dynamic solver bodies are brought into equilibrium under gravity and "
               "the loads of time 0. They keep their velocities."),
          choice(
              "floating", &S::floating,
              {{"error", Floating::error},
               {"inertia_relief", Floating::inertia_relief},
               {"contact", Floating::contact}},
              "What a static solver does with a fragment that boundary conditions do not hold. inertia_relief: it "
              "is accelerated as a rigid body, and deformed by its loads less that inertia. contact: other bodies or "
              "obstacles hold it; there is no equilibrium if they do not."),
          mapping("newton", &S::newton, newton_table(), "How equilibrium is found."),
      }};
}

/// PETSc's names have no more than these.
bool is_option_name(const std::string& text)
{
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace

Field<Scene> solver_field()
{
  const auto method = within(&Scene::solver, method_field());
  auto field = mapping("solver", &Scene::solver, solver_table(), "What advances the bodies. A bare word is `method`.");
  field.doc.shorthand = method.doc.key, field.doc.word = "a method", field.doc.fallback = method.doc.fallback;
  field.read = [method, read = field.read](Scene& s, const Value& v, const std::string& path, Context& c) {
    (v.is_mapping() ? read : method.read)(s, v, path, c);
  };
  return field;
}

Field<Scene> petsc_field()
{
  return {
      {.key = "petsc",
       .type = "mapping",
       .fallback = "none",
       .text = "Options of PETSc by name, without the leading minus, such as `pc_type: hypre`; a flag has the value "
               "true. Options that PETSc does not use are refused."},
      [](Scene& s, const Value& v, const std::string& path, Context&) {
        if (!v.is_mapping()) refuse(v, path, "a mapping of PETSc's options");
        for (const Value& item : v.items) {
          if (!is_option_name(item.key))
            refuse(item.key_place, path, "the name of an option of PETSc, without the leading minus", item.key);
          const std::string value = read_text(item, key_path(path, item.key));
          s.petsc[item.key] = value == "true" ? "" : value;
        }
      },
      [](const Scene& s, const Context&) -> std::optional<Value> {
        if (s.petsc.empty()) return std::nullopt;
        Value all = make_mapping();
        for (const auto& [name, value] : s.petsc) all.add(name, make_scalar(value.empty() ? "true" : value));
        return all;
      }};
}

namespace {

/// Keys of the solver that another method has: only values that are not the default can have been meant.
void check_keys_of_method(const SolverOptions& solver, const std::function<Place(const char* key)>& place)
{
  const SolverOptions fresh;
  const auto check = [&](const char* key, bool given, bool means_something, const char* expected) {
    if (given && !means_something)
      refuse(place(key), key_path("solver", key), expected, "a value that would do nothing");
  };
  const bool is_static = solver.method == Method::static_equilibrium;
  const char* const no_time = "no such key with a static solver, which does not integrate in time";
  check("scheme", solver.scheme != fresh.scheme, !is_static, no_time);
  check("spectral_radius", solver.spectral_radius != fresh.spectral_radius, !is_static, no_time);
  check("load_control", solver.load_control != fresh.load_control, is_static, "no such key but with method: static");
  check("dissipation", solver.dissipation != fresh.dissipation, solver.load_control == LoadControl::dissipation,
        "no such key but with load_control: dissipation");
}

/// Local time steps are a filter of the forces of explicit central differences.
void check_local_steps(const Scene& scene, const std::function<Place(const char* key)>& place)
{
  const bool on = scene.time.local_steps != "off";
  const bool can =
      scene.solver.method == Method::explicit_dynamics && scene.time.scheme == solvers::ExplicitScheme::symplectic;
  if (on && !can)
    refuse(place("local_steps"), "time.local_steps", "off but with solver: explicit and time.scheme: symplectic",
           scene.time.local_steps);
  if (!on && scene.time.macro_step != TimeOptions().macro_step)
    refuse(place("macro_step"), "time.macro_step", "no such key but with time.local_steps: auto",
           "a value that would do nothing");
}

/// Motions of bodies at the start that are not zero.
void refuse_velocities(const Value& bodies)
{
  for (std::size_t k = 0; k < bodies.items.size(); ++k)
    for (const char* key : {"velocity", "spin", "velocity_gradient"}) {
      const Value* const given = bodies.items[k].find(key);
      const std::string path = key_path(item_path("bodies", bodies, k), key);
      if (!given ||
          (given->items.size() == 3 && given->items.front().is_scalar() && read_vector(*given, path, "").isZero(0)))
        continue;
      refuse(given->place, path, "no such key with a static solver, in which nothing has a velocity",
             "a value that would do nothing");
    }
}

}  // namespace

void check_solver(const Scene& scene, const Value& root)
{
  check_lattice(scene, root);
  const Method method = scene.solver.method;
  const auto place = [&root](const char* section, const char* key) {
    const Value* const mapping = root.find(section);
    const Value* const value = mapping && mapping->is_mapping() ? mapping->find(key) : nullptr;
    return (value ? *value : mapping ? *mapping : root).place;
  };
  check_keys_of_method(scene.solver, [&place](const char* key) { return place("solver", key); });
  if (method == Method::static_equilibrium) refuse_velocities(*root.find("bodies"));
  check_local_steps(scene, [&place](const char* key) { return place("time", key); });
  if (method == Method::static_equilibrium && scene.solver.initial_equilibrium)
    refuse(place("solver", "initial_equilibrium"), "solver.initial_equilibrium",
           "false with a static solver, each step of which is an equilibrium", "true");
  const bool rigid = method == Method::lattice || method == Method::hybrid;
  if (rigid && scene.solver.initial_equilibrium)
    refuse(place("solver", "initial_equilibrium"), "solver.initial_equilibrium",
           "false with this solver, whose bodies do not deform", "true");
  if (method == Method::static_equilibrium && scene.solver.newton.single_iteration)
    refuse(place("solver", "newton"), "solver.newton.single_iteration",
           "false with a static solver, where nothing acts later", "true");
  const bool solves = (method != Method::explicit_dynamics && !rigid) || scene.solver.initial_equilibrium;
  if (!scene.petsc.empty() && !(solves && leaves_solves_to_petsc(scene)))
    refuse(
        place("petsc", scene.petsc.begin()->first.c_str()), key_path("petsc", scene.petsc.begin()->first),
        !solves ? "no option of PETSc with a solver that solves no equations"
        : scene.solver.load_control == LoadControl::arc_length || scene.solver.load_control == LoadControl::dissipation
            ? "no option of PETSc with a solver.load_control along a path: PETSc solves nothing"
            : "no option of PETSc with solver.reproducible, which is true where fracture is enabled: PETSc solves "
              "nothing",
        "one");
  if (method == Method::adaptive_dynamics && scene.time.step > 0)
    refuse(place("time", "step"), "time.step", "auto with the adaptive solver", fmt::format("{}", scene.time.step));
  if (method == Method::explicit_dynamics || method == Method::adaptive_dynamics || rigid) return;
  const auto free = std::find_if(scene.obstacles.begin(), scene.obstacles.end(),
                                 [](const auto& o) { return o.motion == rigid::MotionKind::free; });
  if (method == Method::static_equilibrium && free != scene.obstacles.end()) {
    const Value& item = root.find("obstacles")->items[static_cast<std::size_t>(free - scene.obstacles.begin())];
    const Value* const motion = item.find("motion");
    refuse((motion ? *motion : item).place, key_path("obstacles", free->name) + ".motion",
           "fixed or path with a static solver, in which nothing has a velocity", "free");
  }
}

}  // namespace sunder::config
