#include "simulation/diagnostics/totals.hpp"

#include "core/hash.hpp"

namespace sunder::simulation {
std::uint64_t state_hash(const element::Model& model, const Comm& comm)
{
  const mesh::TetMesh& mesh = model.mesh;
  std::uint64_t sum = 0;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    const Row4 &p = model.p[static_cast<std::size_t>(n)], &v = model.v[static_cast<std::size_t>(n)];
    const Vec3& X = mesh.node(n).X;
    std::uint64_t h = combine(1, mesh.node(n).id.low);
    for (const double x : {X.x(), X.y(), X.z(), p.x, p.y, p.z, v.x, v.y, v.z}) h = combine(h, x);
    sum += h;
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    std::uint64_t h = combine(2, mesh.element_id(e).low);
    for (const LocalIndex n : mesh.tet(e)) h = combine(h, mesh.node(n).id.low);
    h = combine(h, std::uint64_t{mesh.material(e)});
    for (const double x : model.blocks.plastic_strain(e)) h = combine(h, x);
    sum += h;
  }
  for (const element::ModelLink& link : model.links) {
    std::uint64_t h = combine(combine(3, mesh.node(link.plus).id.low), mesh.node(link.minus).id.low);
    for (const double x : link.normal) h = combine(h, x);
    for (const double x : link.link.values()) h = combine(h, x);
    sum += h;
  }
  return comm.sum(sum);
}

Totals local_totals(const element::Model& model)
{
  const mesh::TetMesh& mesh = model.mesh;
  Totals i;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    const auto k = static_cast<std::size_t>(n);
    const Vec3 momentum = model.mass[k] * model.v[k].xyz();
    ++i.nodes;
    i.mass += model.mass[k];
    i.momentum += momentum;
    i.angular_momentum += model.p[k].xyz().cross(momentum);
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) i.elements += mesh.primary(e);
  return i;
}

Totals totals(const element::Model& model, const Comm& comm)
{
  Totals i = local_totals(model);
  Reduction all;
  i.join(all);
  all.over(comm);
  return i;
}

}  // namespace sunder::simulation
