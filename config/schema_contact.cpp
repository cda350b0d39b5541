#include "config/schema_contact.hpp"

#include "config/over_time.hpp"
#include "config/path_value.hpp"

#include <fmt/format.h>

namespace sunder::config {
namespace {

using contact::ContactCriterion;
using contact::Obstacle;
using contact::Response;
using RigidBody = rigid::Body;
using rigid::MotionKind;
using rigid::Shape;
using rigid::Waypoint;

Field<RigidBody> shape_field(Shape shape, Field<RigidBody> field)
{
  field.doc.fallback = "none";
  field.read = [shape, read = field.read](RigidBody& o, const Value& v, const std::string& path, Context& c) {
    o.shape = shape;
    read(o, v, path, c);
  };
  field.write = [shape, write = field.write](const RigidBody& o, const Context& c) {
    return o.shape == shape ? write(o, c) : std::nullopt;
  };
  return field;
}

Field<Response> friction_field()
{
  const NumberRule rule{"-", not_negative};
  const Table<Response> table{
      .fields = {required(number("static", &Response::friction_static, rule, "Below slip_speed.")),
                 required(number("dynamic", &Response::friction_dynamic, rule, "When sliding; at most static."))},
      .check = [](Response& r, const Value& v, const std::string& path, Context&) {
        if (r.friction_dynamic > r.friction_static)
          refuse(v.place, key_path(path, "dynamic"), fmt::format("at most static, {:g}", r.friction_static),
                 fmt::format("{:g}", r.friction_dynamic));
      }};
  auto field = group<Response>("friction", table, "Coulomb's coefficients; a bare number is both.");
  field.doc.type = "number", field.doc.word = "mapping", field.doc.unit = rule.unit,
  field.doc.range = rule.range.text();
  field.doc.fallback = inline_text(write_number(Response{}.friction_static, rule));
  field.read = [rule, read = field.read](Response& r, const Value& v, const std::string& path, Context& c) {
    if (v.is_mapping())
      read(r, v, path, c);
    else
      r.friction_static = r.friction_dynamic = read_number(v, path, rule);
  };
  return field;
}

/// Of anything that answers an overlap.
std::vector<Field<Response>> response_fields()
{
  return {
      number("stiffness", &Response::stiffness, {"N/m^3", not_negative, "auto", 0},
             "Force per volume of overlap; auto: from meshes and materials."),
      number("damping", &Response::damping, {"N s/m^4", not_negative},
             "Force per volume of overlap and speed of approach."),
      friction_field(),
      number("slip_speed", &Response::slip_speed, {"m/s", positive},
             "Below it static friction holds, linear in speed."),
  };
}

/// The scene is written without it for what has no orientation, and can be read again.
Field<RigidBody> orientation_field()
{
  auto field = rotation_field<RigidBody>("Turns a box about its centre, a mesh about the origin of its file.",
                                         "Right-handed, through that point.");
  field.write = [write = field.write](const RigidBody& o, const Context& c) {
    return o.shape == Shape::box || o.shape == Shape::mesh ? write(o, c) : std::nullopt;
  };
  return field;
}

void check_shape(const RigidBody& o, const Value& v, const std::string& path)
{
  std::vector<std::string> shapes;
  for (const char* shape : {"sphere", "box", "half_space", "cylinder", "capsule", "mesh"})
    if (v.find(shape)) shapes.emplace_back(shape);
  if (shapes.size() != 1)
    refuse(v.place, path, "one of sphere, box, half_space, cylinder, capsule and mesh",
           shapes.empty() ? "none" : fmt::format("{}", fmt::join(shapes, " and ")));
  if (o.shape != Shape::box && o.shape != Shape::mesh && v.find("rotation"))
    refuse(*v.find("rotation"), key_path(path, "rotation"), "a box or a mesh beside it");
}

void check_body(RigidBody& o, const Value& v, const std::string& path, Context&)
{
  check_shape(o, v, path);
  const bool half_space = o.shape == Shape::half_space;
  if (half_space && o.motion == MotionKind::free)
    refuse(*v.find("motion"), key_path(path, "motion"), "fixed or path for a half_space");
  if (o.motion == MotionKind::free && o.mass == 0)
    refuse(v.place, key_path(path, "mass"), "a number > 0 [kg] with motion: free", "nothing");
  if (o.motion == MotionKind::fixed && o.velocity != Vec3::Zero())
    refuse(*v.find("velocity"), key_path(path, "velocity"), "motion: path or free beside it");
  if ((!o.path.empty() || o.circle) && o.velocity != Vec3::Zero())
    refuse(*v.find("velocity"), key_path(path, "velocity"), "none beside path, which says where it is");
  if (half_space && o.spin != Vec3::Zero())
    refuse(*v.find("spin"), key_path(path, "spin"), "another shape than half_space beside it");
  if (o.motion == MotionKind::fixed && o.spin != Vec3::Zero())
    refuse(*v.find("spin"), key_path(path, "spin"), "motion: path or free beside it");
  if (o.circle && o.spin != Vec3::Zero())
    refuse(*v.find("spin"), key_path(path, "spin"), "none beside a circle, which it turns with");
  if (o.motion != MotionKind::path && (!o.path.empty() || o.circle))
    refuse(*v.find("path"), key_path(path, "path"), "motion: path beside it");
  if (half_space && o.circle) refuse(*v.find("path"), key_path(path, "path"), "points in time for a half_space");
  if (!o.path.empty()) check_times(o.path, *v.find("path"), key_path(path, "path"));
}

Field<RigidBody> size_field()
{
  auto field = required(vector("size", &RigidBody::size, "m", "Lengths of its edges, along its own axes; above 0."));
  field.read = [read = field.read](RigidBody& o, const Value& v, const std::string& path, Context& c) {
    read(o, v, path, c);
    if (!(o.size.array() > 0).all()) refuse(v.place, path, "three numbers > 0 [m]", inline_text(v));
  };
  return field;
}

/// A cylinder or a capsule.
Table<RigidBody> round_bar(const char* length)
{
  return {.fields = {required(number("radius", &RigidBody::radius, {"m", positive}, "Its radius.")),
                     required(number("length", &RigidBody::length, {"m", positive}, length)),
                     direction("axis", &RigidBody::axis, "Along its length, at the start.")}};
}

Field<RigidBody> surface_file_field()
{
  return {{.key = "file",
           .type = "text",
           .fallback = "required",
           .text = "Closed surface (.stl, .obj, .ply), relative to the scene file, or a shipped one."},
          [](RigidBody& b, const Value& v, const std::string& path, Context& c) {
            b.file = existing_file(v, path, *c.files, Lookup::scene_then_shipped);
          },
          [](const RigidBody& b, const Context&) {
            return b.file.empty() ? std::nullopt : std::optional(make_scalar(b.file, true));
          }};
}

/// Points in time, or a circle.
Field<RigidBody> path_field()
{
  const Table<Waypoint> waypoints{
      .fields = {
          required(number("time", &Waypoint::time, {"s", not_negative}, "When it is there.")),
          required(vector("position", &Waypoint::position, "m", "Where it is then.")),
      }};
  const Table<rigid::Circle> circle{
      .fields = {required(vector("center", &rigid::Circle::center, "m", "A point of its axis.")),
                 direction("axis", &rigid::Circle::axis, "Its axis, right-handed."),
                 required(number("rate", &rigid::Circle::rate, {"rad/s", any_number}, "Angular velocity."))}};
  auto round = mapping("circle", &RigidBody::circle, circle, "Around an axis for good, from position.");
  const Table<RigidBody> mappings{.fields = {required(std::move(round))}};
  auto field = list("path", &RigidBody::path, waypoints,
                    "Points in time; linear between them, at rest before and after. Or a circle.");
  field.doc.word = "mapping", field.doc.instead = docs_of(mappings);
  field.read = [mappings, read = field.read](RigidBody& o, const Value& v, const std::string& path, Context& c) {
    v.is_mapping() ? read_mapping(o, v, path, mappings, c) : read(o, v, path, c);
  };
  field.write = [mappings, write = field.write](const RigidBody& o, const Context& c) {
    return o.circle ? write_mapping(o, mappings, c) : write(o, c);
  };
  return field;
}

Table<RigidBody> obstacle_body_table()
{
  const Table<RigidBody> sphere{
      .fields = {required(number("radius", &RigidBody::radius, {"m", positive}, "Its radius."))}};
  const Table<RigidBody> box{.fields = {size_field()}};
  const Table<RigidBody> half_space{
      .fields = {direction("normal", &RigidBody::normal, "Out of the solid side; made a unit vector.")}};
  const Table<RigidBody> mesh{.fields = {surface_file_field(), number("scale", &RigidBody::scale, {"-", positive},
                                                                      "Multiplies its coordinates, first of all.")}};
  return {
      .fields =
          {
              required(words("name", &RigidBody::name, read_name, "Its name in messages and key paths.")),
              shape_field(Shape::sphere, group<RigidBody>("sphere", sphere, "A solid ball. This or another shape.")),
              shape_field(Shape::box, group<RigidBody>("box", box, "A solid box about its position.")),
              shape_field(Shape::half_space, group<RigidBody>("half_space", half_space, "All that is behind a plane.")),
              shape_field(Shape::cylinder, group<RigidBody>("cylinder", round_bar("From one end to the other."),
                                                            "A solid cylinder about its position, such as a roller.")),
              shape_field(Shape::capsule,
                          group<RigidBody>("capsule", round_bar("Between the centres of the hemispheres at its ends."),
                                           "A solid cylinder with hemispheres at its ends, about its position.")),
              shape_field(Shape::mesh,
                          group<RigidBody>("mesh", mesh, "The solid within a closed surface of triangles.")),
              choice("motion", &RigidBody::motion,
                     {{"fixed", MotionKind::fixed}, {"path", MotionKind::path}, {"free", MotionKind::free}},
                     "Stands still, follows path (or velocity), or flies freely with its mass."),
              vector("position", &RigidBody::position, "m",
                     "At the start: its centre, a point of the plane, or where the origin of the mesh's file is."),
              orientation_field(),
              vector("velocity", &RigidBody::velocity, "m/s",
                     "At the start if free; for good on a path without points."),
              vector("spin", &RigidBody::spin, "rad/s",
                     "Angular velocity about its centre (of mass): at the start if free; for good on a path."),
              left_out_if_default("required if free", number("mass", &RigidBody::mass, {"kg", positive},
                                                             "Of a free obstacle, of uniform density.")),
              path_field(),
          },
      .check = check_body};
}

/// Unlike obstacles', automatic.
Field<CollisionOptions> damping_of_pairs()
{
  return with_default(
      within(&CollisionOptions::response,
             number("damping", &Response::damping, {"N s/m^4", not_negative, "auto", -1},
                    "Force per volume of overlap and speed of approach; auto: a fifth of the stiffness, times s/m.")));
}

}  // namespace

Table<contact::Obstacle> obstacle_table()
{
  Table<rigid::Body> body = obstacle_body_table();
  Table<contact::Obstacle> table;
  for (Field<rigid::Body>& field : body.fields)
    table.fields.push_back({std::move(field.doc), std::move(field.read), std::move(field.write)});
  for (auto& field : response_fields()) table.fields.push_back(within(&contact::Obstacle::response, std::move(field)));
  table.check = std::move(body.check);
  return table;
}

Table<CollisionOptions> collision_table()
{
  Table<CollisionOptions> table{
      .fields = {flag("enabled", &CollisionOptions::enabled, "false: bodies and fragments pass through each other."),
                 choice("criterion", &CollisionOptions::criterion,
                        {{"overlap", ContactCriterion::overlap}, {"nodes", ContactCriterion::nodes}},
                        "What pushes apart, obstacles too: the volume shared, or nodes inside an element (P99)."),
                 choice("resolve", &CollisionOptions::resolve,
                        {{"error", "error"}, {"push", "push"}, {"initial_overlap", "initial_overlap"}},
                        "Bodies that overlap at the start are an error, or the later one in the list is moved out of "
                        "the earlier, or the initial overlap they have exerts no force.",
                        {{"forgive", "initial_overlap"}})}};
  for (auto& field : response_fields())
    table.fields.push_back(field.doc.key == "damping" ? damping_of_pairs()
                                                      : within(&CollisionOptions::response, std::move(field)));
  return table;
}

}  // namespace sunder::config
