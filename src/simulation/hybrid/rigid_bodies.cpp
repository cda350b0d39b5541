#include "simulation/hybrid/rigid_bodies.hpp"

#include "core/bytes.hpp"
#include "core/sort_unique.hpp"
#include "rigid/fragment_motion.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace sunder::simulation {
namespace {

rigid::Inertia inertia_of(double mass, const Mat3& tensor)
{
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(tensor);
  const double least = 1e-12 * axes.eigenvalues()[2];
  return {mass, axes.eigenvalues().cwiseMax(least), axes.eigenvectors()};
}

/// A fragment comes from each rank that holds some of it: the same bits but for its elements and materials.
template <class Shape>
std::vector<Shape> once_each(std::vector<Shape> all)
{
  std::sort(all.begin(), all.end(), [](const Shape& a, const Shape& b) { return a.fragment < b.fragment; });
  std::vector<Shape> shapes;
  for (const Shape& shape : all) {
    if (shapes.empty() || shapes.back().fragment != shape.fragment)
      shapes.push_back(shape);
    else
      shapes.back().elements += shape.elements;
    shapes.back().wave_speed = std::min(shapes.back().wave_speed, shape.wave_speed);
    shapes.back().strength = std::min(shapes.back().strength, shape.strength);
  }
  return shapes;
}

}  // namespace

/// Of one fragment, as ranks tell each other.
struct RigidBodies::Shape {
  std::int64_t fragment = 0, parent = -1;
  double mass = 0;
  std::array<double, 3> center{}, velocity{}, spin{};
  std::array<double, 9> inertia{};
  std::int64_t elements = 0;            // that one rank counts, then of all
  double wave_speed = 0, strength = 0;  // of what one rank holds, then of all
};

Mat34 Placement::operator()(const Mat34& X) const
{
  Mat34 x;
  for (Eigen::Index k = 0; k < 4; ++k) x.col(k) = (*this)(Vec3(X.col(k)));
  return x;
}

geometry::Box turned(const Placement& placement, const geometry::Box& box)
{
  const Vec3 center = placement(Vec3((box.low + box.high) / 2)),
             half = placement.turn.cwiseAbs() * ((box.high - box.low) / 2);
  const double round_off = 1e-12 * (center.cwiseAbs() + half).sum();
  return {center.array() - half.array() - round_off, center.array() + half.array() + round_off};
}

double RigidBody::radius() const
{
  return std::sqrt(5 * inertia.moments.sum() / (6 * inertia.mass));
}

rigid::Movable RigidBody::movable() const
{
  return {1 / inertia.mass, rigid::inverse_inertia(inertia, motion), motion.position, motion.velocity, motion.spin};
}

