#include "simulation/crumbs/particles.hpp"

#include "contact/narrow_phase/obstacle_overlap.hpp"
#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder::simulation {
namespace {

constexpr double reach_share = 0.25;  // of the mesh size: how far a particle goes between two looks at obstacles
constexpr double most_looks = 1e4;    // in a step

double mass_of(const element::Model& model, LocalIndex e)
{
  return model.material_of(e).density * model.blocks.volume(e);
}

bool is_free(const contact::Obstacle& obstacle)
{
  return obstacle.motion == rigid::MotionKind::free;
}

}  // namespace

/// The corner that is deepest in an obstacle; not positive: none is in any.
struct Particles::Touch {
  std::size_t obstacle = 0;
  contact::Depth depth;
  Vec3 at = Vec3::Zero();
};

void Particles::make(std::vector<LocalIndex> elements)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  elements_ = std::move(elements);
  of_nodes_.clear();
  if (elements_.empty()) return;
  of_nodes_.assign(at(mesh.num_nodes()), 0);
  for (const LocalIndex e : elements_)
    for (const LocalIndex n : mesh.tet(e)) of_nodes_[at(n)] = 1;
}

double Particles::kinetic_energy() const
{
  const element::Model& model = state_.model;
  double twice = 0;
  for (const LocalIndex e : elements_)
    if (model.mesh.primary(e)) twice += mass_of(model, e) * model.v[at(model.mesh.tet(e)[0])].xyz().squaredNorm();
  return twice / 2;
}

double Particles::advance(double dt)
{
  obstacles_.clear();
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k) {
    const contact::Obstacle& obstacle = state_.obstacles[k];
    const rigid::Motion& motion = state_.obstacle_motions[k];
    obstacles_.push_back(
        {is_free(obstacle) ? 1 / obstacle.mass : 0,
         is_free(obstacle) ? rigid::inverse_inertia(rigid::inertia_of(obstacle), motion) : Mat3::Zero(),
         motion.position, motion.velocity, motion.spin});
  }
  const element::Model& model = state_.model;
  double fastest = 0;
  std::vector<Hit> all, hits;
  for (const LocalIndex e : elements_) {
    hits.clear();
    const double mass = mass_of(model, e);
    const std::size_t first = at(model.mesh.tet(e)[0]);
    const auto energy = [&] {
      return mass * (model.v[first].xyz().squaredNorm() / 2 - scene_.gravity.dot(model.p[first].xyz()));
    };
    const double before = energy();
    fastest = std::max(fastest, fly(e, dt, hits));
    if (!model.mesh.primary(e)) continue;
    book(before - energy(), hits);
    all.insert(all.end(), hits.begin(), hits.end());
  }
  kick_obstacles(all);
  return fastest;
}

/// Between two looks at obstacles it falls freely. Returns its speed in the end.
double Particles::fly(LocalIndex e, double dt, std::vector<Hit>& hits)
{
  element::Model& model = state_.model;
  const Tet& nodes = model.mesh.tet(e);
  const double mass = mass_of(model, e);
  Mat34 p = model.positions(e);
  Vec3 v = model.v[at(nodes[0])].xyz();
  const double way = (v.norm() + dt * scene_.gravity.norm()) * dt,
               looks = obstacles_.empty()
                           ? 1
                           : std::clamp(std::ceil(way / (reach_share * state_.mesh_size)), 1.0, most_looks);
  const double h = dt / looks;
  for (double look = 0; look < looks; ++look) {
    const Mat34 start = p;
    const bool rested = v.isZero(0);
    p.colwise() += Vec3(h * (v + h / 2 * scene_.gravity));
    const Touch touch = deepest(p);
    if (!(touch.depth.metres > 0)) {
      v += h * scene_.gravity;
      continue;
    }
    const Vec3 after = bounce(touch, mass, v, h, hits);
    if (rested && after.isZero(0)) {
      p = start;
      continue;
    }
    v = after;
    p.colwise() += Vec3(std::min(touch.depth.metres, reach_share * state_.mesh_size) * touch.depth.normal);
  }
  for (std::size_t a = 0; a < 4; ++a) {
    model.p[at(nodes[a])].set_xyz(p.col(static_cast<Eigen::Index>(a)));
    model.v[at(nodes[a])].set_xyz(v);
  }
  return v.norm();
}

Particles::Touch Particles::deepest(const Mat34& corners) const
{
  Touch deepest;
  const geometry::Box box = contact::box_around(corners);
  for (std::size_t k = 0; k < obstacles_.size(); ++k) {
    if (contact::gap_to(state_.obstacles[k], state_.obstacle_motions[k], box) > 0) continue;
    for (const Vec3 x : corners.colwise()) {
      const contact::Depth depth = contact::depth_in(state_.obstacles[k], state_.obstacle_motions[k], x);
      if (depth.metres > deepest.depth.metres) deepest = {k, depth, x};
    }
  }
  return deepest;
}

