#include "config/materials.hpp"

#include "config/files.hpp"
#include "config/library_text.hpp"
#include "config/schema_material_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder::config {
namespace {

std::string cell(double x)
{
  return std::isinf(x) ? "-" : fmt::format("{:g}", x);
}

std::string toughness_cell(const material::Material& m)
{
  constexpr const char* units[] = {"N", "Pa", "Pa m^0.5", "J/m^2"};  // of each ToughnessForm
  if (!m.breakable()) return "-";
  const std::string strength = cell(m.toughness) + " " + units[static_cast<std::size_t>(m.toughness_form)];
  return m.cohesion.energy > 0 ? strength + ", " + cell(m.cohesion.energy) + " J/m^2" : strength;
}

}  // namespace

const std::vector<material::Material>& material_library()
{
  static const auto library = [] {  // the file is read once a run
    const std::string path = data_directory() + "/materials.yaml";
    if (material_library_text().empty()) set_material_library(read_whole_file(path));
    return read_materials(parse_yaml(material_library_text(), path));
  }();
  return library;
}

std::string materials_text()
{
  constexpr std::size_t columns = 10;
  using Line = std::array<std::string, columns>;
  std::vector<Line> lines{{"name", "lambda", "mu", "phi", "psi", "density", "toughness", "residual", "k1", "k2"},
                          {"", "[Pa]", "[Pa]", "[Pa s]", "[Pa s]", "[kg/m^3]", "", "[-]", "[-]", "[-]"}};
  for (const auto& m : material_library()) {
    const auto isotropic = [&m](double x) { return m.anisotropy ? "-" : cell(x); };
    lines.push_back({m.name, isotropic(m.lambda), isotropic(m.mu), isotropic(m.phi), isotropic(m.psi), cell(m.density),
                     toughness_cell(m), cell(m.residual), cell(m.k1), cell(m.k2)});
  }
  Line::size_type column = 0;
  std::array<std::size_t, columns> width{};
  for (; column < columns; ++column)
    for (const Line& line : lines) width[column] = std::max(width[column], line[column].size());
  std::string out;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    out += fmt::format("{:<{}}", lines[row][0], width[0]);
    for (column = 1; column < columns; ++column) out += fmt::format("  {:>{}}", lines[row][column], width[column]);
    out += "  " + (row == 0 ? "source" : row == 1 ? "" : material_library()[row - 2].source);
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  }
  return out +
         "- : none; without a toughness a material does not break, without k1 it does not flow, without lambda its "
         "elasticity has directions.\n";
}

}  // namespace sunder::config
