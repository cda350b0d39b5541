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

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

rigid::Inertia inertia_of(double mass, const Mat3& tensor)
{
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(tensor);
  const double least = 1e-12 * axes.eigenvalues()[2];
  return {mass, axes.eigenvalues().cwiseMax(least), axes.eigenvectors()};
}

}  // namespace

/// Of one fragment, as ranks tell each other.
struct RigidBodies::Shape {
  std::int64_t fragment = 0, parent = -1;
  double mass = 0;
  std::array<double, 3> center{}, velocity{}, spin{};
  std::array<double, 9> inertia{};
  double wave_speed = 0, strength = 0;  // of what one rank holds, then of all
};

double RigidBody::radius() const
{
  return std::sqrt(5 * inertia.moments.sum() / (6 * inertia.mass));
}

rigid::Movable RigidBody::movable() const
{
  return {1 / inertia.mass, rigid::inverse_inertia(inertia, motion), motion.position, motion.velocity, motion.spin};
}

/// Of all fragments, ascending. Exact sums about the material's origin, so that they depend on the fragment alone.
std::vector<RigidBodies::Shape> RigidBodies::shapes() const
{
  const element::Model& model = state_.model;
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<rigid::Contribution> contributions;
  std::map<std::int64_t, std::int64_t> parents;
  std::vector<std::int64_t> shared;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (mesh.star(n).empty()) continue;
    const element::NodeHistory& history = model.history[at(n)];
    parents[history.fragment] = history.parent_fragment;
    if (mesh.owned(n))
      contributions.push_back(
          {history.fragment, model.mass[at(n)], mesh.node(n).X, model.mass[at(n)] * model.v[at(n)].xyz()});
  }
  for (const partition::Neighbour& neighbour : state_.halo->neighbours())
    for (const auto* nodes : {&neighbour.mirrors, &neighbour.ghosts})
      for (const LocalIndex n : *nodes) shared.push_back(model.history[at(n)].fragment);
  sort_unique(shared);
  struct Weakest {
    double wave_speed = std::numeric_limits<double>::infinity(), strength = wave_speed;
  };
  std::map<std::int64_t, Weakest> weakest;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    Weakest& w = weakest[model.history[at(mesh.tet(e)[0])].fragment];
    const material::Material& m = model.material_of(e);
    w.wave_speed = std::min(w.wave_speed, std::sqrt(m.p_wave_modulus() / m.density));
    w.strength = std::min({w.strength, m.toughness, m.mu * m.k1});
  }
  Bytes mine;
  for (const auto& [fragment, motion] : rigid::fit_fragments(state_.comm, contributions, shared, Vec3::Zero())) {
    const auto parent = parents.find(fragment);
    if (parent == parents.end()) continue;
    Shape shape{.fragment = fragment, .parent = parent->second, .mass = motion.mass};
    Vec3::Map(shape.center.data()) = motion.center, Vec3::Map(shape.velocity.data()) = motion.velocity;
    Vec3::Map(shape.spin.data()) = motion.spin, Mat3::Map(shape.inertia.data()) = motion.inertia;
    shape.wave_speed = weakest.at(fragment).wave_speed, shape.strength = weakest.at(fragment).strength;
    put(mine, shape);
  }
  std::vector<Shape> all;
  const Bytes gathered = gather_on_all(state_.comm, mine);
  for (ByteReader in(gathered); !in.done();) all.push_back(in.get<Shape>());
  // A fragment comes from each rank that holds some of it: the same bits but for its materials.
  std::sort(all.begin(), all.end(), [](const Shape& a, const Shape& b) { return a.fragment < b.fragment; });
  std::vector<Shape> shapes;
  for (const Shape& shape : all) {
    if (shapes.empty() || shapes.back().fragment != shape.fragment) shapes.push_back(shape);
    shapes.back().wave_speed = std::min(shapes.back().wave_speed, shape.wave_speed);
    shapes.back().strength = std::min(shapes.back().strength, shape.strength);
  }
  return shapes;
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
  body.wave_speed = shape.wave_speed, body.strength = shape.strength;
  return body;
}

