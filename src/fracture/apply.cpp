#include "fracture/apply.hpp"

#include "core/sort_unique.hpp"
#include "element/make_model.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace sunder::fracture {
namespace {

void add_node_fields(element::Model& model, const Row4& p, const Row4& v, const element::NodeHistory& history)
{
  model.p.push_back(p), model.v.push_back(v), model.f.emplace_back();
  model.mass.push_back(0), model.toughness.push_back(0), model.height.push_back(0);
  model.history.push_back(history);
}

/// What lumped masses lose when the edge ab of an element of mass m is bisected at t: w |v_ab|^2 / 2 of kinetic energy
/// and w p_ab x v_ab of angular momentum, w = m/4 t (1-t), p_ab = p_b - p_a.
void count_loss(const element::Model& model, LocalIndex e, double t, const Vec3& p_ab, const Vec3& v_ab,
                MeshDelta& delta)
{
  const double w = model.material_of(e).density * model.blocks.volume(e) / 4 * t * (1 - t);
  delta.kinetic_loss += w / 2 * v_ab.squaredNorm();
  delta.angular_momentum_loss += w * p_ab.cross(v_ab);
}

void mark_changed(const mesh::TetMesh& mesh, LocalIndex e, MeshDelta& delta)
{
  delta.elements.push_back(e);
  delta.nodes.insert(delta.nodes.end(), mesh.tet(e).begin(), mesh.tet(e).end());
}

}  // namespace

void apply_bisection(element::Model& model, const Bisection& bisection, const mesh::CreationKey& creation_key,
                     MeshDelta& delta)
{
  mesh::TetMesh& mesh = model.mesh;
  const auto a = mesh.find(bisection.a), b = mesh.find(bisection.b);
  if (!a || !b) return;
  const double t = bisection.t;
  const Vec3 pa = model.p[static_cast<std::size_t>(*a)].xyz(), pb = model.p[static_cast<std::size_t>(*b)].xyz();
  const Vec3 va = model.v[static_cast<std::size_t>(*a)].xyz(), vb = model.v[static_cast<std::size_t>(*b)].xyz();
  for (const LocalIndex e : mesh.elements_around_edge(*a, *b)) {
    if (mesh.primary(e)) count_loss(model, e, t, pb - pa, vb - va, delta);
    mark_changed(mesh, e, delta);
  }

  std::vector<mesh::BisectedElement> bisected;
  if (mesh.bisect(*a, *b, t, bisected, creation_key) < 0) return;
  Row4 p, v;
  p.set_xyz(pa + t * (pb - pa)), v.set_xyz(va + t * (vb - va));
  const element::NodeHistory& at_a = model.history[static_cast<std::size_t>(*a)];
  add_node_fields(model, p, v, {at_a.fragment, at_a.parent});
  model.blocks.resize(mesh.num_slots());
  for (const mesh::BisectedElement& element : bisected) {
    delta.lineage.push_back({element.made_id, element.kept_id});
    if (element.made >= 0) {
      element::refresh_element(model, element.made);
      model.blocks.set_plastic_strain(element.made, model.blocks.plastic_strain(element.old));
      mark_changed(mesh, element.made, delta);
    }
    element::refresh_element(model, element.old);
    if (element.kept >= 0) mark_changed(mesh, element.kept, delta);
  }
}

void apply_split(element::Model& model, const NodeSplit& split, MeshDelta& delta)
{
  mesh::TetMesh& mesh = model.mesh;
  const auto n = mesh.find(split.node);
  if (!n) return;
  std::vector<LocalIndex> moving;
  for (const LocalIndex e : mesh.star(*n)) {
    mark_changed(mesh, e, delta);
    if (std::find(split.elements.begin(), split.elements.end(), mesh.element_id(e)) != split.elements.end())
      moving.push_back(e);
  }
  if (moving.empty()) return;
  const LocalIndex copy = mesh.split(*n, split.copy, moving, delta.time);
  const auto i = static_cast<std::size_t>(*n);
  add_node_fields(model, Row4(model.p[i]), Row4(model.v[i]), element::NodeHistory(model.history[i]));
  for (const LocalIndex e : moving) model.blocks.replace_node(e, *n, copy);
  delta.nodes.push_back(copy);
  delta.splits.push_back({*n, copy});
}

void apply(element::Model& model, const Plan& plan, MeshDelta& delta)
{
  mesh::CreationKey creation_key{model.rounds, plan.node, 0};
  for (const Bisection& bisection : plan.bisections) {
    apply_bisection(model, bisection, creation_key, delta);
    ++creation_key.cut;
  }
  apply_split(model, {plan.node, plan.copy, plan.moving}, delta);
}

void refresh(element::Model& model, MeshDelta& delta)
{
  sort_unique(delta.elements);
  sort_unique(delta.nodes);
  for (const LocalIndex n : delta.nodes) element::refresh_node(model, n);
}

}  // namespace sunder::fracture
