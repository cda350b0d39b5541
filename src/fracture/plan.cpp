#include "fracture/plan.hpp"

#include "element/interface_plane.hpp"
#include "mesh/lineage.hpp"
#include "mesh/star_components.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sunder::fracture {
namespace {

/// A node joined to the failing node: where it lies to the plane. The map is ordered by id, so all choices that walk
/// along it are made in the order of ids on every rank.
struct LinkNode {
  LocalIndex index = -1;
  double distance = 0;  // signed, from the plane [m]
  int side = 0;         // -1, 0, +1
};
using Link = std::map<NodeId, LinkNode>;

int sign(double x)
{
  return (x > 0) - (x < 0);
}

Vec3 world(const element::Model& model, LocalIndex n)
{
  return model.p[static_cast<std::size_t>(n)].xyz();
}

double least_distance(const element::Model& model, LocalIndex n, const FractureOptions& options)
{
  return std::max(options.snap_distance, options.snap_relative * model.mesh.node(n).size);
}

Link classify(const element::Model& model, LocalIndex n, const Vec3& normal, const FractureOptions& options)
{
  Link link;
  const Vec3 origin = world(model, n);
  const double eps_d = least_distance(model, n, options), eps_theta = std::sin(options.snap_angle);
  for (const LocalIndex e : model.mesh.star(n))
    for (const LocalIndex q : model.mesh.tet(e)) {
      if (q == n) continue;
      const Vec3 r = world(model, q) - origin;
      const double d = r.dot(normal), size = std::abs(d);
      const bool snapped = size < eps_d || size < eps_theta * r.norm();
      link[model.mesh.node(q).id] = {q, d, snapped ? 0 : sign(d)};
    }
  return link;
}

/// Back-crack avoidance: corners of free faces that are nearly parallel to the plane count as on the plane. The crack
/// then follows such a face instead of running close beside it.
void follow_free_faces(const element::Model& model, LocalIndex n, const Vec3& normal, double theta_min, Link& link)
{
  if (theta_min <= 0) return;
  const Vec3 origin = world(model, n);
  for (const auto& [e, face] : mesh::free_faces_around(model.mesh, n)) {
    std::vector<LocalIndex> others;  // than n
    for (const std::size_t corner : mesh::face_corners[face])
      if (const LocalIndex q = model.mesh.tet(e)[corner]; q != n) others.push_back(q);
    const Vec3 area = (world(model, others[0]) - origin).cross(world(model, others[1]) - origin);
    if (area.cross(normal).norm() < std::sin(theta_min) * area.norm())
      for (const LocalIndex q : others) link[model.mesh.node(q).id].side = 0;
  }
}

/// Edges opposite n, by ids of their ends, ascending.
std::set<std::pair<NodeId, NodeId>> link_edges(const mesh::TetMesh& mesh, LocalIndex n)
{
  std::set<std::pair<NodeId, NodeId>> edges;
  for (const LocalIndex e : mesh.star(n))
    for (const LocalIndex a : mesh.tet(e))
      for (const LocalIndex b : mesh.tet(e))
        if (a != n && b != n && mesh.node(a).id < mesh.node(b).id) edges.insert({mesh.node(a).id, mesh.node(b).id});
  return edges;
}

/// Drops the cuts of edges that have an end on the plane by now.
void drop_undone(std::vector<Bisection>& cuts, Link& link)
{
  std::erase_if(cuts, [&link](const Bisection& c) { return link[c.a].side * link[c.b].side >= 0; });
}

/// An element of height h that is bisected at t leaves two elements of height min(t, 1 - t) h or more. The owner of the
/// failing node may not hold all elements around an edge that it cuts. Of those it knows only the least height around
/// each end, which is often the height of another element. This bound is cautious, so it is compared with 0.4 of the
/// height that elements around the failing node must keep.
constexpr double least_height_beyond_star = 0.4;

double height_around(const element::Model& model, const LinkNode& node)
{
  return model.height[static_cast<std::size_t>(node.index)];
}

/// Where link edges cross the plane. A crossing too near an end is no cut: that end is put on the plane instead.
std::vector<Bisection> crossings(const element::Model& model, LocalIndex n, const FractureOptions& options, Link& link)
{
  const double eps = least_distance(model, n, options);
  const double least = least_height_beyond_star * options.least_height * model.mesh.node(n).size;
  std::vector<Bisection> cuts;
  for (const auto& [a, b] : link_edges(model.mesh, n)) {
    LinkNode &la = link[a], &lb = link[b];
    if (la.side * lb.side >= 0) continue;
    const double t = la.distance / (la.distance - lb.distance);
    const double length = (world(model, la.index) - world(model, lb.index)).norm();
    const double shorter = std::min(t, 1 - t), low = std::min(height_around(model, la), height_around(model, lb));
    if (shorter * length >= eps && shorter * low >= least)
      cuts.push_back({a, b, t});
    else
      (t <= 0.5 ? la : lb).side = 0;
  }
  drop_undone(cuts, link);
  return cuts;
}

/// Material positions of the nodes of a star and of those its cuts make.
Positions positions(const mesh::TetMesh& mesh, LocalIndex n, const Link& link, const std::vector<Bisection>& cuts)
{
  Positions X{{mesh.node(n).id, mesh.node(n).X}};
  for (const auto& [id, node] : link) X[id] = mesh.node(node.index).X;
  add_made_nodes(cuts, X);
  return X;
}

/// Looks for an element around the failing node that the cuts would leave a child of lower than `least`. Returns the
/// cut through that element that is nearest to an end of its edge; null if no child is too low. Elements beyond the
/// star are not asked: the node's owner may not hold them.
const Bisection* worst_cut(const mesh::TetMesh& mesh, LocalIndex n, const Link& link,
                           const std::vector<Bisection>& cuts, double least)
{
  const Positions X = positions(mesh, n, link, cuts);
  for (const LocalIndex e : mesh.star(n)) {
    const ElementCorners whole = corners_of(mesh, e);
    const auto children = children_after(whole, cuts);
    if (children.size() == 1) continue;
    if (std::none_of(children.begin(), children.end(),
                     [&](const ElementCorners& child) { return height(child, X) < least; }))
      continue;
    const auto has = [&whole](NodeId id) {
      return std::find(whole.nodes.begin(), whole.nodes.end(), id) != whole.nodes.end();
    };
    const Bisection* worst = nullptr;
    for (const Bisection& c : cuts)
      if (has(c.a) && has(c.b) && (!worst || std::min(c.t, 1 - c.t) < std::min(worst->t, 1 - worst->t))) worst = &c;
    return worst;
  }
  return nullptr;
}

void avoid_slivers(const mesh::TetMesh& mesh, LocalIndex n, double least, Link& link, std::vector<Bisection>& cuts)
{
  while (const Bisection* worst = worst_cut(mesh, n, link, cuts, least)) {
    link[worst->t <= 0.5 ? worst->a : worst->b].side = 0;
    drop_undone(cuts, link);
  }
}

/// Side of an element none of whose edges is cut.
int side_of(const ElementCorners& child, const Link& link)
{
  double distance = 0;
  for (const NodeId id : child.nodes) {
    const auto it = link.find(id);
    if (it == link.end()) continue;  // the failing node, or a node made on the plane
    if (it->second.side != 0) return it->second.side;
    distance += it->second.distance;
  }
  return distance < 0 ? -1 : 1;
}

/// Is the centroid of an element on the negative side of the plane through node n?
bool lies_behind(const element::Model& model, LocalIndex e, LocalIndex n, const Vec3& normal)
{
  const Mat34 corners = model.positions(e).colwise() - world(model, n);
  return normal.dot(corners.rowwise().sum()) < 0;
}

void finish(Plan& plan)
{
  std::sort(plan.moving.begin(), plan.moving.end());
  plan.copy = mesh::copy_node_id(plan.node, plan.moving.front());
}

}  // namespace

