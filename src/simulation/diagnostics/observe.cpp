#include "simulation/diagnostics/observe.hpp"

#include "core/hash.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

std::array<double, 6> components(const Mat3& s)
{
  return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(0, 2)};
}

double norm(const std::array<double, 6>& e)
{
  return std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
}

}  // namespace

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
  return comm.sum(sum);
}

Totals totals_share(const element::Model& model)
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
  Totals i = totals_share(model);
  Reduction all;
  i.join(all);
  all.over(comm);
  return i;
}

io::Shares shares(const mesh::TetMesh& mesh, const partition::Halo& halo)
{
  const Comm& comm = halo.comm();
  std::int64_t held = 0, shared = 0, ghosts = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Tet& t = mesh.tet(e);
    const bool alone = std::all_of(t.begin(), t.end(), [&mesh](LocalIndex n) { return mesh.owned(n); });
    ++held, shared += !alone && mesh.primary(e);
  }
  for (const partition::Neighbour& neighbour : halo.neighbours())
    ghosts += static_cast<std::int64_t>(neighbour.ghosts.size());
  io::Shares s;
  std::int64_t most_held = held;
  s.held_elements = held, s.shared_elements = shared, s.ghosts = s.most_ghosts = ghosts;
  s.messages = s.most_neighbours = static_cast<std::int64_t>(halo.neighbours().size());
  Reduction all;
  all.sum(s.held_elements, s.shared_elements, s.ghosts, s.messages);
  all.max(most_held, s.most_ghosts, s.most_neighbours);
  all.over(comm);
  s.imbalance =
      static_cast<double>(most_held) * comm.size() / static_cast<double>(std::max<std::int64_t>(1, s.held_elements));
  return s;
}

FrameFields frame_fields(const element::Model& model, std::span<const std::int64_t> fragment_of_node)
{
  const mesh::TetMesh& mesh = model.mesh;
  FrameFields f;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const mesh::Node& node = mesh.node(n);
    f.node_id.push_back(node.id), f.node_owner.push_back(node.owner), f.X.push_back(node.X);
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    const element::Deformation d =
        element::deformation(model.blocks.gradients(e), model.positions(e), model.velocities(e));
    const Mat3 cauchy = element::cauchy_stress(d.F, element::element_stress(model, e));
    f.written.push_back(e);
    f.stress.push_back(components(cauchy));
    f.max_principal_stress.push_back(element::largest_principal(cauchy).value);
    f.plastic_strain.push_back(norm(model.blocks.plastic_strain(e)));
    f.fragment.push_back(fragment_of_node[static_cast<std::size_t>(mesh.tet(e)[0])]);
  }
  return f;
}

io::Frame frame_of(const element::Model& model, const FrameFields& f, std::int64_t step, double time)
{
  io::Frame frame;
  frame.step = step, frame.time = time;
  frame.node_id = f.node_id, frame.node_owner = f.node_owner, frame.X = f.X;
  frame.p = model.p, frame.v = model.v;
  frame.tets = model.mesh.tets(), frame.element_id = model.mesh.element_ids(), frame.material = model.mesh.materials();
  frame.written = f.written, frame.stress = f.stress, frame.max_principal_stress = f.max_principal_stress;
  frame.plastic_strain = f.plastic_strain, frame.fragment = f.fragment;
  return frame;
}

}  // namespace sunder::simulation
