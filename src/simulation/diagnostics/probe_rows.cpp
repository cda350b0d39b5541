#include "simulation/diagnostics/probe_rows.hpp"

#include "core/error.hpp"
#include "simulation/diagnostics/field_values.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace sunder::simulation {
namespace {

using Column = std::vector<double>;

const std::vector<std::string>& suffixes_of(const std::string& field)
{
  static const std::map<std::string, std::vector<std::string>> all{
      {"Displacement", {"ux", "uy", "uz"}},
      {"Velocity", {"vx", "vy", "vz"}},
      {"Speed", {"speed"}},
      {"Damage", {"damage"}},
      {"Stress", {"sxx", "syy", "szz", "sxy", "syz", "sxz"}},
      {"VonMisesStress", {"von_mises"}},
      {"MaxPrincipalStress", {"max_principal_stress"}},
      {"MaxPrincipalStrain", {"max_principal_strain"}},
      {"PlasticStrain", {"plastic_strain"}}};
  return all.at(field);
}

const ElementField* element_field(const std::string& name)
{
  const auto fields = element_fields();
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const ElementField& f) { return f.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

/// One probe, as far as this rank knows of it.
class Reading {
public:
  Reading(const config::Probe& probe, const element::MaterialPoint& point, const element::Model& model,
          std::optional<fracture::SplitForces>& forces, element::SeparationCriterion criterion)
    : model_(model), forces_(forces), criterion_(criterion)
  {
    const mesh::TetMesh& mesh = model.mesh;
    if (probe.node) {
      const auto n = mesh.find(static_cast<std::uint64_t>(*probe.node));
      if (!n || !mesh.owned(*n)) return;
      nodes_ = {*n}, shares_ = {1}, mine_ = true;
      elements_.assign(mesh.star(*n).begin(), mesh.star(*n).end());
      return;
    }
    if (point.slot < 0) return;
    SUNDER_ASSERT(mesh.element_id(point.slot) == point.element);
    const auto shares = element::barycentric(mesh.corners(point.slot), point.X);
    nodes_.assign(mesh.tet(point.slot).begin(), mesh.tet(point.slot).end());
    shares_.assign(shares.begin(), shares.end());
    elements_ = {point.slot}, mine_ = mesh.primary(point.slot);
  }

  bool mine() const noexcept { return mine_; }  // this rank has all numbers but damage

  Column values(const std::string& field) const
  {
    if (const ElementField* of_elements = element_field(field)) return mean_of_elements(*of_elements);
    const Vec3 v =
        field == "Displacement"
            ? at_place([this](LocalIndex n) -> Vec3 { return model_.p[at(n)].xyz() - model_.mesh.node(n).X; })
            : at_place([this](LocalIndex n) { return model_.v[at(n)].xyz(); });
    return field == "Speed" ? Column{v.norm()} : Column{v.x(), v.y(), v.z()};
  }

  /// Share of corner a; of a corner of another rank 0.
  double damage(std::size_t a) const
  {
    if (a >= nodes_.size() || !model_.mesh.owned(nodes_[a])) return 0;
    if (!forces_) forces_.emplace(model_);
    return shares_[a] * damage_of(model_, *forces_, nodes_[a], criterion_);
  }

private:
  static std::size_t at(LocalIndex i) { return static_cast<std::size_t>(i); }

  template <class VectorOf>
  Vec3 at_place(VectorOf&& vector_of) const
  {
    Vec3 sum = Vec3::Zero();
    for (std::size_t a = 0; a < nodes_.size(); ++a) sum += shares_[a] * vector_of(nodes_[a]);
    return sum;
  }

  /// Weighted by volume at rest.
  Column mean_of_elements(const ElementField& field) const
  {
    Column sum(static_cast<std::size_t>(field.components), 0), of_one;
    double volume = 0;
    for (const LocalIndex e : elements_) {
      of_one.clear();
      field.append(view_of(model_, e), of_one);
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += model_.blocks.volume(e) * of_one[k];
      volume += model_.blocks.volume(e);
    }
    for (double& x : sum) x = volume > 0 ? x / volume : 0;
    return elements_.size() == 1 ? of_one : sum;
  }

  const element::Model& model_;
  std::optional<fracture::SplitForces>& forces_;
  element::SeparationCriterion criterion_;
  std::vector<LocalIndex> nodes_, elements_;
  Column shares_;
  bool mine_ = false;
};

}  // namespace

ProbeSums::ProbeSums(const config::Scene& scene, const State& state)
{
  std::optional<fracture::SplitForces> forces;
  auto point = state.model.points.begin();
  for (const config::Probe& probe : scene.output.probes) {
    const Reading reading(probe, probe.at ? *point++ : element::MaterialPoint(), state.model, forces,
                          scene.fracture.criterion);
    for (const std::string& field : probe.fields) {
      if (field == "Damage") {
        for (std::size_t a = 0; a < 4; ++a) entries_.push_back({reading.damage(a), a > 0});
        continue;
      }
      const Column values = reading.mine() ? reading.values(field) : Column(suffixes_of(field).size(), 0);
      for (const double x : values) entries_.push_back({x, false});
    }
  }
  for (Entry& entry : entries_) entry.value += 0.0;  // -0 becomes 0, as it does when others add theirs
}

void ProbeSums::join(Reduction& all)
{
  for (Entry& entry : entries_) all.sum(entry.value);
}

std::vector<double> ProbeSums::row() const
{
  Column row;
  for (const Entry& entry : entries_)
    if (entry.adds)
      row.back() += entry.value;
    else
      row.push_back(entry.value);
  return row;
}

std::vector<std::string> probe_columns(const config::Scene& scene)
{
  std::vector<std::string> columns;
  for (const config::Probe& probe : scene.output.probes)
    for (const std::string& field : probe.fields)
      for (const std::string& suffix : suffixes_of(field)) columns.push_back(probe.name + '.' + suffix);
  return columns;
}

}  // namespace sunder::simulation
