#include "fracture/failing_nodes.hpp"

#include "element/cohesion.hpp"
#include "element/toughness.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::fracture {
namespace {

/// How much more than its toughness a node bears beside a crack that is about to unload it. docs/cohesion.md has what
/// other values do.
constexpr double beside_young_crack = 2;

/// sigma* = M sigma M, T 4.8.
Mat3 weighted(const Mat3& sigma, const Mat3& M)
{
  const Mat3 product = M * sigma * M;
  return 0.5 * (product + product.transpose());
}

bool excluded(const element::Model& model, const Exclusion& exclusion, LocalIndex n)
{
  return exclusion.contains(n) && !continues_crack(model.mesh, n);
}

}  // namespace

SplitForces::SplitForces(const element::Model& model)
  : model_(model), position_(static_cast<std::size_t>(model.mesh.num_slots()), -1)
{
}

const SplitForces::OfElement& SplitForces::of(LocalIndex e)
{
  LocalIndex& position = position_[static_cast<std::size_t>(e)];
  if (position < 0) {
    position = static_cast<LocalIndex>(made_.size());
    made_of_.push_back(e);
    const Mat34 gradients = model_.blocks.gradients(e);
    const element::Deformation d = element::deformation(gradients, model_.positions(e), model_.velocities(e));
    const material::Material& m = model_.material_of(e);
    Mat3 sigma = element::stress(d, model_.blocks.plastic_strain(e), m, model_.blocks.viscosity(e));
    if (m.directional_toughness()) sigma = weighted(sigma, material::weakness(m));
    const element::StressSplit split = element::split_by_sign(sigma);
    const double volume = model_.blocks.volume(e);
    made_.push_back({element::corner_forces(volume, d.F, split.tensile, gradients),
                     element::corner_forces(volume, d.F, split.compressive, gradients)});
  }
  return made_[static_cast<std::size_t>(position)];
}

void SplitForces::forget()
{
  for (const LocalIndex e : made_of_) position_[static_cast<std::size_t>(e)] = -1;
  made_.clear(), made_of_.clear();
  position_.resize(static_cast<std::size_t>(model_.mesh.num_slots()), -1);
}

Mat3 separation_tensor(const mesh::TetMesh& mesh, SplitForces& forces, LocalIndex n,
                       element::SeparationCriterion criterion)
{
  element::Separation separation;
  for (const LocalIndex e : mesh.star(n)) {
    const SplitForces::OfElement& f = forces.of(e);
    int corner = 0;
    while (mesh.tet(e)[static_cast<std::size_t>(corner)] != n) ++corner;
    separation.add(f.tensile.col(corner), f.compressive.col(corner));
  }
  return separation.tensor(criterion);
}

void FailingNodes::evaluate(const element::Model& model, std::span<const LocalIndex> nodes)
{
  Evaluation with(model);
  evaluate(with, nodes);
}

/// Those that are to get a tensor: they can fail, and the screen lets them pass or does not know what changed them.
std::vector<LocalIndex> FailingNodes::screened(Evaluation& with, std::span<const LocalIndex> nodes) const
{
  const element::Model& model = with.forces.model();
  std::vector<LocalIndex> unchanged, left;
  for (const LocalIndex n : nodes) {
    if (!element::breakable(model, n) || model.mesh.star(n).size() < 2 || set_aside_.contains(n)) continue;
    (changed(n) ? left : unchanged).push_back(n);
  }
  const bool cohesive = element::cohesive(model);
  for (const element::Suspect& s : with.screen.may_fail(model, criterion_, unchanged)) {
    // Where the interface of two materials fails, exclusion does not count.
    const bool spared = cohesive && s.most <= beside_young_crack &&
                        (element::beside_young_crack(model, s.node) ||
                         (model.interfaces.empty() && excluded(model, with.exclusion, s.node)));
    if (!spared) left.push_back(s.node);
  }
  return left;
}

void FailingNodes::evaluate(Evaluation& with, std::span<const LocalIndex> nodes)
{
  SplitForces& forces = with.forces;
  const element::Model& model = forces.model();
  const bool cohesive = element::cohesive(model);
  forces.forget();
  if (!failing_.empty())
    for (const LocalIndex n : nodes) failing_.erase(n);
  for (const LocalIndex n : screened(with, nodes)) {
    const auto i = static_cast<std::size_t>(n);
    Mat3 tensor = separation_tensor(model.mesh, forces, n, criterion_);
    if (const auto it = changes_.find(n); it != changes_.end())
      for (const Change& c : it->second) {
        const double across = c.normal.dot(tensor * c.normal);
        tensor += (c.pushed - c.relieved * std::max(0.0, across)) * element::m(c.normal);
      }
    if (element::eigenvalue_bound(tensor) <= model.toughness[i] && model.strength[i].sliding == 0) continue;
    const element::WeakestPlane plane = element::weakest_plane(model, n, tensor);
    double tau = plane.toughness;
    const auto beside = [&] {
      return (plane.interface < 0 && excluded(model, with.exclusion, n)) || element::beside_young_crack(model, n);
    };
    if (plane.separation.value > tau && cohesive && beside()) tau *= beside_young_crack;
    if (plane.separation.value > tau)
      failing_[n] = {plane.separation, tau, plane.separation.value / tau, plane.interface};
  }
}

void FailingNodes::push(LocalIndex n, const Vec3& normal, double separation)
{
  changes_[n].push_back({.normal = normal, .pushed = separation});
}

void FailingNodes::relieve(LocalIndex n, const Vec3& normal, double fraction)
{
  changes_[n].push_back({.normal = normal, .relieved = fraction});
}

FailingNode FailingNodes::act(LocalIndex n)
{
  const FailingNode acting = failing_.at(n);
  changes_.erase(n);
  failing_.erase(n);
  return acting;
}

void FailingNodes::set_aside(LocalIndex n)
{
  set_aside_.insert(n);
}

}  // namespace sunder::fracture
