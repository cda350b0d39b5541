#include "fracture/apply.hpp"

#include "core/sort_unique.hpp"
#include "element/cohesion.hpp"
#include "element/make_model.hpp"
#include "fracture/part_node.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <iterator>
#include <map>

namespace sunder::fracture {
namespace {

struct NodeKinematics {
  Vec3 p, v, a;
};

NodeKinematics kinematics_of(const element::Model& model, LocalIndex n)
{
  const auto i = static_cast<std::size_t>(n);
  return {model.p[i].xyz(), model.v[i].xyz(), model.a.empty() ? Vec3(Vec3::Zero()) : model.a[i].xyz()};
}

void add_node_fields(element::Model& model, const NodeKinematics& motion, const element::NodeHistory& history)
{
  model.p.emplace_back().set_xyz(motion.p), model.v.emplace_back().set_xyz(motion.v), model.f.emplace_back();
  if (!model.a.empty()) model.a.emplace_back().set_xyz(motion.a);
  model.mass.push_back(0), model.height.push_back(0);
  model.toughness.push_back(0), model.strength.emplace_back();
  model.history.push_back(history);
}

/// What lumped masses lose when the edge ab of an element of mass m is bisected at t: w |v_ab|^2 / 2 of kinetic energy
/// and w p_ab x v_ab of angular momentum, w = m/4 t (1-t), p_ab = p_b - p_a.
void count_loss(const element::Model& model, LocalIndex e, double t, const Vec3& p_ab, const Vec3& v_ab,
                MeshDelta& delta)
{
  const double mass = mass_factor(model, e) * model.material_of(e).density * model.blocks.volume(e);
  const double w = mass / 4 * t * (1 - t);
  delta.kinetic_loss += w / 2 * v_ab.squaredNorm();
  delta.angular_momentum_loss += w * p_ab.cross(v_ab);
}

/// What a child brings whose parent had this factor of mass.
void count_added_mass(const element::Model& model, LocalIndex child, double parents_factor, AddedMass& added)
{
  const double mass = (mass_factor(model, child) - parents_factor) * model.material_of(child).density *
                      model.blocks.volume(child) / 4;  // of each corner
  added.kinetic += mass / 2 * model.velocities(child).squaredNorm();
  added.moment += mass * model.positions(child).rowwise().sum();
}

/// Of an element that is cut, or made so: the stars of all of its corners become others.
void mark_cut(const mesh::TetMesh& mesh, LocalIndex e, MeshDelta& delta)
{
  delta.elements.push_back(e);
  delta.nodes.insert(delta.nodes.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  delta.stars.insert(delta.stars.end(), mesh.tet(e).begin(), mesh.tet(e).end());
}

}  // namespace

void apply_bisection(element::Model& model, const Bisection& bisection, const mesh::CreationKey& creation_key,
                     MeshDelta& delta)
{
  mesh::TetMesh& mesh = model.mesh;
  const auto a = mesh.find(bisection.a), b = mesh.find(bisection.b);
  if (!a || !b) return;
  const double t = bisection.t;
  const NodeKinematics at_a = kinematics_of(model, *a), at_b = kinematics_of(model, *b);
  std::map<LocalIndex, double> factors;  // of mass, by slot
  for (const LocalIndex e : mesh.elements_around_edge(*a, *b)) {
    factors[e] = mass_factor(model, e);
    if (mesh.primary(e)) --delta.elements_more, count_loss(model, e, t, at_b.p - at_a.p, at_b.v - at_a.v, delta);
    mark_cut(mesh, e, delta);
  }

  std::vector<mesh::BisectedElement> bisected;
  const LocalIndex node = mesh.bisect(*a, *b, t, bisected, creation_key);
  if (node < 0) return;
  delta.loosened.push_back(node);
  const auto between = [t](const Vec3& x, const Vec3& y) { return Vec3(x + t * (y - x)); };
  const element::NodeHistory& history = model.history[static_cast<std::size_t>(*a)];
  add_node_fields(
      model, {between(at_a.p, at_b.p), between(at_a.v, at_b.v), between(at_a.a, at_b.a)},
      {.fragment = history.fragment, .parent_fragment = history.parent_fragment, .dust_factor = history.dust_factor});
  model.blocks.resize(mesh.num_slots());
  for (const mesh::BisectedElement& element : bisected) {
    delta.lineage.push_back({element.made_id, element.kept_id});
    element::follow_bisection(model.points, mesh, element, *a, node);
    if (element.made >= 0) {
      element::refresh_element(model, element.made);
      model.blocks.set_plastic_strain(element.made, model.blocks.plastic_strain(element.old));
      mark_cut(mesh, element.made, delta);
    }
    element::refresh_element(model, element.old);
    if (element.kept >= 0) mark_cut(mesh, element.kept, delta);
    for (const LocalIndex child : {element.kept, element.made})
      if (child >= 0 && mesh.primary(child))
        ++delta.elements_more, count_added_mass(model, child, factors.at(element.old), delta.added_mass);
  }
}

void apply_split(element::Model& model, const NodeSplit& split, MeshDelta& delta)
{
  mesh::TetMesh& mesh = model.mesh;
  const auto n = mesh.find(split.node);
  if (!n) return;
  std::vector<LocalIndex> moving, corners_of_moving, corners;  // the last: of those that stay, then of all
  for (const LocalIndex e : mesh.star(*n)) {
    delta.elements.push_back(e);
    const bool moves = std::binary_search(split.elements.begin(), split.elements.end(), mesh.element_id(e));
    if (moves) moving.push_back(e);
    std::vector<LocalIndex>& of_side = moves ? corners_of_moving : corners;
    of_side.insert(of_side.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  }
  sort_unique(corners), sort_unique(corners_of_moving);
  std::set_intersection(corners.begin(), corners.end(), corners_of_moving.begin(), corners_of_moving.end(),
                        std::back_inserter(delta.loosened));
  corners.insert(corners.end(), corners_of_moving.begin(), corners_of_moving.end());
  // Of elements that stay as well, whoever holds them: beside a new link a node bears more.
  delta.nodes.insert(delta.nodes.end(), corners.begin(), corners.end());
  if (moving.empty()) return;
  const bool links = delta.cohesive && mesh.owned(*n);
  const Parting parting = links ? find_parting(model, *n, moving) : Parting();
  const LocalIndex copy = mesh.split(*n, split.copy, moving, delta.time);
  const auto i = static_cast<std::size_t>(*n);
  add_node_fields(model, kinematics_of(model, *n), element::NodeHistory(model.history[i]));
  for (const LocalIndex e : moving) model.blocks.replace_node(e, *n, copy);
  if (links) link_parted(model, *n, copy, parting);
  delta.nodes.push_back(copy);
  delta.stars.push_back(*n), delta.stars.push_back(copy);
  delta.loosened.push_back(copy);
  delta.splits.push_back({*n, copy});
}

void apply(element::Model& model, const Plan& plan, MeshDelta& delta)
{
  mesh::CreationKey creation_key{model.rounds, plan.node, 0};
  for (const Bisection& bisection : plan.bisections) {
    apply_bisection(model, bisection, creation_key, delta);
    ++creation_key.bisection;
  }
  apply_split(model, {plan.node, plan.copy, plan.moving}, delta);
}

void refresh(element::Model& model, MeshDelta& delta)
{
  sort_unique(delta.elements);
  sort_unique(delta.nodes);
  sort_unique(delta.stars);
  for (const LocalIndex n : delta.stars) element::refresh_node(model, n);
}

void update_halo(element::Model& model, partition::Halo& halo, const MeshDelta& delta)
{
  halo.update(model.mesh, delta.nodes);
  halo.owners_to_ghosts(model.mesh, std::span<double>(model.height), delta.nodes);
  if (!delta.cohesive) return;
  element::mark_linked_nodes(model, delta.nodes);
  halo.owners_to_ghosts(model.mesh, std::span<Row4>(model.p), delta.nodes);
}

}  // namespace sunder::fracture