/// Collective. Of the fragments of these nodes, all that are held of each, ascending. Exact sums about the material's
/// origin, so that they depend on the fragment alone.
std::vector<RigidBodies::Shape> RigidBodies::shapes(std::span<const LocalIndex> nodes) const
{
  const element::Model& model = state_.model;
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<rigid::Contribution> contributions;
  std::map<std::int64_t, std::int64_t> parents;
  std::vector<std::int64_t> shared;
  struct Elements {
    std::int64_t count = 0;
    double wave_speed = std::numeric_limits<double>::infinity(), strength = wave_speed;
  };
  std::map<std::int64_t, Elements> elements;
  for (const LocalIndex n : nodes) {
    if (mesh.star(n).empty()) continue;
    const element::NodeHistory& history = model.history[at(n)];
    parents[history.fragment] = history.parent_fragment;
    if (mesh.owned(n))
      contributions.push_back(
          {history.fragment, model.mass[at(n)], mesh.node(n).X, model.mass[at(n)] * model.v[at(n)].xyz()});
    Elements& w = elements[history.fragment];
    for (const LocalIndex e : mesh.star(n)) {
      const material::Material& m = model.material_of(e);
      w.count += mesh.tet(e)[0] == n && mesh.primary(e);
      w.wave_speed = std::min(w.wave_speed, std::sqrt(m.p_wave_modulus() / m.density));
      w.strength = std::min({w.strength, m.toughness, m.mu * m.k1});
    }
  }
  for (const partition::Neighbour& neighbour : state_.halo->neighbours())
    for (const auto* list : {&neighbour.mirrors, &neighbour.ghosts})
      for (const LocalIndex n : *list)
        if (const std::int64_t fragment = model.history[at(n)].fragment; parents.contains(fragment))
          shared.push_back(fragment);
  sort_unique(shared);
  Bytes mine;
  for (const auto& [fragment, motion] : rigid::fit_fragments(state_.comm, contributions, shared, Vec3::Zero())) {
    const auto parent = parents.find(fragment);
    if (parent == parents.end()) continue;
    Shape shape{.fragment = fragment, .parent = parent->second, .mass = motion.mass};
    Vec3::Map(shape.center.data()) = motion.center, Vec3::Map(shape.velocity.data()) = motion.velocity;
    Vec3::Map(shape.spin.data()) = motion.spin, Mat3::Map(shape.inertia.data()) = motion.inertia;
    const Elements& of = elements.at(fragment);
    shape.elements = of.count, shape.wave_speed = of.wave_speed, shape.strength = of.strength;
    put(mine, shape);
  }
  std::vector<Shape> all;
  const Bytes gathered = gather_on_all(state_.comm, mine);
  for (ByteReader in(gathered); !in.done();) all.push_back(in.get<Shape>());
  return once_each(std::move(all));
}

namespace {

/// At rest where the material is.
template <class Shape>
RigidBody body_of(const Shape& shape)
{
  RigidBody body;
  body.fragment = shape.fragment;
  body.inertia = inertia_of(shape.mass, Mat3::Map(shape.inertia.data()));
  body.material_center = Vec3::Map(shape.center.data());
  body.motion.position = body.material_center;
  body.elements = shape.elements, body.wave_speed = shape.wave_speed, body.strength = shape.strength;
  return body;
}

void set_spin(RigidBody& body, const Vec3& spin)
{
  const Mat3 axes = body.motion.orientation.toRotationMatrix() * body.inertia.axes;
  body.motion.spin = spin;
  body.motion.angular_momentum = axes * body.inertia.moments.cwiseProduct(axes.transpose() * spin);
}

}  // namespace

void RigidBodies::make(std::span<const StoredBody> stored, std::span<const std::uint8_t> left_out)
{
  std::vector<LocalIndex> nodes;
  for (LocalIndex n = 0; n < state_.model.mesh.num_nodes(); ++n)
    if (left_out.empty() || left_out[at(n)] == 0) nodes.push_back(n);
  bodies_.clear(), held_.clear();
  for (const Shape& shape : shapes(nodes)) {
    RigidBody& body = bodies_.emplace_back(body_of(shape));
    if (stored.empty()) {
      body.motion.velocity = Vec3::Map(shape.velocity.data());
      set_spin(body, Vec3::Map(shape.spin.data()));
      continue;
    }
    const auto from = std::lower_bound(stored.begin(), stored.end(), shape.fragment,
                                       [](const StoredBody& b, std::int64_t f) { return b.fragment < f; });
    if (from == stored.end() || from->fragment != shape.fragment)
      throw AgreedError(fmt::format("expected a stored motion of fragment {}, found none", shape.fragment),
                        ExitStatus::simulation_failed);
    body.motion = from->motion;
    body.whole_until = from->whole_until, body.slow_for = from->slow_for, body.touching = from->touching,
    body.asleep = from->asleep;
  }
  held_.resize(bodies_.size());
  index(nodes);
}

