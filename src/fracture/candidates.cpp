#include "fracture/candidates.hpp"

#include <cmath>

namespace sunder::fracture {

void screen(const element::Model& model, std::vector<LocalIndex>& nodes)
{
  nodes.clear();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    const Row4& f = model.f[i];
    const double room = model.toughness[i] - f.w;  // fails only if |f|/2 exceeds what tension leaves
    if (room < 0 || f.x * f.x + f.y * f.y + f.z * f.z > 4 * room * room)
      if (model.mesh.owned(n)) nodes.push_back(n);
  }
}

Mat3 separation_tensor(const element::Model& model, LocalIndex n)
{
  element::Separation separation;
  for (const LocalIndex e : model.mesh.star(n)) {
    const Mat34 gradients = model.blocks.gradients(e);
    const element::Deformation d = element::deformation(gradients, model.positions(e), model.velocities(e));
    const Mat3 sigma =
      element::stress(d, model.blocks.plastic_strain(e), model.material_of(e), model.blocks.viscosity(e));
    const element::StressSplit split = element::split_by_sign(sigma);
    int corner = 0;
    while (model.mesh.tet(e)[static_cast<std::size_t>(corner)] != n) ++corner;
    const double scale = -model.blocks.volume(e) / 2;
    const Vec3 gradient = gradients.col(corner);
    separation.add(scale * (d.F * (split.tensile * gradient)), scale * (d.F * (split.compressive * gradient)));
  }
  return separation.tensor();
}

void Candidates::evaluate(const element::Model& model, LocalIndex n)
{
  failing_.erase(n);
  const double tau = model.toughness[static_cast<std::size_t>(n)];
  if (!std::isfinite(tau) || set_aside_.contains(n) || model.mesh.star(n).size() < 2) return;
  Mat3 tensor = separation_tensor(model, n);
  if (const auto it = residual_.find(n); it != residual_.end()) tensor += it->second;
  const element::Principal principal = element::largest_principal(tensor);
  if (principal.value > tau) failing_[n] = {principal, principal.value / tau};
}

void Candidates::push_residual(LocalIndex n, const Mat3& residual)
{
  const auto [it, first] = residual_.emplace(n, residual);
  if (!first) it->second += residual;
}

void Candidates::set_aside(LocalIndex n)
{
  set_aside_[n] = true;
  failing_.erase(n);
}

}  // namespace sunder::fracture
