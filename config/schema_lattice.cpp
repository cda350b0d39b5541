#include "config/schema_lattice.hpp"

#include "lattice/impact.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace sunder::config {
namespace {

using lattice::CurvePoint;
using lattice::StrengthFactor;

constexpr Range above_zero{.min = 1e-12};

Table<lattice::Noise> noise_table()
{
  using N = lattice::Noise;
  return {.fields = {
              integer("seed", &N::seed, {.min = 0, .max = 2147483647}, "Another seed, another pattern."),
              required(number("size", &N::size, {"m", positive}, "Of the largest cells of the noise.")),
              integer("octaves", &N::octaves, {.min = 1, .max = 16}, "Sizes of cells, each half of the one before."),
              number("low", &N::low, {"-", above_zero}, "The factor where turbulence is 0."),
              number("high", &N::high, {"-", above_zero}, "The factor where it is 1."),
              {{.key = "threshold",
                .type = "number",
                .unit = "-",
                .range = share.text(),
                .fallback = "none",
                .text = "The factor is low where turbulence is below this, and high elsewhere; without it, linear."},
               [](N& n, const Value& v, const std::string& path, Context&) {
                 n.threshold = read_number(v, path, {"-", share});
               },
               [](const N& n, const Context&) {
                 return std::isnan(n.threshold) ? std::nullopt : std::optional(write_number(n.threshold, {"-", share}));
               }},
          }};
}

Table<lattice::CleavingPlane> plane_table()
{
  using P = lattice::CleavingPlane;
  return {.fields = {
              required(vector("point", &P::point, "m", "Of the plane, in the world at the start.")),
              direction("normal", &P::normal, "Of the plane."),
              required(number("thickness", &P::thickness, {"m", positive},
                              "Faces whose centre is so near, on both "
                              "sides together, have the factor.")),
              number("factor", &P::factor, {"-", above_zero}, "Below 1: the body cleaves there."),
          }};
}

Table<lattice::Bands> bands_table()
{
  using B = lattice::Bands;
  return {.fields = {
              vector("point", &B::point, "m", "Where a low layer begins."),
              direction("axis", &B::axis, "Across the layers."),
              required(number("period", &B::period, {"m", positive}, "Of a low layer and a high one together.")),
              number("low", &B::low, {"-", above_zero}, "The factor of every other layer."),
              number("high", &B::high, {"-", above_zero}, "Of the layers between."),
          }};
}

Table<lattice::Nodule> nodule_table()
{
  using N = lattice::Nodule;
  return {.fields = {
              required(vector("center", &N::center, "m", "In the world at the start.")),
              required(number("radius", &N::radius, {"m", positive}, "Of the ball.")),
              number("factor", &N::factor, {"-", above_zero}, "Above 1: the ball stays whole."),
          }};
}

Field<StrengthFactor> uniform_field()
{
  return {{.key = "uniform",
           .type = "number",
           .unit = "-",
           .range = above_zero.text(),
           .fallback = "none",
           .text = "The same everywhere."},
          [](StrengthFactor& f, const Value& v, const std::string& path, Context&) {
            f.uniform = read_number(v, path, {"-", above_zero});
          },
          [](const StrengthFactor& f, const Context&) {
            return f.uniform ? std::optional(write_number(*f.uniform, {"-", above_zero})) : std::nullopt;
          }};
}

Field<StrengthFactor> expression_field()
{
  return {
      {.key = "expression",
       .type = "text",
       .fallback = "none",
       .text = "A formula of the place x, y, z [m] and pi, such as `1 + 0.5*sin(2*pi*z/0.02)`; as muParser reads it."},
      [](StrengthFactor& f, const Value& v, const std::string& path, Context&) {
        const std::string text = read_word(v, path);
        try {
          f.expression.emplace(text);
        } catch (const Error& error) {
          refuse(v.place, path, "a formula of x, y, z [m] and pi", fmt::format("'{}': {}", text, error.what()));
        }
      },
      [](const StrengthFactor& f, const Context&) {
        return f.expression ? std::optional(make_scalar(f.expression->text(), true)) : std::nullopt;
      }};
}

Table<StrengthFactor> factor_table()
{
  using F = StrengthFactor;
  return {.fields =
              {
                  uniform_field(),
                  mapping("noise", &F::noise, noise_table(), "Turbulence."),
                  mapping("plane", &F::plane, plane_table(), "A cleaving plane."),
                  mapping("bands", &F::bands, bands_table(), "Layers, in turn weak and strong."),
                  mapping("nodule", &F::nodule, nodule_table(), "A ball of other strength."),
                  expression_field(),
              },
          .check = [](F&, const Value& v, const std::string& path, Context&) {
            if (!one_of(v, path, {"uniform", "noise", "plane", "bands", "nodule", "expression"}))
              refuse(v.place, path, "one of uniform noise plane bands nodule expression", "none");
          }};
}

Table<lattice::StrengthOptions> strength_table()
{
  using S = lattice::StrengthOptions;
  return {.fields =
              {
                  required(
                      number("stress", &S::stress, {"Pa", positive},
                             "Tensile strength of a bond over the area of its face, between elements of mean volume.")),
                  number("volume_exponent", &S::volume_exponent, {"-", {.min = 0, .max = 4}},
                         "Strength also goes with this power of the two elements' mean volume."),
                  number("compression", &S::compression, {"-", positive}, "Times as strong in compression."),
                  list("factors", &S::factors, factor_table(),
                       "Functions of the place in the material; strength is multiplied by all of them."),
              },
          .check = [](S& s, const Value& v, const std::string& path, Context&) {
            s.key = fmt::format("{}: {}", v.place.text(), path);
          }};
}

/// Points of a curve, the first at 0 and the last at 1.
Table<CurvePoint> curve_table(const char* key, const Range& range, const char* text)
{
  return {.fields = {required(number("at", &CurvePoint::at, {"-", share}, "Ascending, the first 0, the last 1.")),
                     required(number(key, &CurvePoint::value, {"-", range}, text))}};
}

void check_curve(const std::vector<CurvePoint>& curve, const Value* list, const std::string& path)
{
  if (!list) return;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    const Value& at = *list->items[k].find("at");
    const std::string item = fmt::format("{}.{}.at", path, k);
    if (k == 0 && curve[k].at != 0) refuse(at.place, item, "0 at the first point", inline_text(at));
    if (k > 0 && curve[k].at <= curve[k - 1].at)
      refuse(at.place, item, "more than at the point before", inline_text(at));
    if (k + 1 == curve.size() && curve[k].at != 1) refuse(at.place, item, "1 at the last point", inline_text(at));
  }
  if (curve.empty()) refuse(list->place, path, "at least one point", "none");
}

