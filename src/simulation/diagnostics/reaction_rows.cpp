#include "simulation/diagnostics/reaction_rows.hpp"

#include <Eigen/Geometry>

#include <bit>

namespace sunder::simulation {
namespace {

Vec3 displacement_of(const element::Model& model, LocalIndex n)
{
  return model.p[static_cast<std::size_t>(n)].xyz() - model.mesh.node(n).X;
}

/// Calls visit(k) for each bit below `count` that is set.
template <class Visit>
void each_bit(std::uint64_t bits, std::size_t count, Visit&& visit)
{
  for (; bits != 0; bits &= bits - 1)
    if (const auto k = static_cast<std::size_t>(std::countr_zero(bits)); k < count) visit(k);
}

}  // namespace

ReactionSums::ReactionSums(const State& state)
  : reactions_(state.reactions), boundary_(reactions_.boundary.size()), loads_(reactions_.loads.size())
{
  const element::Model& model = state.model;
  const mesh::TetMesh& mesh = model.mesh;
  if (!boundary_.empty())
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
      if (mesh.owned(n))
        each_bit(mesh.node(n).marks, boundary_.size(), [&](std::size_t k) {
          boundary_[k].displacement += displacement_of(model, n), boundary_[k].weight += 1;
        });
  if (loads_.empty()) return;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    for (std::size_t face = 0; face < 4; ++face)
      each_bit(mesh.face_marks(e)[face], loads_.size(), [&](std::size_t k) {
        const auto X = mesh.corners(e);
        const auto& [a, b, c] = mesh::face_corners[face];
        const double third = (X[b] - X[a]).cross(X[c] - X[a]).norm() / 6;
        for (const std::size_t corner : mesh::face_corners[face])
          if (const LocalIndex n = mesh.tet(e)[corner]; mesh.owned(n))
            loads_[k].displacement += third * displacement_of(model, n), loads_[k].weight += third;
      });
}

void ReactionSums::join(Reduction& all)
{
  reactions_.join(all);
  for (auto* means : {&boundary_, &loads_})
    for (Mean& mean : *means) all.sum(mean.displacement, mean.weight);
}

std::vector<ReactionRow> ReactionSums::rows(const State& state) const
{
  const double seconds = state.time - reactions_.since;
  std::vector<ReactionRow> rows;
  const auto add = [&](const Impulse& impulse, const Vec3& displacement) {
    ReactionRow& row = rows.emplace_back();
    row.displacement = displacement;
    if (seconds > 0) row.force = impulse.linear / seconds, row.moment = impulse.angular / seconds;
  };
  const auto mean_of = [](const Mean& sum) {
    return sum.weight > 0 ? Vec3(sum.displacement / sum.weight) : Vec3(Vec3::Zero());
  };
  for (std::size_t k = 0; k < boundary_.size(); ++k) add(reactions_.boundary[k], mean_of(boundary_[k]));
  for (std::size_t k = 0; k < loads_.size(); ++k) add(reactions_.loads[k], mean_of(loads_[k]));
  for (std::size_t k = 0; k < state.obstacles.size(); ++k)
    add(reactions_.obstacles[k], state.obstacle_motions[k].position - rigid::motion_at(state.obstacles[k], 0).position);
  return rows;
}

std::vector<std::string> reaction_names(const config::Scene& scene)
{
  std::vector<std::string> names;
  for (const auto& condition : scene.boundary) names.push_back("boundary." + condition.name);
  for (const auto& load : scene.loads) names.push_back("loads." + load.name);
  for (const auto& obstacle : scene.obstacles) names.push_back("obstacles." + obstacle.name);
  return names;
}

std::vector<std::string> reaction_columns(const std::vector<std::string>& names)
{
  std::vector<std::string> columns;
  for (const std::string& name : names)
    for (const char* column : {"fx", "fy", "fz", "mx", "my", "mz", "ux", "uy", "uz"})
      columns.push_back(name + '.' + column);
  return columns;
}

std::vector<double> reaction_numbers(const std::vector<ReactionRow>& rows)
{
  std::vector<double> numbers;
  for (const ReactionRow& row : rows)
    for (const Vec3* v : {&row.force, &row.moment, &row.displacement})
      numbers.insert(numbers.end(), v->data(), v->data() + 3);
  return numbers;
}

}  // namespace sunder::simulation