/// The velocity with which it goes on, after h [s] of gravity and an impulse. before: at the beginning of that time.
Vec3 Particles::bounce(const Touch& touch, double mass, const Vec3& before, double h, std::vector<Hit>& hits) const
{
  std::array<rigid::Movable, 2> bodies{
      rigid::Movable{.inverse_mass = 1 / mass, .center = touch.at, .velocity = before + h * scene_.gravity},
      obstacles_[touch.obstacle]};
  const Vec3& normal = touch.depth.normal;
  const contact::Response& response = state_.obstacles[touch.obstacle].response;
  const Vec3 w = before - bodies[1].velocity_at(touch.at), across = w - w.dot(normal) * normal;
  rigid::ContactPoint point{
      .a = 0,
      .b = 1,
      .at = touch.at,
      .normal = normal,
      .friction = across.norm() > response.slip_speed ? response.friction_dynamic : response.friction_static,
      .restitution = scene_.hybrid.restitution,
      .approach = -w.dot(normal)};
  const rigid::ImpulseOptions options{.max_sweeps = static_cast<int>(scene_.hybrid.max_sweeps),
                                      .tolerance = 1e-12 * std::max(1e-3, w.norm()),
                                      .resting_speed = scene_.hybrid.resting_speed};
  rigid::solve_impulses(bodies, {&point, 1}, options);
  if (stays(touch, bodies[0].velocity)) point.impulse -= mass * bodies[0].velocity, bodies[0].velocity.setZero();
  hits.push_back({touch.obstacle, point.impulse, touch.at});
  return bodies[0].velocity;
}

/// It is slow, on an obstacle that stands, and not so steep that it slides.
bool Particles::stays(const Touch& touch, const Vec3& velocity) const
{
  if (!(velocity.norm() < scene_.hybrid.sleep_speed) || is_free(state_.obstacles[touch.obstacle]) ||
      !obstacles_[touch.obstacle].stands())
    return false;
  const double along = scene_.gravity.dot(touch.depth.normal);
  const double across = (scene_.gravity - along * touch.depth.normal).norm();
  return across <= -along * state_.obstacles[touch.obstacle].response.friction_static;
}

/// Energy that one has lost, but for what obstacles on a path have given it.
void Particles::book(double energy, std::span<const Hit> hits)
{
  double given = 0;
  for (const Hit& hit : hits) {
    state_.reactions.obstacles[hit.obstacle].add(hit.impulse, hit.at);
    if (!is_free(state_.obstacles[hit.obstacle]))
      given += hit.impulse.dot(obstacles_[hit.obstacle].velocity_at(hit.at));
  }
  state_.ledger.work.external += given;
  state_.ledger.work.contact += energy + given;
}

/// Exact sums, the same on every rank.
void Particles::kick_obstacles(std::span<const Hit> hits)
{
  if (std::none_of(state_.obstacles.begin(), state_.obstacles.end(), is_free)) return;
  double lost = 0;
  for (std::size_t k = 0; k < state_.obstacles.size(); ++k) {
    const contact::Obstacle& obstacle = state_.obstacles[k];
    rigid::Motion& motion = state_.obstacle_motions[k];
    if (!is_free(obstacle)) continue;
    std::array<std::vector<double>, 6> columns;
    for (const Hit& hit : hits) {
      if (hit.obstacle != k) continue;
      const Vec3 torque = (hit.at - motion.position).cross(hit.impulse);
      for (int d = 0; d < 3; ++d) columns[at(d)].push_back(-hit.impulse[d]), columns[at(d + 3)].push_back(-torque[d]);
    }
    const std::vector<double> ones(columns[0].size(), 1);
    std::array<solvers::Factors, 6> factors;
    for (std::size_t c = 0; c < 6; ++c) factors[c] = {columns[c], ones};
    std::array<double, 6> sums{};
    solvers::exact_dots(state_.comm, factors, sums);
    if (sums == std::array<double, 6>{}) continue;
    lost += rigid::kinetic_energy(obstacle, motion);
    motion.velocity += Vec3(sums.data()) / obstacle.mass;
    motion.angular_momentum += Vec3(sums.data() + 3);
    motion.spin = rigid::spin_of(obstacle, motion);
    lost -= rigid::kinetic_energy(obstacle, motion);
  }
  if (state_.comm.rank() == 0) state_.ledger.work.contact += lost;
}

}  // namespace sunder::simulation
