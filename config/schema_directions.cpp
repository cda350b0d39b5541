#include "config/schema_directions.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sunder::config {
namespace {

struct OrientationInput {
  std::optional<Vec3> axis, x, y;
  std::optional<double> angle;
  std::optional<Mat3> matrix;
};

Field<OrientationInput> direction_key(const char* key, std::optional<Vec3> OrientationInput::*member, const char* text)
{
  return {{.key = key, .type = "[x, y, z]", .unit = "-", .range = "not zero", .fallback = "none", .text = text},
          [=](OrientationInput& in, const Value& v, const std::string& path, Context&) {
            in.*member = read_direction(v, path);
          },
          [](const OrientationInput&, const Context&) { return std::nullopt; }};
}

Mat3 read_matrix(const Value& value, const std::string& path)
{
  if (!value.is_list() || value.items.size() != 3) refuse(value, path, "three rows of three numbers");
  Mat3 M;
  for (int i = 0; i < 3; ++i) {
    const auto row = static_cast<std::size_t>(i);
    M.row(i) = read_vector(value.items[row], fmt::format("{}.{}", path, row), "-").transpose();
  }
  return M;
}

/// The rotation nearest to one that was written with a few digits; one that is exact to round-off keeps its bits.
Mat3 polished(const Mat3& M)
{
  constexpr double round_off = 4e-15;
  if ((M.transpose() * M - Mat3::Identity()).cwiseAbs().maxCoeff() <= round_off) return M;
  return Eigen::Quaterniond(M).normalized().toRotationMatrix();
}

Table<OrientationInput> orientation_table()
{
  return {.fields = {
              direction_key("axis", &OrientationInput::axis, "Turned about this axis, right-handed, by `angle`."),
              {{.key = "angle", .type = "number", .unit = "rad", .fallback = "none", .text = "With axis: by how much."},
               [](OrientationInput& in, const Value& v, const std::string& path, Context&) {
                 in.angle = read_number(v, path, {"rad", any_number});
               },
               [](const OrientationInput&, const Context&) { return std::nullopt; }},
              direction_key("x", &OrientationInput::x, "Or by two axes: where axis 1 points."),
              direction_key("y", &OrientationInput::y,
                            "With x: where axis 2 points, made perpendicular to x; axis 3 completes a right hand."),
              {{.key = "matrix",
                .type = "three rows of three numbers",
                .unit = "-",
                .fallback = "none",
                .text = "Or as a rotation matrix whose columns are axes 1, 2, 3."},
               [](OrientationInput& in, const Value& v, const std::string& path, Context&) {
                 in.matrix = read_matrix(v, path);
                 if (!material::is_rotation(*in.matrix))
                   refuse(v.place, path, "a rotation: columns of length 1, at right angles, right-handed",
                          inline_text(v));
               },
               [](const OrientationInput&, const Context&) { return std::nullopt; }},
          }};
}

NumberRule rule_of(const char* unit)
{
  return {unit, positive};
}

}  // namespace

KeyDoc orientation_doc(const char* text)
{
  return {.key = "orientation",
          .type = "mapping",
          .fallback = "the mesh's axes",
          .text = text,
          .keys = docs_of(orientation_table())};
}

