#include "element/model.hpp"

#include "core/fault_point.hpp"
#include "element/toughness.hpp"
#include "material/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::element {
namespace {

Mat34 gather(const std::vector<Row4>& rows, const Tet& tet)
{
  Mat34 columns;
  for (int a = 0; a < 4; ++a) columns.col(a) = rows[static_cast<std::size_t>(tet[static_cast<std::size_t>(a)])].xyz();
  return columns;
}

/// Gradients of the shape functions from material corners; columns sum to zero.
Mat34 shape_gradients(const std::array<Vec3, 4>& X)
{
  Mat3 edges;
  edges << X[1] - X[0], X[2] - X[0], X[3] - X[0];
  const Mat3 B = edges.inverse();
  Mat34 g;
  for (int a = 1; a < 4; ++a) g.col(a) = B.row(a - 1).transpose();
  g.col(0) = -(g.col(1) + g.col(2) + g.col(3));
  return g;
}

struct Scaling {
  double viscosity = 1;  // factor on phi and psi
  double mass = 1;       // factor on the mass
  ElementRates rates;    // without either
};

/// With r the capped viscous rate, a step T is stable once the mass is (T^2 omega^2 + 2 T r) / 4 times larger
/// (stable_step() solved for the mass).
Scaling scaling_of(const StepOptions& options, const Mat34& gradients, const material::Material& m)
{
  Scaling s;
  s.rates = element_rates(gradients, m);
  s.viscosity = viscosity_factor(s.rates, options.viscosity_cap);
  if (const double T = options.mass_scaling_step; T > 0) {
    const double omega = s.rates.omega, r = s.viscosity * s.rates.viscous_rate;
    s.mass = std::max(1.0, (T * T * omega * omega + 2 * T * r) / 4);
  }
  return s;
}

}  // namespace

Mat34 Model::positions(LocalIndex e) const
{
  return gather(p, mesh.tet(e));
}
Mat34 Model::velocities(LocalIndex e) const
{
  return gather(v, mesh.tet(e));
}

Model make_model(mesh::TetMesh mesh, std::vector<material::Material> materials, const StepOptions& options,
                 std::vector<material::Interface> interfaces)
{
  for (const material::Material& m : materials)
    if (const int laws = num_laws_of(m, material::Laws{}); laws != 1)
      throw Error(fmt::format("material {}: expected one law of elasticity that describes it, got {}", m.name, laws));
  allocation_point("model: fields");
  Model model;
  model.mesh = std::move(mesh);
  model.materials = std::move(materials);
  model.interfaces = std::move(interfaces);
  model.step_options = options;
  const bool plastic = std::any_of(model.materials.begin(), model.materials.end(),
                                   [](const material::Material& m) { return m.plastic(); });
  model.blocks = ElementBlocks(plastic);
  model.blocks.resize(model.mesh.num_slots());
  const auto n = static_cast<std::size_t>(model.mesh.num_nodes());
  model.p.resize(n), model.v.resize(n), model.f.resize(n), model.mass.resize(n), model.toughness.resize(n);
  model.height.resize(n);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) refresh_element(model, e);
  for (LocalIndex i = 0; i < model.mesh.num_nodes(); ++i) {
    refresh_node(model, i);
    model.p[static_cast<std::size_t>(i)].set_xyz(model.mesh.node(i).X);
  }
  return model;
}

void refresh_element(Model& model, LocalIndex e)
{
  const mesh::TetMesh& mesh = model.mesh;
  if (!mesh.alive(e)) return model.blocks.clear(e);
  const auto X = mesh.corners(e);
  const Scaling s = scaling_of(model.step_options, shape_gradients(X), model.material_of(e));
  const double volume = model.blocks.set(e, mesh.tet(e), X, mesh.material(e), s.viscosity, mesh.primary(e));
  if (!(volume > 0))
    note(model.problem,
         {fmt::format("element {}: material volume {:.4g} m^3, expected > 0", mesh.element_id(e).low, volume),
          mesh.element_id(e).low});
}

void refresh_node(Model& model, LocalIndex n)
{
  double mass = 0, steepest = 0;
  for (const LocalIndex e : model.mesh.star(n)) {
    const material::Material& m = model.material_of(e);
    const Mat34 gradients = model.blocks.gradients(e);
    const double factor =
        model.step_options.mass_scaling_step > 0 ? scaling_of(model.step_options, gradients, m).mass : 1;
    steepest = std::max(steepest, gradients.colwise().norm().maxCoeff());  // a corner's height is 1 / |grad N|
    mass += factor * m.density * model.blocks.volume(e) / 4;
  }
  model.mass[static_cast<std::size_t>(n)] = mass;
  model.toughness[static_cast<std::size_t>(n)] = least_toughness(model, n);
  model.height[static_cast<std::size_t>(n)] = steepest > 0 ? 1 / steepest : std::numeric_limits<double>::infinity();
}

ElementLimit element_limit(const Model& model, LocalIndex e)
{
  const material::Material& m = model.material_of(e);
  const Scaling s = scaling_of(model.step_options, model.blocks.gradients(e), m);
  const double omega = s.rates.omega / std::sqrt(s.mass), rate = s.viscosity * s.rates.viscous_rate / s.mass;
  ElementLimit limit;
  limit.step = stable_step(omega, rate);
  limit.viscous = limit.step < 0.5 * stable_step(omega, 0);
  limit.viscosity_capped = s.viscosity < 1;
  limit.added_mass = (s.mass - 1) * m.density * model.blocks.volume(e);
  return limit;
}

StepLimit tightest_limit(const Model& model)
{
  StepLimit tightest{std::numeric_limits<double>::infinity(), -1};
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.alive(e)) continue;
    if (const double step = element_limit(model, e).step; step < tightest.step) tightest = {step, e};
  }
  return tightest;
}

Mat3 element_stress(const Model& model, LocalIndex e)
{
  const Deformation d = deformation(model.blocks.gradients(e), model.positions(e), model.velocities(e));
  return stress(d, model.blocks.plastic_strain(e), model.material_of(e), model.blocks.viscosity(e));
}

}  // namespace sunder::element
