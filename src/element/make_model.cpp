#include "element/make_model.hpp"

#include "core/fault_point.hpp"
#include "core/hash.hpp"
#include "element/toughness.hpp"
#include "material/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::element {
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
  model.strength.resize(n), model.height.resize(n), model.history.resize(n);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) refresh_element(model, e);
  for (LocalIndex i = 0; i < model.mesh.num_nodes(); ++i)
    model.p[static_cast<std::size_t>(i)].set_xyz(model.mesh.node(i).X);
  for (LocalIndex i = 0; i < model.mesh.num_nodes(); ++i) refresh_node(model, i);
  return model;
}

void refresh_element(Model& model, LocalIndex e)
{
  const mesh::TetMesh& mesh = model.mesh;
  if (!mesh.alive(e)) return model.blocks.clear(e);
  const auto X = mesh.corners(e);
  const material::Material& m = model.material_of(e);
  const double viscosity = m.viscous() ? scaling_of(model.step_options, shape_gradients(X), m).viscosity : 1;
  const double volume = model.blocks.set(e, mesh.tet(e), X, mesh.material(e), viscosity, mesh.primary(e));
  if (!(volume > 0))
    note(model.problem,
         {fmt::format("element {}: material volume {:.4g} m^3, expected > 0{}", mesh.element_id(e).low, volume,
                      is_made(mesh.element_id(e)) ? "; a crack has cut it, and a greater fracture.least_height "
                                                    "forbids cuts that leave so little"
                                                  : ""),
          mesh.element_id(e).low});
}

double mass_factor(const Model& model, LocalIndex e)
{
  const double factor = model.dust_factor(e);
  if (!(model.step_options.mass_scaling_step > 0)) return factor;
  return std::max(factor, scaling_of(model.step_options, model.blocks.gradients(e), model.material_of(e)).mass);
}

void refresh_node(Model& model, LocalIndex n)
{
  double mass = 0, steepest_squared = 0;
  for (const LocalIndex e : model.mesh.star(n)) {
    const material::Material& m = model.material_of(e);
    // A corner's height is 1 / |grad N|.
    steepest_squared = std::max(steepest_squared, model.blocks.gradients(e).colwise().squaredNorm().maxCoeff());
    mass += mass_factor(model, e) * m.density * model.blocks.volume(e) / 4;
  }
  model.mass[static_cast<std::size_t>(n)] = mass;
  const ToughnessBound toughness = toughness_bound(model, n);
  model.toughness[static_cast<std::size_t>(n)] = toughness.force;
  model.strength[static_cast<std::size_t>(n)] = toughness.across;
  model.height[static_cast<std::size_t>(n)] =
      steepest_squared > 0 ? 1 / std::sqrt(steepest_squared) : std::numeric_limits<double>::infinity();
}

}  // namespace sunder::element