std::optional<Plan> plan(const element::Model& model, LocalIndex n, const Vec3& normal, const FractureOptions& options)
{
  const mesh::TetMesh& mesh = model.mesh;
  Plan plan;
  plan.node = mesh.node(n).id;
  std::size_t total = mesh.star(n).size();
  if (options.remesh) {
    Link link = classify(model, n, normal, options);
    follow_free_faces(model, n, normal, options.back_crack_angle, link);
    plan.bisections = crossings(model, n, options, link);
    avoid_slivers(mesh, n, options.least_height * mesh.node(n).size, link, plan.bisections);
    total = 0;
    for (const LocalIndex e : mesh.star(n))
      for (const ElementCorners& child : children_after(corners_of(mesh, e), plan.bisections)) {
        ++total;
        if (side_of(child, link) < 0) plan.moving.push_back(child.id);
      }
  } else {
    for (const LocalIndex e : mesh.star(n))  // along faces: whole elements go by their centroid
      if (lies_behind(model, e, n, normal)) plan.moving.push_back(mesh.element_id(e));
  }
  if (plan.moving.empty() || plan.moving.size() == total) return std::nullopt;
  finish(plan);
  return plan;
}

Plan plan_along_interface(const element::Model& model, LocalIndex n, const material::Interface& between,
                          const Vec3& normal)
{
  const mesh::TetMesh& mesh = model.mesh;
  Plan plan;
  plan.node = mesh.node(n).id;
  for (const LocalIndex e : mesh.star(n))
    if (element::on_first_side(model, e, n, between, normal)) plan.moving.push_back(mesh.element_id(e));
  finish(plan);
  return plan;
}

}  // namespace sunder::fracture