Mat3 read_orientation(const Value& value, const std::string& path, Context& c)
{
  static const auto table = orientation_table();
  OrientationInput in;
  read_mapping(in, value, path, table, c);
  const bool by_angle = in.axis || in.angle, by_axes = in.x || in.y;
  const bool whole = (!by_angle || (in.axis && in.angle)) && (!by_axes || (in.x && in.y));
  if (!whole || by_angle + by_axes + in.matrix.has_value() != 1)
    refuse(value.place, path, "axis and angle, or x and y, or matrix", inline_text(value));
  if (in.matrix) return polished(*in.matrix);
  if (by_angle) return Eigen::AngleAxisd(*in.angle, *in.axis).toRotationMatrix();
  const Vec3 across = *in.y - in.x->dot(*in.y) * *in.x;
  if (across.norm() < 1e-6)
    refuse(value.find("y")->place, key_path(path, "y"), "a direction that is not x's", inline_text(*value.find("y")));
  Mat3 axes;
  axes.col(0) = *in.x, axes.col(1) = across.normalized(), axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

Value write_orientation(const Mat3& axes)
{
  Value rows = make_list();
  for (int i = 0; i < 3; ++i) rows.items.push_back(write_vector(axes.row(i).transpose()));
  Value mapping = make_mapping();
  mapping.add("matrix", std::move(rows));
  return mapping;
}

KeyDoc constants_doc(const char* key, const char* unit, const char* text)
{
  return {.key = key, .type = "six rows of numbers", .unit = unit, .fallback = "none", .text = text};
}

material::Mat6 read_constants(const Value& value, const std::string& path, const std::string& unit)
{
  const std::string expected = "six rows of six numbers, or of 6, 5, 4, 3, 2 and 1 from the diagonal on";
  if (!value.is_list() || value.items.size() != 6)
    refuse(value.place, path, expected,
           value.is_list() ? fmt::format("a list of {}", value.items.size()) : description(value));
  const bool triangle = value.items[5].is_list() && value.items[5].items.size() == 1;
  material::Mat6 C;
  for (int i = 0; i < 6; ++i) {
    const Value& row = value.items[static_cast<std::size_t>(i)];
    const std::string row_path = fmt::format("{}.{}", path, i);
    const int first = triangle ? i : 0;
    if (!row.is_list() || row.items.size() != static_cast<std::size_t>(6 - first))
      refuse(row.place, row_path, fmt::format("{} numbers ({})", 6 - first, expected),
             row.is_list() ? fmt::format("a list of {}", row.items.size()) : description(row));
    for (int j = first; j < 6; ++j) {
      const auto at = static_cast<std::size_t>(j - first);
      C(i, j) = read_number(row.items[at], fmt::format("{}.{}", row_path, at), {unit, any_number});
      if (triangle) C(j, i) = C(i, j);
    }
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(C(i, j) - C(j, i)) > 1e-9 * C.cwiseAbs().maxCoeff())
        refuse(value.items[static_cast<std::size_t>(i)].place, path, "a symmetric matrix",
               fmt::format("{:g} in row {}, column {} and {:g} across the diagonal", C(i, j), i + 1, j + 1, C(j, i)));
  return 0.5 * (C + C.transpose());
}

Value write_constants(const material::Mat6& C)
{
  Value rows = make_list();
  for (int i = 0; i < 6; ++i) {
    Value& row = rows.items.emplace_back(make_list());
    for (int j = 0; j < 6; ++j) row.items.push_back(write_number(C(i, j), {}));
  }
  return rows;
}

Table<material::Orthotropic> orthotropic_table()
{
  using O = material::Orthotropic;
  const NumberRule ratio{"-", any_number};
  return {.fields = {
              required(number("E1", &O::E1, rule_of("Pa"), "Young's modulus along axis 1.")),
              required(number("E2", &O::E2, rule_of("Pa"), "Along axis 2.")),
              required(number("E3", &O::E3, rule_of("Pa"), "Along axis 3.")),
              required(number("nu12", &O::nu12, ratio,
                              "Contraction along 2 per stretch along 1 of a bar pulled along 1; nu21 = nu12 E2 / E1.")),
              required(number("nu13", &O::nu13, ratio, "Contraction along 3 of a bar pulled along 1.")),
              required(number("nu23", &O::nu23, ratio, "Contraction along 3 of a bar pulled along 2.")),
              required(number("G12", &O::G12, rule_of("Pa"), "Shear modulus in the plane of axes 1 and 2.")),
              required(number("G13", &O::G13, rule_of("Pa"), "Of 1 and 3.")),
              required(number("G23", &O::G23, rule_of("Pa"), "Of 2 and 3.")),
          }};
}

Table<material::Orthotropic> transverse_table()
{
  using O = material::Orthotropic;
  const NumberRule ratio{"-", any_number};
  return {
      .fields = {required(number("E1", &O::E1, rule_of("Pa"), "Young's modulus along axis 1, the fibre.")),
                 required(number("E2", &O::E2, rule_of("Pa"), "Across it, in every direction.")),
                 required(number("nu12", &O::nu12, ratio, "Contraction across per stretch along the fibre.")),
                 required(number("nu23", &O::nu23, {"-", {.min = -1, .max = 1, .above_min = true, .below_max = true}},
                                 "Contraction across for a stretch across; G23 = E2 / (2 (1 + nu23)).")),
                 required(number("G12", &O::G12, rule_of("Pa"), "Shear modulus along the fibre."))},
      .check = [](O& m, const Value&, const std::string&, Context&) {
        m.E3 = m.E2, m.nu13 = m.nu12, m.G13 = m.G12, m.G23 = m.E2 / (2 * (1 + m.nu23));
      }};
}

void check_definite(const material::Mat6& C, const Place& place, const std::string& path, const char* unit,
                    bool may_be_zero)
{
  const auto values = material::eigenvalues(C);
  const double round_off = 1e-13 * std::abs(values[5]);
  if (may_be_zero ? values[0] >= -round_off : values[0] > round_off) return;
  refuse(place, path, may_be_zero ? "constants without a negative eigenvalue" : "constants that are positive definite",
         fmt::format("a least eigenvalue of {:.4g} {}", values[0], unit));
}

}  // namespace sunder::config
