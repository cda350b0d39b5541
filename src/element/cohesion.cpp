#include "element/cohesion.hpp"

#include "core/sort_unique.hpp"
#include "element/link_stiffness.hpp"
#include "mesh/union_find.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace sunder::element {
namespace {

/// The axes of the crack now: two along it, then its normal. They turn with an element on the positive side: the normal
/// as areas do, the first axis as lines in the crack.
Mat3 axes(const Model& model, const ModelLink& link)
{
  const LocalIndex e = element_of_axes(model, link);
  const Mat3 F = deformation_gradient(model.blocks.gradients(e), model.positions(e));
  Mat3 cofactor, axes;
  cofactor << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
  const double inverted = F.col(0).dot(cofactor.col(0)) < 0 ? -1 : 1;
  axes.col(2) = inverted * (cofactor * link.normal).normalized();
  axes.col(0) = (F * link.normal.unitOrthogonal()).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

/// Along these axes.
Vec3 opening(const Model& model, const ModelLink& link, const Mat3& axes)
{
  return axes.transpose() * (model.p[at(link.plus)].xyz() - model.p[at(link.minus)].xyz());
}

Vec3 opening(const Model& model, const ModelLink& link)
{
  return opening(model, link, axes(model, link));
}

void add(Row4& to, const Vec3& force)
{
  to.x += force.x(), to.y += force.y(), to.z += force.z();
}

/// Links without a force yet whose nodes hang together.
struct NewLinks {
  std::vector<LocalIndex> nodes;   // ascending by id
  std::vector<std::size_t> links;  // in order
};

/// Of these links, in order, those that hang together.
std::vector<NewLinks> clusters_of(const Model& model, std::span<const std::size_t> links)
{
  std::vector<LocalIndex> nodes;
  for (const std::size_t k : links) nodes.insert(nodes.end(), {model.links[k].plus, model.links[k].minus});
  sort_unique(nodes);
  const auto place = [&nodes](LocalIndex n) {
    return static_cast<LocalIndex>(std::lower_bound(nodes.begin(), nodes.end(), n) - nodes.begin());
  };
  mesh::UnionFind sets(nodes.size());
  for (const std::size_t k : links) sets.unite(place(model.links[k].plus), place(model.links[k].minus));
  std::map<LocalIndex, NewLinks> of_set;
  for (const LocalIndex n : nodes) of_set[sets.find(place(n))].nodes.push_back(n);
  for (const std::size_t k : links) of_set[sets.find(place(model.links[k].plus))].links.push_back(k);
  std::vector<NewLinks> clusters;
  for (auto& [set, cluster] : of_set) {
    std::sort(cluster.nodes.begin(), cluster.nodes.end(),
              [&mesh = model.mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

/// The forces that give all nodes of the cluster the same acceleration. Of those, the ones that a potential of nodes
/// gives, links taken as conductors as good as their areas: a tree has no others.
void begin_links(Model& model, const NewLinks& cluster)
{
  const auto count = static_cast<Eigen::Index>(cluster.nodes.size());
  const auto place = [&cluster](LocalIndex n) {
    return std::find(cluster.nodes.begin(), cluster.nodes.end(), n) - cluster.nodes.begin();
  };
  double mass = 0;
  Vec3 force = Vec3::Zero();
  for (const LocalIndex n : cluster.nodes) mass += model.mass[at(n)], force += model.f[at(n)].xyz();
  Eigen::MatrixXd conductance = Eigen::MatrixXd::Zero(count, count);
  Eigen::MatrixX3d needed(count, 3);  // of links, on each node
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t n = at(cluster.nodes[static_cast<std::size_t>(i)]);
    needed.row(i) = (model.mass[n] / mass * force - model.f[n].xyz()).transpose();
  }
  double total = 0;
  for (const std::size_t k : cluster.links) total += model.links[k].link.law().area;
  for (const std::size_t k : cluster.links) {
    const ModelLink& link = model.links[k];
    const auto i = place(link.plus), j = place(link.minus);
    const double area = link.link.law().area / total;
    conductance(i, i) += area, conductance(j, j) += area, conductance(i, j) -= area, conductance(j, i) -= area;
  }
  Eigen::MatrixX3d potential = Eigen::MatrixX3d::Zero(count, 3);
  potential.bottomRows(count - 1) =
      conductance.bottomRightCorner(count - 1, count - 1).ldlt().solve(needed.bottomRows(count - 1));
  for (const std::size_t k : cluster.links) {
    const ModelLink& link = model.links[k];
    const Vec3 on_minus = (potential.row(place(link.minus)) - potential.row(place(link.plus))).transpose();
    model.links.state(k).begin(axes(model, link).transpose() * (link.link.law().area / total * on_minus));
  }
}

}  // namespace

void add_cohesive_forces(Model& model)
{
  std::vector<std::size_t> begun;  // now
  const auto add_force = [&model](const ModelLink& link, const Vec3& on_plus) {
    add(model.f[at(link.plus)], on_plus), add(model.f[at(link.minus)], -on_plus);
  };
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    const ModelLink& link = model.links[k];
    if (!link.link.begun()) {
      begun.push_back(k);
      continue;
    }
    const Mat3 now = axes(model, link);
    const CohesivePull pull = link.link.pull(opening(model, link, now));
    model.links.state(k).open_to(pull.opening);
    add_force(link, now * pull.force);
  }
  for (const NewLinks& cluster : clusters_of(model, begun)) begin_links(model, cluster);
  for (const std::size_t k : begun) {
    const ModelLink& link = model.links[k];
    const Mat3 now = axes(model, link);
    add_force(link, now * link.link.pull(opening(model, link, now)).force);
  }
}

void add_trial_forces_of_links(Model& model)
{
  for (std::size_t k = 0; k < model.links.size(); ++k) add_trial_force_of_link(model, k);
}

void add_trial_force_of_link(Model& model, std::size_t k)
{
  const ModelLink& link = model.links[k];
  if (!link.link.begun()) return;
  const Mat3 now = axes(model, link);
  const Vec3 on_plus = now * link.link.pull(opening(model, link, now)).force;
  add(model.f[at(link.plus)], on_plus), add(model.f[at(link.minus)], -on_plus);
}

LocalIndex element_of_axes(const Model& model, const ModelLink& link)
{
  return model.mesh.star(link.plus).front();
}

void begin_new_links(Model& model)
{
  std::vector<std::size_t> fresh;
  for (std::size_t k = 0; k < model.links.size(); ++k)
    if (!model.links[k].link.begun()) fresh.push_back(k);
  for (const NewLinks& cluster : clusters_of(model, fresh)) begin_links(model, cluster);
}

void open_links(Model& model)
{
  for (std::size_t k = 0; k < model.links.size(); ++k)
    model.links.state(k).open_to(model.links[k].link.pull(opening(model, model.links[k])).opening);
}

void add_link_tangents(const Model& model, TangentKind kind, std::span<const std::uint8_t> softening,
                       const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add)
{
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    const ModelLink& link = model.links[k];
    const Mat3 now = axes(model, link);
    const bool softens = !softening.empty() && softening[k] != 0;
    const Mat3 K = now * link_stiffness(link.link, opening(model, link, now), kind, softens) * now.transpose();
    add(link.plus, link.plus, K), add(link.minus, link.minus, K);
    add(link.plus, link.minus, -K), add(link.minus, link.plus, -K);
  }
}

std::vector<LinkDissipation> dissipation_of_links(const Model& model, std::span<const std::uint8_t> softening)
{
  std::vector<LinkDissipation> all;
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    const ModelLink& link = model.links[k];
    const Mat3 now = axes(model, link);
    const bool softens = !softening.empty() && softening[k] != 0;
    const auto [energy, slope] = link.link.dissipation(opening(model, link, now), softens);
    all.push_back({energy, now * slope});
  }
  return all;
}

std::vector<std::uint8_t> links_about_to_soften(const Model& model)
{
  constexpr double least = 0.01;  // strength left of a link that is worth a step of its own
  std::vector<std::uint8_t> about_to;
  for (const ModelLink& link : model.links)
    about_to.push_back(link.link.strength_left() > least && link.link.about_to_soften(opening(model, link)));
  return about_to;
}

SpentLinks settle_links(Model& model)
{
  SpentLinks spent;
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    const ModelLink& link = model.links[k];
    model.p[at(link.plus)].w = model.p[at(link.minus)].w = 0;
    if (link.holds && link.link.broken()) model.links.loosen(k), spent.loosened.emplace_back(link.plus, link.minus);
  }
  model.links.erase_if([&](const ModelLink& link) {
    if (!link.link.broken()) return false;
    const Vec3 d = opening(model, link);
    // Where sides press on each other until they have slid past, contact has long had them.
    if (link.link.pressed(d) && d.squaredNorm() < link.link.law().area) return false;
    const double pressed = link.link.stored_by_pressing(d);
    spent.nodes.insert(spent.nodes.end(), {link.plus, link.minus});
    ++spent.count, spent.absorbed += link.link.absorbed(d) - pressed, spent.pressed += pressed;
    spent.surface_energy += link.link.surface_energy();
    return true;
  });
  mark_linked_nodes(model);
  return spent;
}

