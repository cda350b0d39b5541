#include "config/schema_boundary.hpp"

#include "config/over_time.hpp"

#include <fmt/format.h>

namespace sunder::config {
namespace {

Table<Selection> selection_table()
{
  using Box = Selection::Box;
  using Ball = Selection::Ball;
  using Cylinder = Selection::Cylinder;
  using Side = Selection::Side;
  const Table<Box> box{
      .fields = {required(vector("min", &Box::min, "m", "Its corner with the smallest coordinates.")),
                 required(vector("max", &Box::max, "m", "Its corner with the greatest; above min on each axis."))},
      .check = [](Box& b, const Value& v, const std::string& path, Context&) {
        if (!(b.min.array() < b.max.array()).all()) refuse(v.place, path, "min below max on each axis", inline_text(v));
      }};
  const Table<Ball> ball{.fields = {required(vector("center", &Ball::center, "m", "Its centre.")),
                                    required(number("radius", &Ball::radius, {"m", positive}, "Its radius."))}};
  const Table<Cylinder> cylinder{
      .fields = {required(vector("point", &Cylinder::point, "m", "A point of its axis.")),
                 direction("axis", &Cylinder::axis, "Direction of its axis; it has no ends."),
                 required(number("radius", &Cylinder::radius, {"m", positive}, "Its radius."))}};
  const Table<Side> side{.fields = {required(vector("point", &Side::point, "m", "A point of the plane.")),
                                    required(direction("normal", &Side::normal, "Points to the side that is meant."))}};
  return {.fields =
              {
                  words("body", &Selection::body, read_word, "Only of this body."),
                  words("set", &Selection::set, read_word, "Only of this node or face set of the mesh."),
                  mapping("box", &Selection::box, box, "Only in this box."),
                  mapping("sphere", &Selection::sphere, ball, "Only in this ball."),
                  mapping("cylinder", &Selection::cylinder, cylinder, "Only in this cylinder."),
                  mapping("side", &Selection::side, side,
                          "Only nodes all of whose elements lie, by their centroids, on this side of a plane; of a "
                          "load, faces whose element does. Tells the two lips of a slit apart."),
              },
          .check = [](Selection& s, const Value& v, const std::string& path, Context&) {
            s.key = message_key(v, path);
            if (v.items.empty()) refuse(v.place, path, "at least one of body set box sphere cylinder side", "none");
          }};
}

Field<BoundaryCondition> axes_field()
{
  return {{.key = "axes",
           .type = "text",
           .range = "letters of xyz",
           .fallback = "xyz",
           .text = "Components of the motion that are prescribed; the others stay free."},
          [](BoundaryCondition& b, const Value& v, const std::string& path, Context&) {
            std::array<bool, 3> axes{};
            bool right = v.is_scalar() && !v.text.empty();
            for (const char c : right ? v.text : std::string{}) {
              const bool known = c >= 'x' && c <= 'z' && !axes[static_cast<std::size_t>(c - 'x')];
              right = right && known;
              if (known) axes[static_cast<std::size_t>(c - 'x')] = true;
            }
            if (!right) refuse(v, path, "some of the letters xyz, each once");
            b.axes = axes;
          },
          [](const BoundaryCondition& b, const Context&) {
            std::string axes;
            for (std::size_t k = 0; k < 3; ++k)
              if (b.axes[k]) axes += static_cast<char>('x' + static_cast<int>(k));
            return make_scalar(axes);
          }};
}

bool is_zero(double x)
{
  return x == 0;
}
bool is_zero(const Vec3& x)
{
  return x == Vec3::Zero();
}

/// Points of something that is counted from the start: nothing at the first.
template <class Point>
void check_begins_at_zero(const std::vector<Point>& points, const Value& mapping, const char* key,
                          const std::string& path)
{
  if (points.empty()) return;
  const Value& list = *mapping.find(key);
  check_times(points, list, key_path(path, key));
  const Value& first = *list.items.front().find(key);
  if (!is_zero(points.front().value))
    refuse(first.place, fmt::format("{}.{}.0.{}", path, key, key), "zero at the first point", inline_text(first));
}

Table<Rotation> rotation_table()
{
  return {.fields =
              {
                  direction("axis", &Rotation::axis, "Right-handed."),
                  vector("center", &Rotation::center, "m", "A point of the axis at the start."),
                  over_time("rate", &Rotation::rate, "rad/s",
                            "For good, or at points in time, as velocity. This or angle."),
                  left_out_if_default("none", list("angle", &Rotation::angle, points_table<NumberPoint>("angle", "rad"),
                                                   "Since the start; points as of displacement.")),
              },
          .check = [](Rotation& r, const Value& v, const std::string& path, Context&) {
            if (r.rate.empty() == r.angle.empty())
              refuse(v.place, path, "either rate or angle", r.rate.empty() ? "neither" : "both");
            check_begins_at_zero(r.angle, v, "angle", path);
          }};
}

Field<BoundaryCondition> fixed_field()
{
  return {
      {.key = "fixed", .type = "true or false", .fallback = "false", .text = "true is short for velocity: [0, 0, 0]."},
      [](BoundaryCondition& b, const Value& v, const std::string& path, Context&) {
        if (!read_flag(v, path)) return;
        if (!b.velocity.empty() || !b.displacement.empty() || b.rotation)
          refuse(v.place, path, "either a motion or fixed: true", "both");
        b.velocity = {VectorPoint{}};
      },
      [](const BoundaryCondition&, const Context&) { return std::nullopt; }};
}

Table<BoundaryCondition> boundary_table()
{
  using B = BoundaryCondition;
  return {.fields =
              {
                  required(words("name", &B::name, read_name, "Its name in messages and key paths.")),
                  required(mapping("where", &B::where, selection_table(),
                                   "Nodes for which all of these hold, in the world at the start.")),
                  axes_field(),
                  over_time("velocity", &B::velocity, "m/s",
                            "Velocity of the nodes: for good, or at points in time, linear between them and "
                            "constant outside."),
                  left_out_if_default(
                      "none", list("displacement", &B::displacement, points_table<VectorPoint>("displacement", "m"),
                                   "Instead of velocity: where the nodes are, from where they were at "
                                   "the start; linear between points, the first zero, at rest outside.")),
                  mapping("rotation", &B::rotation, rotation_table(),
                          "Turns the nodes as a rigid body, from where they were at the start; velocity or "
                          "displacement is added."),
                  fixed_field(),
                  left_out_if_default("never", number("until", &B::until, {"s", positive, "never", unlimited},
                                                      "The time at which the condition ends: from then on its nodes "
                                                      "are free. A step ends there.")),
              },
          .check = [](B& b, const Value& v, const std::string& path, Context&) {
            if (b.velocity.empty() && b.displacement.empty() && !b.rotation)
              refuse(v.place, path, "one of velocity displacement rotation fixed: true", "none");
            if (!b.velocity.empty() && !b.displacement.empty())
              refuse(v.place, path, "either velocity or displacement", "both");
            check_begins_at_zero(b.displacement, v, "displacement", path);
          }};
}

Table<Blast> blast_table()
{
  using F = Blast::Falloff;
  const Table<F> falloff{
      .fields = {required(number("distance", &F::distance, {"m", positive}, "Up to where the peak holds.")),
                 number("power", &F::power, {"-", positive}, "Beyond, the peak goes as (distance/r)^power.")}};
  return {.fields = {
              required(vector("origin", &Blast::origin, "m", "Where the front starts.")),
              required(number("speed", &Blast::speed, {"m/s", positive}, "Of the front.")),
              required(number("peak", &Blast::peak, {"Pa", positive}, "Greatest pressure.")),
              number("rise", &Blast::rise, {"s", not_negative}, "From the front's arrival to the peak."),
              required(number("decay", &Blast::decay, {"s", positive},
                              "From the peak to zero; suction follows, and fades.")),
              number("shape", &Blast::shape, {"-", positive}, "b in peak (1 - t/decay) exp(-b t/decay)."),
              number("start", &Blast::start, {"s", not_negative}, "When the front leaves the origin."),
              mapping("falloff", &Blast::falloff, falloff, "How the peak falls with the distance from the origin."),
          }};
}

Table<Load> load_table()
{
  return {.fields =
              {
                  required(words("name", &Load::name, read_name, "Its name in messages and key paths.")),
                  required(mapping("where", &Load::where, selection_table(),
                                   "Faces of the surface at the start whose three nodes are selected.")),
                  over_time("traction", &Load::traction, "Pa",
                            "Force per area of the undeformed surface; keeps its direction. For good, or at points in "
                            "time, linear between them and constant outside."),
                  over_time("pressure", &Load::pressure, "Pa",
                            "On the surface as it moves, inward; over time as traction."),
                  mapping("blast", &Load::blast, blast_table(), "A travelling front, pressure behind it."),
              },
          .check = [](Load&, const Value& v, const std::string& path, Context&) {
            if (!one_of(v, path, {"traction", "pressure", "blast"}))
              refuse(v.place, path, "one of traction pressure blast", "none");
          }};
}

}  // namespace

Field<Scene> boundary_field()
{
  return list("boundary", &Scene::boundary, boundary_table(), "Nodes with a given motion.");
}

Field<Scene> loads_field()
{
  return list("loads", &Scene::loads, load_table(), "Forces on the surface that bodies have at the start.");
}

}  // namespace sunder::config
