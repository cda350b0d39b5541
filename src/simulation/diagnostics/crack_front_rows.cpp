#include "simulation/diagnostics/crack_front_rows.hpp"

#include "element/stress.hpp"
#include "simulation/crack_fronts.hpp"
#include "simulation/diagnostics/crack_tip_field.hpp"
#include "simulation/diagnostics/visit_crack_faces.hpp"
#include "simulation/loading/prescribed_motion.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {
namespace {

/// What the integrals need of an element.
struct Fields {
  Mat3 H, P, Hdot;     // gradient of displacement, first Piola-Kirchhoff stress [Pa], gradient of velocity [1/s]
  double density = 0;  // W + T [J/m^3]
  Mat34 inertia = Mat34::Zero();  // columns: share of rho (a - b) of the corners owned here [N]
  Mat34 momentum;                 // columns: share of rho v of all corners [kg m/s]
};

class ElementFields {
public:
  ElementFields(const config::Scene& scene, const State& state)
    : model_(state.model), prescribed_(scene.boundary, state.model.mesh), time_(state.time)
  {
  }

  Fields of(LocalIndex e) const
  {
    const material::Material& m = model_.material_of(e);
    const double volume = model_.blocks.volume(e), mass = m.density * volume / 4;
    const Mat34 v = model_.velocities(e);
    const element::Deformation d = element::deformation(model_.blocks.gradients(e), model_.positions(e), v);
    const auto plastic = model_.blocks.plastic_strain(e);
    Fields f;
    f.H = d.F - Mat3::Identity(), f.Hdot = d.Fdot;
    f.P = d.F * element::element_stress(model_, e) / 2;
    f.density = element::elastic_energy_density(d.F, plastic, m) + m.density * v.rowwise().mean().squaredNorm() / 2;
    f.momentum = mass * v;
    for (std::size_t a = 0; a < 4; ++a)
      f.inertia.col(static_cast<Eigen::Index>(a)) = mass * acceleration(model_.mesh.tet(e)[a]);
    return f;
  }

private:
  /// Of an owned node, less that of body forces [m/s^2]. Where its motion is given it is taken to be none.
  Vec3 acceleration(LocalIndex n) const
  {
    const auto i = static_cast<std::size_t>(n);
    if (!model_.mesh.owned(n) || model_.mass[i] == 0) return Vec3::Zero();
    Vec3 a = model_.f[i].xyz() / model_.mass[i];
    const auto held = prescribed_.prescribed_axes(model_.mesh.node(n).marks, time_);
    for (int axis = 0; axis < 3; ++axis)
      if (held[static_cast<std::size_t>(axis)]) a[axis] = 0;
    return a;
  }

  const element::Model& model_;
  PrescribedMotion prescribed_;
  double time_;
};

/// An element's q and its gradient [1/m].
struct Weight {
  Eigen::Vector4d q;
  Vec3 gradient;
};

Weight weight_of(const Eigen::Vector4d& q, const Mat34& gradients)
{
  return {q, gradients * q};
}

/// primary: is the element counted here? Shares of corners are each corner's owner's.
double J_of(const Fields& f, const Weight& w, double volume, const Vec3& growth, bool primary)
{
  const Vec3 slope = f.H * growth;
  const double nodal = slope.dot(f.inertia * w.q);
  if (!primary) return nodal;
  return nodal + volume * ((f.P.transpose() * slope).dot(w.gradient) - f.density * growth.dot(w.gradient)) -
         (f.momentum * w.q).dot(f.Hdot * growth);
}

double interaction_of(const Fields& f, const Weight& w, double volume, const FrontTube& tube, const CrackTipField& tip,
                      bool primary)
{
  const Mat3& axes = tube.axes();
  const double nodal = tip.slope.dot(axes * (f.inertia * w.q));
  if (!primary) return nodal;
  const Mat3 stress = axes * f.P * axes.transpose(), H = axes * f.H * axes.transpose();
  const Vec3 gradient = axes * w.gradient;
  return nodal + volume * ((stress.transpose() * tip.slope + tip.stress * H.col(0)).dot(gradient) -
                           tip.stress.cwiseProduct(H).sum() * gradient.x());
}

CrackTipMaterial tip_material(const material::Material& m, bool plane_stress)
{
  return {.mu = m.mu, .nu = m.lambda / (2 * (m.lambda + m.mu)), .plane_stress = plane_stress};
}

/// How far cracks reach along growth, of faces near the plane of the front [m]. Local.
double advance_of(const mesh::TetMesh& mesh, const config::CrackFront& front)
{
  const FrontTube tube(front, 0);
  double farthest = 0;
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    for (const LocalIndex n : face.nodes)
      if (const Vec3 at = tube.local(mesh.node(n).X); std::abs(at.y()) < front.radius)
        farthest = std::max(farthest, at.x());
  });
  return farthest;
}