void mark_linked_nodes(Model& model)
{
  for (const ModelLink& link : model.links)
    for (const LocalIndex n : {link.plus, link.minus})
      model.p[at(n)].w = std::max(model.p[at(n)].w, link.link.strength_left());
}

void mark_linked_nodes(Model& model, std::span<const LocalIndex> nodes)
{
  for (const LocalIndex n : nodes)
    for (const std::size_t k : model.links.of(n))
      model.p[at(n)].w = std::max(model.p[at(n)].w, model.links[k].link.strength_left());
}

bool beside_young_crack(const Model& model, LocalIndex n)
{
  constexpr double young = 0.5, further = 0.1;
  const mesh::TetMesh& mesh = model.mesh;
  const auto left = [&model](LocalIndex q) { return model.p[at(q)].w; };
  if (left(n) > young) return true;
  std::vector<LocalIndex> around;
  for (const LocalIndex e : mesh.star(n)) around.insert(around.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  sort_unique(around);
  double beside = 0, at_front = 1;  // strength left, of links beside n and of those of the crack at whose front it is
  for (const LocalIndex q : around) {
    if (left(q) == 0) continue;
    const auto other_half = [&](LocalIndex r) { return r != q && mesh.node(r).X == mesh.node(q).X; };
    if (std::any_of(around.begin(), around.end(), other_half))
      at_front = std::min(at_front, left(q));
    else
      beside = std::max(beside, left(q));
  }
  return beside > young && at_front > beside - further;
}

double energy_of_links(const Model& model)
{
  double energy = 0;
  for (const ModelLink& link : model.links)
    if (link.link.begun()) energy += link.link.absorbed(opening(model, link));
  return energy;
}

LinkLimit limit_of_links(const Model& model, std::span<const LocalIndex> nodes)
{
  LinkLimit tightest;
  for (const LocalIndex n : nodes) {
    const auto links = model.links.of(n);
    if (links.empty()) continue;
    double k = 0;
    for (const std::size_t link : links) k += model.links[link].link.law().greatest_stiffness();
    LinkLimit limit{0, model.mesh.element_id(model.mesh.star(n).front())};
    double squares = k / (2 * model.mass[at(n)]);  // 1/step^2; the other side gives way as much: w^2 <= 2 k/m
    double of_elements = 0;
    for (const LocalIndex e : model.mesh.star(n)) {
      const double step = element_limit(model, e).step;
      of_elements = std::max(of_elements, 1 / (step * step));
      limit.element = std::min(limit.element, model.mesh.element_id(e));
    }
    limit.step = 1 / std::sqrt(squares + of_elements);
    if (std::tie(limit.step, limit.element) < std::tie(tightest.step, tightest.element)) tightest = limit;
  }
  return tightest;
}

}  // namespace sunder::element