Table<lattice::Impact> impact_table()
{
  using I = lattice::Impact;
  const NumberRule any_depth{"m", positive, "any", unlimited};
  return {.fields =
              {
                  required(words("name", &I::name, read_name, "Its name in messages and key paths.")),
                  required(vector("at", &I::at, "m", "In the world at the start.")),
                  number("radius", &I::radius, {"m", not_negative},
                         "Of the ball of elements that take the force, each its share by mass; 0: the nearest element "
                         "takes all, which has to be within two of its edges."),
                  number("depth", &I::depth, any_depth,
                         "Only elements so close to the plane through `at` across the force take it: a patch."),
                  left_out_if_default("none", vector("force", &I::force, "N", "When the schedule is 1.")),
                  left_out_if_default("none",
                                      vector("momentum", &I::momentum, "N s",
                                             "Instead of the force: what the whole impact gives; of a fall, mass times "
                                             "speed.")),
              },
          .check = [](I& impact, const Value& v, const std::string& path, Context&) {
            impact.key = fmt::format("{}: {}", v.place.text(), path);
            if (!one_of(v, path, {"force", "momentum"})) refuse(v.place, path, "one of force momentum", "none");
            for (const char* key : {"force", "momentum"})
              if (v.find(key) && impact.force == Vec3::Zero() && impact.momentum == Vec3::Zero())
                refuse(*v.find(key), key_path(path, key), fmt::format("a {} that is not zero", key));
          }};
}

/// A schedule that is 0 in the middle of each step gives no momentum, whatever the force.
void check_momenta(const lattice::Options& options, const Value& value, const std::string& path)
{
  const Value* const schedule = value.find("schedule");
  for (const lattice::Impact& impact : options.impacts)
    if (impact.momentum != Vec3::Zero() && options.duration > 0 && !lattice::force_of(impact, options).allFinite())
      refuse(schedule ? schedule->place : value.place, key_path(path, "schedule"),
             fmt::format("a value > 0 in the middle of a step, to give the momentum of {}", impact.name), "0 in all");
}

Table<lattice::SolveOptions> solve_table()
{
  using S = lattice::SolveOptions;
  return {
      .fields = {
          number("tolerance", &S::tolerance, {"-", {.min = 1e-13, .max = 1e-3}},
                 "Relative acceleration left at bonds, as a share of those that the loads give their elements."),
          integer("max_iterations", &S::max_iterations, {.min = 1}, "Of conjugate gradients, before the run fails."),
      }};
}