std::vector<std::int64_t> RigidBodies::follow(std::span<const std::size_t> struck,
                                              std::span<const std::int64_t> reshaped, double pause)
{
  std::map<std::int64_t, RigidBody> before;
  std::vector<LocalIndex> nodes;
  for (const std::size_t k : struck) {
    before.emplace(bodies_[k].fragment, bodies_[k]);
    nodes.insert(nodes.end(), held_[k].nodes.begin(), held_[k].nodes.end());
  }
  for (LocalIndex n = num_nodes_; n < state_.model.mesh.num_nodes(); ++n) nodes.push_back(n);
  const std::vector<Shape> pieces = shapes(nodes);
  std::vector<std::int64_t> changed(reshaped.begin(), reshaped.end()), now;
  for (const Shape& shape : pieces)
    if (!before.contains(shape.fragment)) changed.push_back(shape.parent), changed.push_back(shape.fragment);
  sort_unique(changed);
  for (const Shape& shape : pieces) {
    now.push_back(shape.fragment);
    const bool is_new = !before.contains(shape.fragment);
    if (!std::binary_search(changed.begin(), changed.end(), shape.fragment)) continue;
    const RigidBody& parent = before.at(is_new ? shape.parent : shape.fragment);
    RigidBody body = body_of(shape);
    const rigid::Motion& motion = parent.motion;
    body.motion.orientation = motion.orientation;
    body.motion.position = motion.position + motion.orientation * (body.material_center - parent.material_center);
    body.motion.velocity = motion.velocity + motion.spin.cross(body.motion.position - motion.position);
    set_spin(body, motion.spin);
    body.whole_until = state_.time + pause;
    if (!is_new) {
      bodies_[find(shape.fragment)] = body;
      continue;
    }
    const auto place = std::upper_bound(bodies_.begin(), bodies_.end(), shape.fragment,
                                        [](std::int64_t f, const RigidBody& b) { return f < b.fragment; });
    held_.emplace(held_.begin() + (place - bodies_.begin()));
    bodies_.insert(place, body);
  }
  for (const std::int64_t fragment : now) held_[find(fragment)] = {};
  index(nodes);
  return now;
}

/// Which of these nodes, and of the elements around them, are in which body.
void RigidBodies::index(std::span<const LocalIndex> nodes)
{
  const element::Model& model = state_.model;
  std::vector<std::size_t> filled;
  for (const LocalIndex n : nodes) {
    if (model.mesh.star(n).empty()) continue;
    const std::size_t k = find(model.history[at(n)].fragment);
    held_[k].nodes.push_back(n), filled.push_back(k);
    for (const LocalIndex e : model.mesh.star(n))
      if (model.mesh.tet(e)[0] == n && model.mesh.primary(e)) held_[k].elements.push_back(e);
  }
  sort_unique(filled);
  for (const std::size_t k : filled) std::sort(held_[k].elements.begin(), held_[k].elements.end());
  num_nodes_ = model.mesh.num_nodes();
}

std::size_t RigidBodies::find(std::int64_t fragment) const
{
  const auto found = std::lower_bound(bodies_.begin(), bodies_.end(), fragment,
                                      [](const RigidBody& b, std::int64_t f) { return b.fragment < f; });
  SUNDER_ASSERT(found != bodies_.end() && found->fragment == fragment);
  return static_cast<std::size_t>(found - bodies_.begin());
}

double RigidBodies::move_nodes()
{
  element::Model& model = state_.model;
  double fastest = 0;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const RigidBody& body = bodies_[k];
    if (body.asleep) continue;
    const Placement placement = body.placement();
    for (const LocalIndex n : held_[k].nodes) {
      const Vec3 arm = placement.arm(model.mesh.node(n).X), v = body.motion.velocity + body.motion.spin.cross(arm);
      model.p[at(n)].set_xyz(placement.center + arm);
      model.v[at(n)].set_xyz(v);
      fastest = std::max(fastest, v.squaredNorm());
    }
  }
  return std::sqrt(fastest);
}

void RigidBodies::stop(std::size_t k)
{
  for (const LocalIndex n : held_[k].nodes) state_.model.v[at(n)] = {};
}

std::vector<StoredBody> RigidBodies::stored() const
{
  std::vector<StoredBody> stored;
  for (const RigidBody& body : bodies_)
    stored.push_back({body.fragment, body.motion, body.whole_until, body.slow_for, body.touching, body.asleep});
  return stored;
}

}  // namespace sunder::simulation
