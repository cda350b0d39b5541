#include "simulation/diagnostics/section_rows.hpp"

#include "element/stress.hpp"
#include "simulation/sections.hpp"

#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace sunder::simulation {
namespace {

/// Where the plane meets the edges of an element, around its polygon: in the material and now.
struct Corner {
  Vec3 X, p;
};
std::vector<Corner> polygon(const SectionCut& cut, const std::array<Vec3, 4>& X, const Mat34& p)
{
  std::array<std::size_t, 4> order{};  // corners below first
  std::size_t below = 0, above = 3;
  for (std::size_t a = 0; a < 4; ++a) order[cut.distance[a] < 0 ? below++ : above--] = a;
  const auto on_edge = [&](std::size_t i, std::size_t j) -> Corner {
    const double t = cut.distance[i] / (cut.distance[i] - cut.distance[j]);
    const Vec3 pi = p.col(static_cast<Eigen::Index>(i)), pj = p.col(static_cast<Eigen::Index>(j));
    return {X[i] + t * (X[j] - X[i]), pi + t * (pj - pi)};
  };
  const auto [a, b, c, d] = order;
  if (cut.below == 1) return {on_edge(a, b), on_edge(a, c), on_edge(a, d)};
  if (cut.below == 3) return {on_edge(a, d), on_edge(b, d), on_edge(c, d)};
  return {on_edge(a, c), on_edge(a, d), on_edge(b, d), on_edge(b, c)};
}

}  // namespace

SectionSums::SectionSums(const std::vector<config::Section>& sections, const element::Model& model)
  : sums_(sections.size())
{
  for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k].point = sections[k].point;
  if (sums_.empty()) return;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const auto X = model.mesh.corners(e);
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      const SectionCut cut = section_cut(sections[k], X);
      if (!cut.cuts) continue;
      Sum& sum = sums_[k];
      const Mat34 p = model.positions(e), gradients = model.blocks.gradients(e);
      const Mat3 F = element::deformation(gradients, p, model.velocities(e)).F;
      const Mat34 f = element::corner_forces(model.blocks.volume(e), F, element::element_stress(model, e), gradients);
      for (std::size_t a = 0; a < 4; ++a) {
        if (!(cut.distance[a] < 0)) continue;
        const auto i = static_cast<Eigen::Index>(a);
        sum.force += f.col(i), sum.moment += Vec3(p.col(i) - sum.point).cross(Vec3(f.col(i)));
      }
      const std::vector<Corner> around = polygon(cut, X, p);
      for (std::size_t i = 2; i < around.size(); ++i) {
        const double area = (around[i - 1].X - around[0].X).cross(around[i].X - around[0].X).norm() / 2;
        sum.area += area;
        sum.centroid += area * ((around[0].p + around[i - 1].p + around[i].p) / 3 - sum.point);
      }
    }
  }
}

void SectionSums::join(Reduction& all)
{
  for (Sum& sum : sums_) all.sum(sum.force, sum.moment, sum.centroid, sum.area);
}

std::vector<SectionRow> SectionSums::rows() const
{
  std::vector<SectionRow> rows;
  for (const Sum& sum : sums_) {
    const Vec3 arm = sum.area > 0 ? Vec3(sum.centroid / sum.area) : Vec3(Vec3::Zero());
    rows.push_back({sum.force, sum.moment - arm.cross(sum.force), sum.point + arm, sum.area});
  }
  return rows;
}

std::vector<std::string> section_columns(const std::vector<config::Section>& sections)
{
  std::vector<std::string> columns;
  for (const config::Section& section : sections)
    for (const char* column : {"fx", "fy", "fz", "mx", "my", "mz", "x", "y", "z", "area"})
      columns.push_back(section.name + '.' + column);
  return columns;
}

std::vector<double> section_numbers(const std::vector<SectionRow>& rows)
{
  std::vector<double> numbers;
  for (const SectionRow& row : rows) {
    for (const Vec3* v : {&row.force, &row.moment, &row.centroid})
      numbers.insert(numbers.end(), v->data(), v->data() + 3);
    numbers.push_back(row.area);
  }
  return numbers;
}

}  // namespace sunder::simulation
