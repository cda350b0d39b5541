#include "element/model.hpp"

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

}  // namespace

Mat34 Model::positions(LocalIndex e) const
{
  return gather(p, mesh.tet(e));
}
Mat34 Model::velocities(LocalIndex e) const
{
  return gather(v, mesh.tet(e));
}

ElementLimit element_limit(const StepOptions& options, const Mat34& gradients, const material::Material& m,
                           double volume, double mass_factor)
{
  Scaling s = scaling_of(options, gradients, m);
  s.mass = std::max(s.mass, mass_factor);
  const double omega = s.rates.omega / std::sqrt(s.mass), rate = s.viscosity * s.rates.viscous_rate / s.mass;
  ElementLimit limit;
  limit.step = stable_step(omega, rate);
  limit.viscous = limit.step < 0.5 * stable_step(omega, 0);
  limit.viscosity_capped = s.viscosity < 1;
  limit.added_mass = (s.mass - 1) * m.density * volume;
  return limit;
}

ElementLimit element_limit(const Model& model, LocalIndex e, double mass_factor)
{
  return element_limit(model.step_options, model.blocks.gradients(e), model.material_of(e), model.blocks.volume(e),
                       mass_factor);
}

ElementLimit element_limit(const Model& model, LocalIndex e)
{
  return element_limit(model, e, model.dust_factor(e));
}

TightestLimit tightest_limit(const Model& model)
{
  TightestLimit tightest{std::numeric_limits<double>::infinity(), -1};
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