void set_spin(RigidBody& body, const Vec3& spin)
{
  const Mat3 axes = body.motion.orientation.toRotationMatrix() * body.inertia.axes;
  body.motion.spin = spin;
  body.motion.angular_momentum = axes * body.inertia.moments.cwiseProduct(axes.transpose() * spin);
}

}  // namespace

void RigidBodies::make(std::span<const StoredBody> stored)
{
  bodies_.clear();
  for (const Shape& shape : shapes()) {
    RigidBody& body = bodies_.emplace_back(body_of(shape));
    if (stored.empty()) {
      body.motion.velocity = Vec3::Map(shape.velocity.data());
      set_spin(body, Vec3::Map(shape.spin.data()));
      continue;
    }
    const auto from = std::lower_bound(stored.begin(), stored.end(), shape.fragment,
                                       [](const StoredBody& b, std::int64_t f) { return b.fragment < f; });
    SUNDER_ASSERT(from != stored.end() && from->fragment == shape.fragment);
    body.motion = from->motion;
    body.whole_until = from->whole_until, body.slow_for = from->slow_for, body.touching = from->touching,
    body.asleep = from->asleep;
  }
  index();
}

void RigidBodies::follow(std::span<const std::int64_t> changed, double pause)
{
  const std::vector<RigidBody> before = std::move(bodies_);
  bodies_.clear();
  const auto earlier = [&before](std::int64_t fragment) {
    const auto found = std::lower_bound(before.begin(), before.end(), fragment,
                                        [](const RigidBody& b, std::int64_t f) { return b.fragment < f; });
    return found != before.end() && found->fragment == fragment ? &*found : nullptr;
  };
  const std::vector<Shape> all = shapes();
  std::vector<std::int64_t> other(changed.begin(), changed.end());
  for (const Shape& shape : all)
    if (!earlier(shape.fragment)) other.push_back(shape.parent), other.push_back(shape.fragment);
  sort_unique(other);
  for (const Shape& shape : all) {
    const RigidBody* const same = earlier(shape.fragment);
    if (same && !std::binary_search(other.begin(), other.end(), shape.fragment)) {
      bodies_.push_back(*same);
      continue;
    }
    const RigidBody* const parent = same ? same : earlier(shape.parent);
    SUNDER_ASSERT(parent);
    RigidBody body = body_of(shape);
    const rigid::Motion& motion = parent->motion;
    body.motion.orientation = motion.orientation;
    body.motion.position = parent->position(body.material_center);
    body.motion.velocity = motion.velocity + motion.spin.cross(body.motion.position - motion.position);
    set_spin(body, motion.spin);
    body.whole_until = state_.time + pause;
    bodies_.push_back(body);
  }
  index();
}

/// Which nodes and elements are in which body.
void RigidBodies::index()
{
  const element::Model& model = state_.model;
  nodes_.assign(bodies_.size(), {}), elements_.assign(bodies_.size(), {});
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (!model.mesh.star(n).empty()) nodes_[find(model.history[at(n)].fragment)].push_back(n);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.primary(e)) elements_[find(model.history[at(model.mesh.tet(e)[0])].fragment)].push_back(e);
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
  double farthest = 0;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const RigidBody& body = bodies_[k];
    if (body.asleep) continue;
    const Mat3 turn = body.motion.orientation.toRotationMatrix();
    for (const LocalIndex n : nodes_[k]) {
      const Vec3 arm = turn * (model.mesh.node(n).X - body.material_center), x = body.motion.position + arm;
      farthest = std::max(farthest, (x - model.p[at(n)].xyz()).squaredNorm());
      model.p[at(n)].set_xyz(x);
      model.v[at(n)].set_xyz(body.motion.velocity + body.motion.spin.cross(arm));
    }
  }
  return std::sqrt(farthest);
}

void RigidBodies::stop(std::size_t k)
{
  for (const LocalIndex n : nodes_[k]) state_.model.v[at(n)] = {};
}

std::vector<StoredBody> RigidBodies::stored() const
{
  std::vector<StoredBody> stored;
  for (const RigidBody& body : bodies_)
    stored.push_back({body.fragment, body.motion, body.whole_until, body.slow_for, body.touching, body.asleep});
  return stored;
}

}  // namespace sunder::simulation