/// This rank's elements in the tube.
void add_tube(const config::CrackFront& front, const ElementFields& fields, const element::Model& model,
              CrackFrontSums::Sum& sum)
{
  const FrontTube tube(front, sum.advance);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.alive(e)) continue;
    std::array<Vec3, 4> at;
    std::transform(model.mesh.tet(e).begin(), model.mesh.tet(e).end(), at.begin(),
                   [&](LocalIndex n) { return tube.local(model.mesh.node(n).X); });
    const auto q = [&](double radius) {
      return Eigen::Vector4d(FrontTube::weight(at[0], radius), FrontTube::weight(at[1], radius),
                             FrontTube::weight(at[2], radius), FrontTube::weight(at[3], radius));
    };
    if (q(front.radius).maxCoeff() == 0) continue;
    const Fields f = fields.of(e);
    const Mat34 gradients = model.blocks.gradients(e);
    const double volume = model.blocks.volume(e);
    const bool primary = model.mesh.primary(e);
    Weight w{};
    for (std::size_t i = 0; i < sum.J.size(); ++i) {
      w = weight_of(q(front.radius * static_cast<double>(i + 1) / static_cast<double>(sum.J.size())), gradients);
      sum.J[i] += J_of(f, w, volume, front.growth, primary);
    }
    const CrackTipMaterial m = tip_material(model.material_of(e), front.plane_stress);
    const Vec3 centre = (at[0] + at[1] + at[2] + at[3]) / 4;
    const auto field = [&](CrackMode mode) { return crack_tip_field(mode, centre.x(), centre.y(), m); };
    sum.I_I += interaction_of(f, w, volume, tube, field(CrackMode::opening), primary);
    sum.I_II += interaction_of(f, w, volume, tube, field(CrackMode::sliding), primary);
    if (!primary) continue;
    for (const Vec3& x : at) sum.ahead = std::max(sum.ahead, x.z()), sum.behind = std::max(sum.behind, -x.z());
    sum.volume += volume, sum.modulus += volume * m.modulus();
    sum.directional += model.material_of(e).anisotropy.has_value();
  }
}

}  // namespace

CrackFrontSums::CrackFrontSums(const config::Scene& scene, const State& state) : sums_(scene.output.crack_fronts.size())
{
  if (sums_.empty()) return;
  const auto& fronts = scene.output.crack_fronts;
  const element::Model& model = state.model;
  Reduction run;
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    sums_[k].advance = advance_of(model.mesh, fronts[k]);
    run.max(sums_[k].advance);
  }
  run.over(state.comm);
  const ElementFields fields(scene, state);
  for (std::size_t k = 0; k < sums_.size(); ++k) add_tube(fronts[k], fields, model, sums_[k]);
}

void CrackFrontSums::join(Reduction& all)
{
  for (Sum& s : sums_) {
    all.sum(s.J[0], s.J[1], s.J[2], s.I_I, s.I_II, s.volume, s.modulus, s.directional);
    all.max(s.ahead, s.behind);
  }
}

std::vector<CrackFrontRow> CrackFrontSums::rows() const
{
  std::vector<CrackFrontRow> rows;
  for (const Sum& s : sums_) {
    CrackFrontRow& row = rows.emplace_back();
    row.advance = s.advance;
    if (s.volume == 0) continue;  // the front has left the body
    const double length = s.ahead + s.behind, modulus = s.modulus / s.volume;
    for (std::size_t i = 0; i < s.J.size(); ++i) row.J[i] = s.J[i] / length;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    row.K_I = s.directional > 0 ? nan : modulus / 2 * s.I_I / length;
    row.K_II = s.directional > 0 ? nan : modulus / 2 * s.I_II / length;
  }
  return rows;
}

std::vector<std::string> crack_front_columns(const std::vector<config::CrackFront>& fronts)
{
  std::vector<std::string> columns;
  for (const config::CrackFront& front : fronts)
    for (const char* column : {"advance", "J_inner", "J_middle", "J", "K_I", "K_II"})
      columns.push_back(front.name + '.' + column);
  return columns;
}

std::vector<double> crack_front_numbers(const std::vector<CrackFrontRow>& rows)
{
  std::vector<double> numbers;
  for (const CrackFrontRow& row : rows)
    numbers.insert(numbers.end(), {row.advance, row.J[0], row.J[1], row.J[2], row.K_I, row.K_II});
  return numbers;
}

}  // namespace sunder::simulation