Table<lattice::CrumbOptions> crumb_table()
{
  using C = lattice::CrumbOptions;
  return {
      .fields = {
          number("volume", &C::volume, {"-", positive, "any", unlimited},
                 "Fragments of one element of less volume than this many mean elements are crumbs."),
          choice("become", &C::become,
                 {{"bodies", C::Become::bodies}, {"particles", C::Become::particles}, {"nothing", C::Become::nothing}},
                 "Rigid bodies like all other fragments; points that fly and that obstacles alone touch; or "
                 "nothing: they are taken out."),
      }};
}

Table<lattice::Options> lattice_table()
{
  using L = lattice::Options;
  return {
      .fields =
          {
              left_out_if_default("required with solver lattice",
                                  number("duration", &L::duration, {"s", not_negative}, "Of the impacts, from 0.")),
              integer("steps", &L::steps, {.min = 1, .max = 100000}, "That it is divided into, each with one solve."),
              with_default_text(
                  "up from 0 to 1 at 0.5, and down to 0",
                  list("schedule", &L::schedule, curve_table("value", not_negative, "Share of the impacts' forces."),
                       "The forces over the duration, linear between points; a step has the value at its middle.")),
              list("impacts", &L::impacts, impact_table(), "Forces on parts of bodies, all by the schedule."),
              mapping("strength", &L::strength, strength_table(), "How strong bonds are."),
              choice("crack_growth", &L::crack_growth,
                     {{"none", "none"}, {"moderate", "moderate"}, {"major", "major"}, {"table", "table"}},
                     "How bonds beside one that has just broken are weakened: not; by up to a half; by up to a "
                     "thousandth; by growth_table."),
              left_out_if_default("none", list("growth_table", &L::growth_table,
                                               curve_table("factor", above_zero, "What the strength is multiplied by."),
                                               "Over the angle between the two bonds, as a share of a right angle.")),
              number("prestress", &L::prestress, {"m/s^2", any_number},
                     "Acceleration with which bonds would push their elements apart; below 0: pull together."),
              mapping("solve", &L::solve, solve_table(), "How the forces of bonds are found."),
              mapping("crumbs", &L::crumbs, crumb_table(),
                      "What becomes of fragments of a single small element when the impact is over."),
          },
      .check = [](L& l, const Value& v, const std::string& path, Context&) {
        check_curve(l.schedule, v.find("schedule"), key_path(path, "schedule"));
        check_momenta(l, v, path);
        check_curve(l.growth_table, v.find("growth_table"), key_path(path, "growth_table"));
        if ((l.crack_growth == "table") == l.growth_table.empty())
          refuse(v.place, key_path(path, "growth_table"),
                 l.growth_table.empty() ? "points with crack_growth: table" : "none without crack_growth: table",
                 l.growth_table.empty() ? "none" : fmt::format("{}", l.growth_table.size()));
        check_names_once(v.find("impacts"), key_path(path, "impacts"));
      }};
}

}  // namespace

Field<Scene> lattice_field()
{
  auto field = mapping("lattice", &Scene::lattice, lattice_table(), "An impact on rigid bonds, with solver lattice.");
  field.write = [write = field.write](const Scene& s, const Context& c) -> std::optional<Value> {
    return s.solver.method == Method::lattice ? write(s, c) : std::nullopt;
  };
  return field;
}

void check_lattice(const Scene& scene, const Value& root)
{
  const Value* const section = root.find("lattice");
  if (scene.solver.method != Method::lattice) {
    if (section) refuse(section->place, "lattice", "none without solver: lattice", "some");
    return;
  }
  if (!section) refuse(root.place, "lattice", "a section with solver: lattice", "none");
  if (scene.lattice.impacts.empty() && scene.lattice.prestress == 0)
    refuse(section->place, "lattice.impacts", "at least one impact, or a prestress", "none");
  if (!section->find("strength"))
    refuse(section->place, "lattice.strength", "a mapping with the key stress", "nothing");
  if (scene.lattice.duration == 0) {
    const Value* const given = section->find("duration");
    refuse(given ? given->place : section->place, "lattice.duration", "a number > 0 [s]", given ? "0" : "nothing");
  }
  if (scene.lattice.duration > scene.time.end)
    refuse(section->find("duration")->place, "lattice.duration", fmt::format("at most time.end = {} s", scene.time.end),
           fmt::format("{}", scene.lattice.duration));
  for (const char* key : {"boundary", "loads"})
    if (const Value* const list = root.find(key); list && !list->items.empty())
      refuse(list->place, key, "none with solver lattice, where impacts alone act on the bodies",
             fmt::format("{}", list->items.size()));
}

}  // namespace sunder::config
